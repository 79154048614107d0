// A message that stays where it is: how something went, or what to know.
import type { ComponentChildren, JSX } from 'preact'

interface NoticeProps {
  kind: 'good' | 'bad' | 'plain'
  children: ComponentChildren
}

/** Bad news interrupts whoever listens, the rest waits its turn. */
export const Notice = ({ kind, children }: NoticeProps): JSX.Element => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)
