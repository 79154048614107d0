// Dialog to manage one account: role, approval state, sessions and deletion.
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type ApprovalState, STATE_TRANSITIONS } from '../../../src/domain/account/account.ts'
import type { User } from '../../api/contract.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, SelectField } from '../../ui/field.tsx'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { toast } from '../../ui/toasts.tsx'
import {
  type ChangeProblem,
  changeAccount,
  type DecisionResult,
  deleteAccount,
  endSessionsOf,
} from './change-account.ts'
import { DateTime, RepeatedRequestNote, ROLE_OPTIONS } from './parts.tsx'

const text = words.admin.peoplePage

interface PersonDialogProps {
  person: User
  onClose(): void
  /** The result is shown above the list. */
  onSettled(result: DecisionResult): void
}

export function AccountDialog({ person, onClose, onSettled }: PersonDialogProps): JSX.Element {
  const [refusal, setRefusal] = useState<ChangeProblem>()
  const { isBusy, run } = useSubmission()
  const act: ActProps['act'] = (task, message) =>
    run(async () => {
      const result = await task()
      setRefusal(result.refusal)
      if (result.refusal?.isOutdated) onSettled(result)
      if (result.refusal) return
      toast(message)
      onSettled(result)
    })
  const { display_name: name } = person
  return (
    <Dialog title={name} onClose={onClose}>
      <p>
        {person.email}, {person.email_verified ? text.verified : text.unverified}
      </p>
      <p class="quiet">
        {text.since} <DateTime at={person.created_at} />
        {person.decided_at && (
          <>
            {' · '}
            {text.decided} <DateTime at={person.decided_at} />
          </>
        )}
      </p>
      <RepeatedRequestNote person={person} />
      {person.password_state === 'none' && <p>{text.noPassword}</p>}
      {person.request_message && <blockquote>{person.request_message}</blockquote>}
      {refusal && <Notice kind="bad">{refusal.text}</Notice>}
      <RoleForm person={person} isBusy={isBusy} act={act} />
      <Steps person={person} isBusy={isBusy} act={act} />
      <Part title={text.sessionsHead} hint={text.sessionsHint}>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => act(() => endSessionsOf(person), text.done.sessions(name))}
        >
          {text.endSessions}
        </button>
      </Part>
      <Deletion person={person} isBusy={isBusy} act={act} />
    </Dialog>
  )
}

interface ActProps {
  person: User
  isBusy: boolean
  /** One at a time. */
  act(task: () => Promise<DecisionResult>, message: string): Promise<void>
}

const Part = ({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) => (
  <section class="part">
    <h3>{title}</h3>
    {hint && <p class="hint">{hint}</p>}
    {children}
  </section>
)

function RoleForm({ person, isBusy, act }: ActProps): JSX.Element {
  const [role, setRole] = useState(person.role)
  const [password, setPassword] = useState('')
  const isRaised = role === 'admin' && person.role !== 'admin'
  const change = { role, ...(isRaised && { current_password: password }) }
  return (
    <form
      class="part"
      onSubmit={(event) => {
        event.preventDefault()
        void act(() => changeAccount(person, change), text.done.role(person.display_name, words.admin.roles[role]!))
      }}
    >
      <SelectField
        label={words.admin.role}
        hint={`${words.admin.roleHints[role]} ${text.roleHint}`}
        value={role}
        onValue={setRole}
        options={ROLE_OPTIONS}
      />
      {isRaised && (
        <PasswordField
          label={words.common.ownPassword}
          hint={text.ownPasswordHint}
          value={password}
          onValue={setPassword}
        />
      )}
      <button type="submit" disabled={isBusy || role === person.role}>
        {text.saveRole}
      </button>
    </form>
  )
}

/** Only the transitions that the current state allows. */
function Steps({ person, isBusy, act }: ActProps): JSX.Element {
  const [isNotified, setNotified] = useState(false)
  const { approval_state: state, display_name: name } = person
  const step = (to: ApprovalState) =>
    act(
      () => changeAccount(person, { approval_state: to, notify: isNotified }),
      text.done.state(name, words.admin.states[to]!),
    )
  return (
    <Part title={`${words.admin.state}: ${words.admin.states[state]}`}>
      {site.has_mail && <Checkbox label={words.admin.requestsPage.notify} isOn={isNotified} onChange={setNotified} />}
      <div class="actions">
        {STATE_TRANSITIONS[state].map((to) => (
          <button key={to} type="button" disabled={isBusy} onClick={() => step(to)}>
            {text.steps[to]?.[state]}
          </button>
        ))}
      </div>
    </Part>
  )
}

function Deletion({ person, isBusy, act }: ActProps): JSX.Element {
  const { isAsked, ask, cancel, opener } = useQuestion()
  const { display_name: name } = person
  return (
    <Part title={text.deleteHead} hint={text.deleteHint}>
      {isAsked ? (
        <Question
          yes={text.deleteYes}
          isBusy={isBusy}
          onYes={() => act(() => deleteAccount(person), text.done.deleted(name))}
          onCancel={cancel}
        >
          {text.deleteSure(name)}
        </Question>
      ) : (
        <button ref={opener} type="button" class="danger" disabled={isBusy} onClick={ask}>
          {words.common.delete}
        </button>
      )}
    </Part>
  )
}
