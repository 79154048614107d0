// Sign-in page; returns to the page the user came from.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { readNext } from '../../app/post-login-redirect.ts'
import { Link, navigate, useRoute } from '../../app/router.tsx'
import { clearSession, session } from '../../app/session.ts'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { SignInHelp } from '../../app/signed-in.tsx'
import * as words from '../../strings.ts'
import { Page } from '../../ui/page.tsx'
import { useStore } from '../../ui/store.ts'

export default function SignInPage(): JSX.Element {
  const known = useStore(session)
  const next = readNext(useRoute().query)
  // Opening this page means that the page whose session ended was left.
  useEffect(() => {
    if (known.state === 'over') clearSession()
  }, [])
  return (
    <Page title={words.frame.signIn}>
      {known.state === 'signed_in' ? (
        <p>
          {words.account.signedInAs(known.user.email)} <Link to={next}>{words.account.carryOn}</Link>
        </p>
      ) : (
        <>
          <SignInForm onDone={() => navigate(next, { isReplacing: true })} />
          <SignInHelp />
        </>
      )}
    </Page>
  )
}
