// Badge with the number of pending account requests; polls while an administrator is signed in.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as words from '../strings.ts'
import { createStore, useStore } from '../ui/store.ts'
import { call, session } from './session.ts'

const waiting = createStore(0)

const EVERY_MS = 60_000

/** Also called after a decision. If the request fails, the last number stays. */
export async function refreshWaiting(): Promise<void> {
  const answer = await call('listUsers', { query: { per_page: 1 } }).catch(() => undefined)
  if (answer) waiting.set(answer.meta?.counts?.pending_approval ?? 0)
}

export function WaitingBadge(): JSX.Element | null {
  const count = useStore(waiting)
  useEffect(() => {
    void refreshWaiting()
    const timer = setInterval(() => {
      // After the user dismissed the sign-in dialog, polling must not reopen it every minute.
      if (!document.hidden && session.get().state === 'signed_in') void refreshWaiting()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return <Count count={count} />
}

/** The same number, without polling. */
export const WaitingCount = (): JSX.Element | null => <Count count={useStore(waiting)} />

const Count = ({ count }: { count: number }): JSX.Element | null =>
  count === 0 ? null : (
    <span class="badge">
      <span aria-hidden="true">{count}</span>
      <span class="spoken">{` (${words.frame.waiting(count)})`}</span>
    </span>
  )
