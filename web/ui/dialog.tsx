// A window over the page: the browser’s own, which keeps the focus inside and closes on Escape; it is read out from its title on.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import * as words from '../strings.ts'

interface DialogProps {
  title: string
  onClose(): void
  children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const element = dialog.current!
    const before = document.activeElement as HTMLElement | null
    element.showModal()
    // Where no field asks for the focus, it begins with what the window is about, not with the way out of it.
    if (!element.querySelector('[autofocus]')) heading.current!.focus()
    return () => {
      element.close()
      if (before?.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; by keyboard that is Escape, which it knows.
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" class="plain" aria-label={words.common.close} onClick={onClose}>
            ×
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
