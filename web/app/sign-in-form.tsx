// Sign-in form: used on the sign-in page, in place of a page, and in the dialog over one.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as words from '../strings.ts'
import { problemOf, requireFilled } from '../ui/explain.ts'
import { Checkbox, TextField } from '../ui/field.tsx'
import { Form, useSubmission } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { signIn } from './session.ts'

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
  const send = async () => {
    requireFilled({ email, password })
    await signIn(email.trim(), password, isRemembered)
    await onDone?.()
  }
  return (
    <Form sending={sending} onSend={send} button={words.frame.signIn} refusals={words.account.refusals}>
      <TextField
        label={words.account.email}
        value={email}
        onValue={setEmail}
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
