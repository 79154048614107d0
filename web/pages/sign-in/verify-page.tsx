// Verifies an email address by mailed link; needs a button press, as mail programs prefetch links.
import type { JSX } from 'preact'
import type { Operations } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { useSubmission } from '../../ui/form.tsx'
import { MailedForm, MailedPage } from './mailed-page.tsx'

export default function VerifyPage(): JSX.Element {
  return <MailedPage title={words.account.verifyTitle} content={VerifyForm} />
}

function VerifyForm({ token }: { token: string | undefined }): JSX.Element {
  const sending = useSubmission()
  const send = async (used: string) => outcomeOf((await call('verifyEmail', { body: { token: used } })).data)
  return (
    <MailedForm
      token={token}
      sending={sending}
      onSend={send}
      button={words.account.verify}
      lead={words.account.verifyLead}
    />
  )
}

function outcomeOf({ password_needed, approval_state }: Operations['verifyEmail']['answer']['data']): string {
  if (password_needed) return site.has_mail ? words.account.verifiedPassword : words.account.verifiedPasswordNoMail
  return approval_state === 'pending_approval' ? words.account.verifiedWaiting : words.account.verified
}
