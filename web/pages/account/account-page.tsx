// Account overview: name and role, change password, sign out everywhere.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../src/domain/languages.ts'
import { call, refreshSession, type SessionUser } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { problemOf, requireFilled } from '../../ui/explain.ts'
import { SelectField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { newPasswordProblem, PasswordField } from '../../ui/password-field.tsx'
import { AccountFrame } from './account-frame.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'

export default function AccountPage(): JSX.Element {
  return (
    <AccountFrame title={words.frame.account}>
      {(user) => (
        <>
          <Facts user={user} />
          <MailLanguage user={user} />
          <ChangePassword user={user} />
          <SignOutEverywhere />
        </>
      )}
    </AccountFrame>
  )
}

const Facts = ({ user }: { user: SessionUser }): JSX.Element => (
  <dl class="card facts">
    <dt>{words.account.name}</dt>
    <dd>{user.display_name}</dd>
    <dt>{words.account.email}</dt>
    <dd>{user.email}</dd>
    <dt>{words.account.role}</dt>
    <dd>{words.account.roles[user.role]}</dd>
  </dl>
)

function MailLanguage({ user }: { user: SessionUser }): JSX.Element {
  const [language, setLanguage] = useState<Language | ''>(user.language ?? '')
  const [isDone, setDone] = useState(false)
  const sending = useSubmission()
  const send = async () => {
    setDone(false)
    await call('changeOwnAccount', { body: { language: language || null } })
    await refreshSession()
    setDone(true)
  }
  return (
    <section class="card">
      <h2>{words.account.mailLanguage}</h2>
      <p>{words.account.mailLanguageLead}</p>
      {isDone && <Notice kind="good">{words.account.mailLanguageSaved}</Notice>}
      <Form sending={sending} onSend={send} button={words.common.save}>
        <SelectField
          label={words.account.mailLanguage}
          value={language}
          onValue={setLanguage}
          options={[
            ['', words.account.calendarLanguage],
            ...LANGUAGES.map((tag) => [tag, LANGUAGE_NAMES[tag]] as const),
          ]}
        />
      </Form>
    </section>
  )
}

function ChangePassword({ user }: { user: SessionUser }): JSX.Element {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const sending = useSubmission()
  const send = async () => {
    setDone(false)
    requireFilled({ current_password: current, password })
    await call('changePassword', { body: { current_password: current, password } })
    setCurrent('')
    setPassword('')
    setDone(true)
  }
  return (
    <section class="card">
      <h2>{words.account.reset}</h2>
      <p>{words.account.changeLead}</p>
      {isDone && <Notice kind="good">{words.account.changed}</Notice>}
      <Form sending={sending} onSend={send} button={words.account.reset}>
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          label={words.account.currentPassword}
          value={current}
          onValue={setCurrent}
          problem={problemOf(sending.error, 'current_password', words.account.currentProblems)}
        />
        <PasswordField
          label={words.account.newPassword}
          isNew
          value={password}
          onValue={setPassword}
          problem={newPasswordProblem(sending.error)}
        />
      </Form>
    </section>
  )
}
