// Requests a password reset link; the response is the same for every address.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from '../../app/router.tsx'
import { call } from '../../app/session.ts'
import { typedEmail } from '../../app/sign-in-form.tsx'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { problemOf, requireFilled } from '../../ui/explain.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { sendWithProof } from './proof-of-work.ts'

export default function ForgotPasswordPage(): JSX.Element {
  const [email, setEmail] = useState(typedEmail.get())
  const [isSent, setSent] = useState(false)
  const [isProving, setProving] = useState(false)
  const sending = useSubmission()
  const send = async () => {
    requireFilled({ email })
    await sendWithProof(
      (proof) => call('forgotPassword', { body: { email, ...proof } }),
      () => setProving(true),
    )
    setSent(true)
  }
  return (
    <Page title={words.account.forgotTitle}>
      {isSent ? (
        <Notice kind="good" takesFocus>
          {site.has_mail ? words.account.linkSent : words.account.linkStored}
        </Notice>
      ) : (
        <>
          <p>{site.has_mail ? words.account.forgotLead : words.account.forgotLeadNoMail}</p>
          <Form
            sending={sending}
            onSend={send}
            button={site.has_mail ? words.account.sendLink : words.account.sendLinkNoMail}
            working={isProving ? words.account.proving : undefined}
          >
            <TextField
              label={words.account.email}
              value={email}
              onValue={setEmail}
              problem={problemOf(sending.error, 'email', words.account.emailProblems)}
              input={{ type: 'email', autoComplete: 'username' }}
            />
          </Form>
        </>
      )}
      <p class="quiet">
        <Link to="/sign-in">{words.frame.signIn}</Link>
      </p>
    </Page>
  )
}
