// Pending account requests, to approve or reject.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Role } from '../../../src/domain/account/account.ts'
import type { User } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Checkbox, SelectField } from '../../ui/field.tsx'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AdminPage } from './admin-page.tsx'
import { changeAccount, type DecisionResult } from './change-account.ts'
import { DateTime, LoadedSection, Pager, RepeatedRequestNote, ROLE_OPTIONS } from './parts.tsx'
import { Selection } from './request-selection.tsx'

const text = words.admin.requestsPage

const PER_PAGE = 20

export default function RequestsPage(): JSX.Element {
  return <AdminPage title={text.title} content={Requests} />
}

function Requests(): JSX.Element {
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [{ refusal, notice }, setResult] = useState<DecisionResult>({})
  const loaded = useLoaded(
    (signal) => call('listUsers', { query: { approval_state: 'pending_approval', page, per_page: PER_PAGE }, signal }),
    [page],
  )
  const settle = (result: DecisionResult) => {
    setResult(result)
    if (!result.refusal || result.refusal.isOutdated) loaded.again()
    // The request and its focused button disappear, so the heading gets the focus.
    if (!result.refusal || result.refusal.isOutdated) document.querySelector('h1')!.focus()
  }
  const select = (ids: readonly string[], isOn: boolean) =>
    setSelected((known) => new Set(isOn ? [...known, ...ids] : [...known].filter((id) => !ids.includes(id))))
  return (
    <>
      {!site.has_mail && <Notice kind="bad">{text.noMail}</Notice>}
      {refusal && <Notice kind="bad">{refusal.text}</Notice>}
      {notice && <Notice kind="plain">{notice}</Notice>}
      <LoadedSection loaded={loaded}>
        {({ data, meta }) => (
          <>
            {data.length === 0 && <p class="quiet">{text.empty}</p>}
            {data.length > 1 && <Selection people={data} selected={selected} onSelect={select} onSettled={settle} />}
            <ul class="cards">
              {data.map((person) => (
                <Request
                  key={`${person.id} ${person.version}`}
                  person={person}
                  isSelected={selected.has(person.id)}
                  onSelect={data.length > 1 ? (isOn) => select([person.id], isOn) : undefined}
                  onSettled={settle}
                />
              ))}
            </ul>
            <Pager meta={meta} onPage={setPage} />
          </>
        )}
      </LoadedSection>
    </>
  )
}

interface RequestProps {
  person: User
  isSelected: boolean
  /** Undefined if there is only one request. */
  onSelect: ((isOn: boolean) => void) | undefined
  onSettled(result: DecisionResult): void
}

function Request({ person, isSelected, onSelect, onSettled }: RequestProps): JSX.Element {
  const [role, setRole] = useState<Role>('writer')
  const [isNotified, setNotified] = useState(site.has_mail)
  const { isAsked, ask, cancel, opener } = useQuestion()
  const { isBusy, run } = useSubmission()
  const decide = (state: 'approved' | 'rejected') =>
    run(async () => {
      const notify = isNotified
      const result = await changeAccount(
        person,
        state === 'approved' ? { approval_state: state, role, notify } : { approval_state: state, notify },
      )
      const message = state === 'approved' ? text.approvedToast : text.rejectedToast
      if (!result.refusal) toast(message(person.display_name))
      onSettled(result)
    })
  const { display_name: name } = person
  return (
    <li class="card">
      <h2>{name}</h2>
      {onSelect && <Checkbox label={text.select(name)} isOn={isSelected} onChange={onSelect} />}
      <p>
        {person.email} · {person.email_verified ? text.verified : <strong>{text.unverified}</strong>}
      </p>
      {!person.email_verified && site.has_mail && <p class="hint">{text.unverifiedHint}</p>}
      <RepeatedRequestNote person={person} />
      {person.request_message ? (
        <figure class="message">
          <figcaption class="quiet">{text.message}</figcaption>
          <blockquote>{person.request_message}</blockquote>
        </figure>
      ) : (
        <p class="quiet">{text.noMessage}</p>
      )}
      <p class="quiet">
        {text.since} <DateTime at={person.created_at} />
      </p>
      <div class="decision">
        <SelectField
          label={words.admin.role}
          hint={words.admin.roleHints[role]}
          value={role}
          onValue={setRole}
          options={ROLE_OPTIONS}
        />
        {site.has_mail && <Checkbox label={text.notify} isOn={isNotified} onChange={setNotified} />}
        <div class="actions">
          <button
            type="button"
            class="main"
            aria-disabled={isBusy}
            aria-label={`${text.approve}: ${name}`}
            onClick={() => decide('approved')}
          >
            {text.approve}
          </button>
          {!isAsked && (
            <button
              ref={opener}
              type="button"
              class="danger"
              aria-disabled={isBusy}
              aria-label={`${text.reject}: ${name}`}
              onClick={ask}
            >
              {text.reject}
            </button>
          )}
        </div>
        {isAsked && (
          <Question yes={text.rejectYes} isBusy={isBusy} onYes={() => decide('rejected')} onCancel={cancel}>
            {isNotified ? text.rejectOneMailed(name) : text.rejectOne(name)}
          </Question>
        )}
      </div>
    </li>
  )
}
