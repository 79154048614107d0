// The link of a forgotten password leads here: a new one, which signs out everywhere.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from '../../app/router.tsx'
import { call, forget, refreshSession, session } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { useSending } from '../../ui/form.tsx'
import { newPasswordProblem, PasswordField } from '../../ui/password-field.tsx'
import { MailedForm, MailedPage } from './mailed-page.tsx'

export default function ResetPasswordPage(): JSX.Element {
  return <MailedPage title={words.account.resetTitle} content={ResetForm} />
}

function ResetForm({ token }: { token: string | undefined }): JSX.Element {
  const [password, setPassword] = useState('')
  const sending = useSending()
  const send = async (used: string) => {
    await call('resetPassword', { body: { token: used, password } })
    if (session.get().state !== 'nobody') await lookAgain()
    return words.account.resetDone
  }
  return (
    <MailedForm
      token={token}
      sending={sending}
      onSend={send}
      button={words.account.reset}
      lead={words.account.resetLead}
      another={
        <p>
          <Link to="/forgot-password">{words.account.newLink}</Link>
        </p>
      }
    >
      <PasswordField
        label={words.account.newPassword}
        isNew
        value={password}
        onValue={setPassword}
        problem={newPasswordProblem(sending.error)}
      />
    </MailedForm>
  )
}

/** Whoever was signed in here is not any more, unless it was somebody else. */
async function lookAgain(): Promise<void> {
  forget()
  await refreshSession()
}
