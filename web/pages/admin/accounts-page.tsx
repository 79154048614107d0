// List of all accounts with search and filters; opens a dialog to manage one.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { APPROVAL_STATES, type ApprovalState, ROLES, type Role } from '../../../src/domain/account/account.ts'
import type { User } from '../../api/contract.ts'
import { call, session } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useStore } from '../../ui/store.ts'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AccountDialog } from './account-dialog.tsx'
import { AdminPage } from './admin-page.tsx'
import type { DecisionResult } from './change-account.ts'
import { DateTime, LoadedSection, Pager } from './parts.tsx'

const text = words.admin.peoplePage

/** Debounce of the search field. */
const REST_MS = 300

export default function AccountsPage(): JSX.Element {
  return <AdminPage title={words.admin.people} content={People} />
}

interface PeopleFilters {
  q: string
  state: ApprovalState | ''
  role: Role | ''
  page: number
}

function People(): JSX.Element {
  const [asked, setAsked] = useState<PeopleFilters>({ q: '', state: '', role: '', page: 1 })
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<User>()
  const [{ refusal, notice }, setResult] = useState<DecisionResult>({})
  useEffect(() => {
    const timer = setTimeout(
      () => setAsked((known) => (known.q === typed ? known : { ...known, q: typed, page: 1 })),
      REST_MS,
    )
    return () => clearTimeout(timer)
  }, [typed])
  const { q, state, role, page } = asked
  const loaded = useLoaded(
    (signal) =>
      call('listUsers', {
        query: { q, page, per_page: 25, sort: 'email', ...(state && { approval_state: state }), ...(role && { role }) },
        signal,
      }),
    [q, state, role, page],
  )
  const settle = (result: DecisionResult) => {
    setChosen(undefined)
    setResult(result)
    loaded.again()
  }
  return (
    <>
      <search class="filters">
        <TextField
          label={text.search}
          hint={text.searchHint}
          value={typed}
          onValue={setTyped}
          input={{ type: 'search', maxLength: 254 }}
        />
        <SelectField
          label={words.admin.state}
          value={state}
          onValue={(value) => setAsked({ ...asked, state: value, page: 1 })}
          options={[['', text.anyState], ...APPROVAL_STATES.map((one) => [one, words.admin.states[one]!] as const)]}
        />
        <SelectField
          label={words.admin.role}
          value={role}
          onValue={(value) => setAsked({ ...asked, role: value, page: 1 })}
          options={[['', text.anyRole], ...ROLES.map((one) => [one, words.admin.roles[one]!] as const)]}
        />
      </search>
      {refusal && <Notice kind="bad">{refusal.text}</Notice>}
      {notice && <Notice kind="plain">{notice}</Notice>}
      <LoadedSection loaded={loaded}>
        {({ data, meta }) => (
          <>
            {data.length === 0 && <p class="quiet">{text.empty}</p>}
            <ul class="people">
              {data.map((person) => (
                <Person key={person.id} person={person} onManage={() => setChosen(person)} />
              ))}
            </ul>
            <Pager meta={meta} onPage={(next) => setAsked({ ...asked, page: next })} />
          </>
        )}
      </LoadedSection>
      {chosen && <AccountDialog person={chosen} onClose={() => setChosen(undefined)} onSettled={settle} />}
    </>
  )
}

function Person({ person, onManage }: { person: User; onManage(): void }): JSX.Element {
  const known = useStore(session)
  const isOwn = 'user' in known && known.user.id === person.id
  return (
    <li>
      <div>
        <strong>{person.display_name}</strong>
        {isOwn && <span class="quiet"> ({text.you})</span>}
        <div>{person.email}</div>
      </div>
      <div>
        {words.admin.roles[person.role]} · {words.admin.states[person.approval_state]}
        {!person.email_verified && <div class="quiet">{text.unverified}</div>}
      </div>
      <div class="quiet">
        {text.lastLogin}: {person.last_login_at ? <DateTime at={person.last_login_at} /> : words.admin.never}
      </div>
      <button type="button" aria-label={text.manageLabel(person.display_name)} onClick={onManage}>
        {text.manage}
      </button>
    </li>
  )
}
