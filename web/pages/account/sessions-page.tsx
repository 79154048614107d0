// Sessions of the signed-in user: marks this browser, ends others one by one or all at once.
import type { JSX } from 'preact'
import type { SessionEntry } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AccountFrame } from './account-frame.tsx'
import { browserName } from './browser-name.ts'
import { formatDateTime } from './format-time.ts'
import { OwnItem, OwnList } from './own-list.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'

export default function SessionsPage(): JSX.Element {
  return <AccountFrame title={words.account.sessionsTitle}>{() => <Sessions />}</AccountFrame>
}

function Sessions(): JSX.Element {
  const loaded = useLoaded(async (signal) => (await call('listSessions', { signal })).data.sort(currentFirst), [])
  const sending = useSubmission()
  const others = loaded.data?.filter(({ current }) => !current) ?? []
  const end = (sessions: readonly SessionEntry[], message: string) =>
    sending.run(async () => {
      try {
        for (const { id } of sessions) await call('endSession', { path: { session_id: id } })
        toast(message)
      } finally {
        loaded.again()
      }
    })
  return (
    <>
      <p>{words.account.sessionsLead}</p>
      {!!sending.error && <Notice kind="bad">{explain(sending.error)}</Notice>}
      <OwnList title={words.account.sessionsYours} loaded={loaded} empty={words.account.noOthers}>
        {(entry) => (
          <OwnItem key={entry.id} name={<Name entry={entry} />} lines={linesOf(entry)}>
            {!entry.current && (
              <button
                type="button"
                class="danger"
                aria-label={words.account.endNamed(browserName(entry.user_agent))}
                onClick={() => end([entry], words.account.ended)}
              >
                {words.account.end}
              </button>
            )}
          </OwnItem>
        )}
      </OwnList>
      {others.length > 1 && (
        <div class="actions">
          <button type="button" onClick={() => end(others, words.account.othersEnded)}>
            {words.account.endOthers}
          </button>
        </div>
      )}
      {loaded.data && others.length === 0 && <p class="quiet">{words.account.noOthers}</p>}
      <SignOutEverywhere />
    </>
  )
}

const Name = ({ entry }: { entry: SessionEntry }): JSX.Element => (
  <>
    {browserName(entry.user_agent)}
    {entry.current && <span class="mark">{words.account.current}</span>}
  </>
)

const linesOf = ({ created_at, last_seen_at, client_net, expires_at }: SessionEntry): string[] => [
  `${words.account.signedInAt(formatDateTime(created_at))}, ${words.account.lastSeen(formatDateTime(last_seen_at))}`,
  words.account.from(client_net),
  words.account.endsAt(formatDateTime(expires_at)),
]

const currentFirst = (one: SessionEntry, other: SessionEntry): number =>
  Number(other.current) - Number(one.current) || other.last_seen_at.localeCompare(one.last_seen_at)
