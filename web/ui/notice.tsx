// A message that stays on the page: the result of an action, or something to know.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface NoticeProps {
  kind: 'good' | 'bad' | 'plain'
  /** Set where the notice is about marked fields; it is hidden when none is marked any more. */
  isAboutFields?: boolean
  /** Set when the notice replaces the element that had the focus. */
  takesFocus?: boolean
  children: ComponentChildren
}

/** Errors are `alert`, which interrupts a screen reader; the rest is `status`, which does not. */
export function Notice({ kind, isAboutFields, takesFocus, children }: NoticeProps): JSX.Element {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) notice.current!.focus()
  }, [])
  return (
    <div
      ref={notice}
      class={`notice ${kind}${isAboutFields ? ' marks' : ''}`}
      role={kind === 'bad' ? 'alert' : 'status'}
      tabIndex={takesFocus ? -1 : undefined}
    >
      {children}
    </div>
  )
}
