// Sets a new password with the token of a mailed link, which ends all sessions.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, clearSession, refreshSession, session } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { useSubmission } from '../../ui/form.tsx'
import { newPasswordProblem, PasswordField } from '../../ui/password-field.tsx'
import { MailedForm, MailedPage } from './mailed-page.tsx'

export default function ResetPasswordPage(): JSX.Element {
  return <MailedPage title={words.account.resetTitle} content={ResetForm} />
}

function ResetForm({ token }: { token: string | undefined }): JSX.Element {
  const [password, setPassword] = useState('')
  const sending = useSubmission()
  const send = async (used: string) => {
    await call('resetPassword', { body: { token: used, password } })
    if (session.get().state !== 'signed_out') await lookAgain()
    return words.account.resetDone
  }
  return (
    <MailedForm
      token={token}
      sending={sending}
      onSend={send}
      button={words.account.reset}
      lead={words.account.resetLead}
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

/** The reset ended the account’s sessions; if another user is signed in here, that session is found again. */
async function lookAgain(): Promise<void> {
  clearSession()
  await refreshSession()
}
