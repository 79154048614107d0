// Shared parts of the administration pages: load states, pagination, times, roles.
import type { ComponentChildren, JSX } from 'preact'
import { ROLES } from '../../../src/domain/account/account.ts'
import type { DateFormat } from '../../../src/words/format-times.ts'
import type { Meta, User } from '../../api/contract.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { Loaded } from '../../ui/use-loaded.ts'
import { dateFormat } from '../../words/formats.ts'

const text = words.admin

interface LoadedSectionProps<T> {
  loaded: Loaded<T> & { again(): void }
  children(data: T): ComponentChildren
}

/** The previous data stays while newer data loads, and when loading fails. */
export const LoadedSection = <T,>({ loaded, children }: LoadedSectionProps<T>): JSX.Element => (
  <>
    {loaded.state === 'failed' && (
      <Notice kind="bad">
        <p>{explain(loaded.error)}</p>
        <button type="button" onClick={loaded.again}>
          {text.again}
        </button>
      </Notice>
    )}
    {loaded.data === undefined ? loaded.state === 'loading' && <Spinner /> : children(loaded.data)}
  </>
)

interface PagerProps {
  meta: Meta | undefined
  onPage(page: number): void
}

export function Pager({ meta, onPage }: PagerProps): JSX.Element | null {
  const { page = 1, total_pages: pages = 1, total = 0 } = meta?.pagination ?? {}
  if (pages <= 1) return null
  return (
    <nav class="pager" aria-label={text.pages}>
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {text.previous}
      </button>
      <span aria-live="polite">{text.pageOf(page, pages, total)}</span>
      <button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {text.next}
      </button>
    </nav>
  )
}

const formatOf = (parts: Intl.DateTimeFormatOptions): DateFormat => dateFormat(site.timezone, parts)

const FORMATS = {
  plain: formatOf({ dateStyle: 'medium', timeStyle: 'short' }),
  exact: formatOf({ dateStyle: 'medium', timeStyle: 'medium' }),
  date: formatOf({ dateStyle: 'medium' }),
  /** For tables of recent entries. */
  short: formatOf({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' }),
}

/** In the calendar’s zone. */
export const DateTime = ({ at, as = 'plain' }: { at: string; as?: keyof typeof FORMATS }): JSX.Element => (
  <time dateTime={at}>{FORMATS[as].format(new Date(at))}</time>
)

/** Says that an account was requested more than once, and what that means while its password is disputed. */
export function RepeatedRequestNote({ person }: { person: User }): JSX.Element | null {
  const { request_count: count, last_requested_at: at, password_state: state } = person
  if (count < 2) return null
  return (
    <>
      <p>
        <strong>{text.requestsPage.requestedAgain(count)}</strong>{' '}
        {at ? <DateTime at={at} /> : text.requestsPage.unknownTime}
      </p>
      {state === 'disputed' && <p class="hint">{text.requestsPage.disputed}</p>}
    </>
  )
}

export const ROLE_OPTIONS = ROLES.map((role) => [role, text.roles[role]!] as const)
