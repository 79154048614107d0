// Shows its content to signed-in users, and the sign-in form to everyone else.
import type { JSX } from 'preact'
import { site } from '../site.ts'
import * as words from '../strings.ts'
import { LoadProblem } from '../ui/load-problem.tsx'
import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useStore } from '../ui/store.ts'
import { Link } from './router.tsx'
import { refreshSession, type SessionUser, session } from './session.ts'
import { SignInForm } from './sign-in-form.tsx'

export function SignedIn({ children }: { children(user: SessionUser): JSX.Element }): JSX.Element {
  const known = useStore(session)
  if (known.state === 'unknown' && known.error)
    return (
      <Page title={words.frame.brokenTitle}>
        <LoadProblem error={known.error} onAgain={refreshSession} />
      </Page>
    )
  if (known.state === 'unknown') return <Spinner />
  // If the session ended, the page stays: the user may have typed something.
  if (known.state !== 'signed_out') return children(known.user)
  return (
    <Page title={words.frame.signIn}>
      <p>{words.account.signInFirst}</p>
      <SignInForm />
      <SignInHelp />
    </Page>
  )
}

export const SignInHelp = (): JSX.Element => (
  <p class="quiet">
    <Link to="/forgot-password">{words.account.forgotten}</Link>
    {site.is_registration_open && (
      <>
        {' · '}
        <Link to="/register">{words.account.noAccount}</Link>
      </>
    )}
  </p>
)
