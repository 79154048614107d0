// Requests a password reset link; the response is the same for every address.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from '../../app/router.tsx'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { problemOf, requireFilled } from '../../ui/explain.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { sendWithProof } from './proof-of-work.ts'

export default function ForgotPasswordPage(): JSX.Element {
  const [email, setEmail] = useState('')
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
          {words.account.linkSent}
        </Notice>
      ) : (
        <>
          <p>{words.account.forgotLead}</p>
          <Form
            sending={sending}
            onSend={send}
            button={words.account.sendLink}
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
