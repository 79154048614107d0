// Audit trail page: what happened, by whom and to whom, with filters.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { AUDIT_ACTIONS, type AuditAction } from '../../../src/domain/account/audit.ts'
import { LANGUAGE_NAMES, type Language } from '../../../src/domain/languages.ts'
import { WEEKDAY_NAMES } from '../../../src/domain/time/weekdays.ts'
import type { AuditEntry } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { SelectField } from '../../ui/field.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AdminPage } from './admin-page.tsx'
import { DateTime, LoadedSection, Pager } from './parts.tsx'

const text = words.admin.auditPage

export default function AuditPage(): JSX.Element {
  return <AdminPage title={words.admin.audit} content={Audit} />
}

function Audit(): JSX.Element {
  const [action, setAction] = useState<AuditAction | ''>('')
  const [person, setPerson] = useState('')
  const [page, setPage] = useState(1)
  // One page of users, at the API’s largest size.
  const people = useLoaded((signal) => call('listUsers', { query: { per_page: 200, sort: 'email' }, signal }), [])
  const loaded = useLoaded(
    (signal) =>
      call('listAudit', { query: { page, per_page: 50, user_id: person, ...(action && { action }) }, signal }),
    [action, person, page],
  )
  const users = people.data?.data ?? []
  const choose =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setPage(1)
    }
  return (
    <>
      <p>{text.lead}</p>
      <search class="filters">
        <SelectField
          label={text.action}
          value={action}
          onValue={choose(setAction)}
          options={[['', text.anyAction], ...AUDIT_ACTIONS.map((one) => [one, text.actions[one]!] as const)]}
        />
        <SelectField
          label={text.person}
          value={person}
          onValue={choose(setPerson)}
          options={[
            ['', text.anyPerson],
            ...users.map(({ id, display_name, email }) => [id, `${display_name}, ${email}`] as const),
          ]}
        />
      </search>
      <LoadedSection loaded={loaded}>
        {({ data, meta }) => (
          <>
            {data.length === 0 && <p class="quiet">{text.empty}</p>}
            <ol class="trail">
              {data.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
            <Pager meta={meta} onPage={setPage} />
          </>
        )}
      </LoadedSection>
    </>
  )
}

function Entry({ entry }: { entry: AuditEntry }): JSX.Element {
  const { actor_id: actor, subject_id: subject } = entry
  const details = detailsOf(entry.detail)
  const named = (id: string, name: string | null) => name ?? <code title={words.admin.deletedAccount}>{id}</code>
  return (
    <li>
      <span class="quiet">
        <DateTime at={entry.at} as="exact" />
      </span>
      <span>
        <strong>{text.actions[entry.action]}</strong> {text.by}{' '}
        {actor === null ? text.noActor : named(actor, entry.actor_name)}
        {subject !== null && subject !== actor && ABOUT_PEOPLE.has(entry.action) && (
          <>
            , {text.to} {named(subject, entry.subject_name)}
          </>
        )}
        {details.length > 0 && <span class="quiet"> ({details.join('; ')})</span>}
      </span>
    </li>
  )
}

/** For other actions the subject is a session, token or link, which has no name. */
const ABOUT_PEOPLE: ReadonlySet<AuditAction> = new Set([
  ...(['user_registered', 'user_changed', 'user_deleted', 'user_sessions_ended', 'email_verified'] as const),
  ...([
    'account_created_by_operator',
    'login_failed',
    'login_refused',
    'password_reset',
    'password_invalidated',
    'trash_restored',
    'calendar_rewound',
  ] as const),
])

/** `role_from` and `role_to` become “role: reader → writer”; other details become “name: value”. */
function detailsOf(detail: Record<string, unknown>): string[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (name.endsWith('_to')) return []
    const about = name.replace(/_from$/, '')
    const after = name === about ? '' : ` → ${worded(about, detail[`${about}_to`])}`
    return [`${labelOf(about)}: ${worded(about, value)}${after}`]
  })
}

/** Of a setting its label on the settings page. */
function labelOf(name: string): string {
  const { fields } = words.admin.settingsPage
  return name in fields ? fields[name as keyof typeof fields].label : (text.detail[name] ?? name)
}

/** What people have typed, and addresses. */
const AS_TYPED: ReadonlySet<string> = new Set(
  'name display_name site_name description color embed_sites smtp_url mail_from timezone credential_id id'.split(' '),
)

function worded(name: string, value: unknown): string {
  if (value === null) return text.unset
  if (typeof value === 'boolean') return value ? words.common.yes : words.common.no
  const known = String(value)
  if (AS_TYPED.has(name)) return known
  if (name === 'code' || name === 'reason') return words.errors[known] ?? known
  if (name === 'language') return LANGUAGE_NAMES[known as Language] ?? known
  const weekday = (WEEKDAY_NAMES as readonly string[]).indexOf(known)
  if (weekday >= 0) return words.rule.days[weekday]!
  return words.admin.states[known] ?? words.admin.roles[known] ?? text.values[known] ?? known
}
