// Sign-in form: used on the sign-in page, in place of a page, and in the dialog over one.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import { site } from '../site.ts'
import * as words from '../strings.ts'
import { problemOf, requireFilled } from '../ui/explain.ts'
import { Checkbox, TextField } from '../ui/field.tsx'
import { Form, useSubmission } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { createStore } from '../ui/store.ts'
import { Link } from './router.tsx'
import { signIn } from './session.ts'

/** The address last typed here, which the page for a new link starts with. */
export const typedEmail = createStore('')

interface SignInFormProps {
  /** Set when the user is already known; the address cannot be changed then. */
  email?: string
  onDone?(): unknown
}

export function SignInForm({ email: known, onDone }: SignInFormProps): JSX.Element {
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [isRemembered, setRemembered] = useState(false)
  const sending = useSubmission()
  const type = (text: string) => {
    setEmail(text)
    typedEmail.set(text)
  }
  const send = async () => {
    requireFilled({ email, password })
    await signIn(email.trim(), password, isRemembered)
    await onDone?.()
  }
  return (
    <Form
      sending={sending}
      onSend={send}
      button={words.frame.signIn}
      refusals={refusalsOf(sending.error)}
      help={<LinkHelp error={sending.error} />}
    >
      <TextField
        label={words.account.email}
        value={email}
        onValue={type}
        problem={problemOf(sending.error, 'email', words.account.emailProblems)}
        input={{ type: 'email', autoComplete: 'username', readOnly: known !== undefined, name: 'email' }}
      />
      <PasswordField
        label={words.account.password}
        value={password}
        onValue={setPassword}
        problem={problemOf(sending.error, 'password')}
        input={{ name: 'password', autoFocus: known !== undefined }}
      />
      <Checkbox
        label={
          <>
            {words.account.stay} <span class="quiet">{words.account.stayHint}</span>
          </>
        }
        isOn={isRemembered}
        onChange={setRemembered}
      />
    </Form>
  )
}

const isUnopened = (error: unknown): boolean => error instanceof ApiError && error.details.email_verified === false

function refusalsOf(error: unknown): Record<string, string> {
  const { refusals, unopened, unverifiedNoMail } = words.account
  if (isUnopened(error)) return { ...refusals, account_pending: unopened }
  return site.has_mail ? refusals : { ...refusals, email_not_verified: unverifiedNoMail }
}

/**
 * How to get another link to verify an address. A wrong password has it too: a request whose address is not verified
 * is answered like an unknown address, so nobody learns from this who has an account.
 */
function LinkHelp({ error }: { error: unknown }): JSX.Element | null {
  const code = error instanceof ApiError ? error.code : ''
  const isKnown = code === 'email_not_verified' || isUnopened(error)
  if (!site.has_mail || (!isKnown && code !== 'invalid_credentials')) return null
  return (
    <p>
      {!isKnown && words.account.perhapsUnopened} <Link to="/forgot-password">{words.account.newLinkForAddress}</Link>
    </p>
  )
}
