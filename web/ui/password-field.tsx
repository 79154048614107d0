// Password field with a show/hide button; a new password also gets a hint.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as words from '../strings.ts'
import { problemOf } from './explain.ts'
import { Field } from './field.tsx'

interface PasswordFieldProps {
  label: string
  value: string
  onValue(value: string): void
  /** A new password gets a hint, and the browser may offer to generate it. */
  isNew?: boolean
  hint?: string
  problem?: string | undefined
  input?: JSX.InputHTMLAttributes
}

export function PasswordField({ label, value, onValue, isNew, hint, problem, input }: PasswordFieldProps): JSX.Element {
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} hint={isNew ? words.account.passwordHint : hint} problem={problem} judged={value}>
      {(control) => (
        <div class="pair">
          <input
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellcheck={false}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
            {...input}
            {...control}
          />
          <button
            type="button"
            aria-label={isShown ? words.account.hidePassword : words.account.showPassword}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? words.common.hide : words.common.show}
          </button>
        </div>
      )}
    </Field>
  )
}

export const newPasswordProblem = (error: unknown): string | undefined =>
  problemOf(error, 'password', words.account.passwordProblems)
