// Modal dialog: a native <dialog>, which traps the focus and closes on Escape.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import * as words from '../strings.ts'

interface DialogProps {
  title: string
  className?: string
  /** Whether a press beside it leaves it open, such as when something was typed. */
  isPinned?: boolean
  /** Called when it is on the page, to place it. */
  onOpen?(dialog: HTMLDialogElement): void
  onClose(): void
  children: ComponentChildren
}

export function Dialog({ title, className, isPinned, onOpen, onClose, children }: DialogProps): JSX.Element {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const element = dialog.current!
    const before = document.activeElement as HTMLElement | null
    element.showModal()
    onOpen?.(element)
    // Without an autofocus field the title gets the focus, so that a screen reader starts there and not at Close.
    if (!element.querySelector('[autofocus]')) heading.current!.focus()
    return () => {
      element.close()
      if (before?.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop closes it; <dialog> handles Escape itself.
    <dialog
      ref={dialog}
      class={className}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && !isPinned && onClose()}
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
