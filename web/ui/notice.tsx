// A message that stays where it is: how something went, or what to know.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface NoticeProps {
  kind: 'good' | 'bad' | 'plain'
  /** Where it comes in place of what had the focus. */
  takesFocus?: boolean
  children: ComponentChildren
}

/** Bad news interrupts whoever listens, the rest waits its turn. */
export function Notice({ kind, takesFocus, children }: NoticeProps): JSX.Element {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) notice.current!.focus()
  }, [])
  return (
    <div
      ref={notice}
      class={`notice ${kind}`}
      role={kind === 'bad' ? 'alert' : 'status'}
      tabIndex={takesFocus ? -1 : undefined}
    >
      {children}
    </div>
  )
}
