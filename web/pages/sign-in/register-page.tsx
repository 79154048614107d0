// Requests an account; the response is the same for every address: check your mail.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from '../../app/router.tsx'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { explain, problemOf, requireFilled } from '../../ui/explain.ts'
import { Field, TextField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { newPasswordProblem, PasswordField } from '../../ui/password-field.tsx'
import '../account/account.css'
import { languageInUse } from '../../words/load.ts'
import { sendWithProof } from './proof-of-work.ts'

const EMPTY = { display_name: '', email: '', password: '', message: '', website: '' }

export default function RegisterPage(): JSX.Element {
  const [typed, setTyped] = useState(EMPTY)
  const [isSent, setSent] = useState(false)
  const [isProving, setProving] = useState(false)
  const sending = useSubmission()
  const type = (part: Partial<typeof EMPTY>) => setTyped((known) => ({ ...known, ...part }))
  const send = async () => {
    const { message, website, ...rest } = typed
    requireFilled(rest)
    const extra = { language: languageInUse(), ...(message && { message }), ...(website && { website }) }
    await sendWithProof(
      (proof) => call('registerUser', { body: { ...rest, ...extra, ...proof } }),
      () => setProving(true),
    )
    setSent(true)
  }
  if (!site.is_registration_open) return <RegistrationClosed />
  if (isSent && !site.has_mail) return <RequestReceived key="sent" />
  if (isSent) return <CheckMail key="sent" email={typed.email} onBack={() => setSent(false)} />
  return (
    <Page title={words.account.registerTitle}>
      <p>{words.account.registerLead}</p>
      <ol class="steps">
        {(site.has_mail ? words.account.steps : words.account.stepsNoMail).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Form
        sending={sending}
        onSend={send}
        button={words.account.register}
        working={isProving ? words.account.proving : undefined}
      >
        <TextField
          label={words.account.name}
          hint={words.account.nameHint}
          value={typed.display_name}
          onValue={(display_name) => type({ display_name })}
          problem={problemOf(sending.error, 'display_name')}
          input={{ autoComplete: 'name', maxLength: 100 }}
        />
        <TextField
          label={words.account.email}
          value={typed.email}
          onValue={(email) => type({ email })}
          problem={problemOf(sending.error, 'email', words.account.emailProblems)}
          input={{ type: 'email', autoComplete: 'username' }}
        />
        <PasswordField
          label={words.account.password}
          isNew
          value={typed.password}
          onValue={(password) => type({ password })}
          problem={newPasswordProblem(sending.error)}
        />
        <Field
          label={words.account.message}
          hint={words.account.messageHint}
          isOptional
          problem={problemOf(sending.error, 'message')}
          judged={typed.message}
        >
          {(control) => (
            <textarea
              value={typed.message}
              maxLength={500}
              onInput={(event) => type({ message: event.currentTarget.value })}
              {...control}
            />
          )}
        </Field>
        <Trap value={typed.website} onValue={(website) => type({ website })} />
      </Form>
      <p class="quiet">
        <Link to="/sign-in">{words.frame.signIn}</Link>
      </p>
    </Page>
  )
}

/** Honeypot: bots fill in every field; this one is hidden from sight, screen readers and the keyboard. */
const Trap = ({ value, onValue }: { value: string; onValue(value: string): void }): JSX.Element => (
  <div class="trap" aria-hidden="true">
    <label>
      {words.account.trap}
      <input
        name="website"
        tabIndex={-1}
        autoComplete="off"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  </div>
)

/** Another link comes with the mail for a forgotten password, which says nothing about accounts to anyone else. */
function CheckMail({ email, onBack }: { email: string; onBack(): void }): JSX.Element {
  const sending = useSubmission()
  const [isResent, setResent] = useState(false)
  const resend = async () => {
    await sendWithProof(
      (proof) => call('forgotPassword', { body: { email, ...proof } }),
      () => {},
    )
    setResent(true)
  }
  return (
    <Page title={words.account.checkMailTitle}>
      <Notice kind="good">{isResent ? words.account.resent(email) : words.account.checkMail(email)}</Notice>
      <ul>
        {words.account.checkMailNext.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {sending.error !== undefined && <Notice kind="bad">{explain(sending.error)}</Notice>}
      <div class="actions">
        {!isResent && (
          <button type="button" disabled={sending.isBusy} onClick={() => sending.run(resend)}>
            {words.account.resend}
          </button>
        )}
        <button type="button" onClick={onBack}>
          {words.account.registerOther}
        </button>
      </div>
    </Page>
  )
}

const RequestReceived = (): JSX.Element => (
  <Page title={words.account.receivedTitle}>
    <Notice kind="good">{words.account.received}</Notice>
    <p>{words.account.receivedNoMail}</p>
    <p class="quiet">
      <Link to="/sign-in">{words.frame.signIn}</Link>
    </p>
  </Page>
)

const RegistrationClosed = (): JSX.Element => (
  <Page title={words.account.registerTitle}>
    <p>{words.errors.registration_closed}</p>
    <p>
      <Link to="/sign-in">{words.frame.signIn}</Link>
    </p>
  </Page>
)
