// Asks for the password when the session ended, over the page and what was typed; the dialog is loaded then.
import type { JSX } from 'preact'
import { useStore } from '../ui/store.ts'
import { useWords } from '../words/use-words.ts'
import { lazily } from './lazily.tsx'
import { session } from './session.ts'

const SignInDialog = lazily(() => import('./sign-in-dialog.tsx').then((module) => module.SignInDialog))

export function SignInAgain(): JSX.Element | null {
  const known = useStore(session)
  const isAsked = known.state === 'over' && known.isAsked
  const isReady = useWords('account', isAsked)
  return isAsked && isReady ? <SignInDialog /> : null
}
