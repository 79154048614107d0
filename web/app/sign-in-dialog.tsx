// Dialog that asks for the password when the session ended, or says that another account is signed in.
import type { JSX } from 'preact'
import * as words from '../strings.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useStore } from '../ui/store.ts'
import { Link } from './router.tsx'
import { dismissSignIn, session } from './session.ts'
import { SignInForm } from './sign-in-form.tsx'

export function SignInDialog(): JSX.Element | null {
  const known = useStore(session)
  if (known.state !== 'over') return null
  const { user, other } = known
  if (!other)
    return (
      <Dialog title={words.account.againTitle} onClose={dismissSignIn}>
        <p>{words.account.again}</p>
        <SignInForm email={user.email} />
        <p class="quiet">
          <Link to="/sign-in" onClick={dismissSignIn}>
            {words.account.againOther}
          </Link>
        </p>
      </Dialog>
    )
  return (
    <Dialog title={words.account.otherTitle} onClose={dismissSignIn}>
      <p>{words.account.other(user.email, other.email)}</p>
      <div class="actions">
        <button type="button" class="main" onClick={() => location.reload()}>
          {words.account.otherReload(other.email)}
        </button>
        <button type="button" onClick={dismissSignIn}>
          {words.account.otherStay}
        </button>
      </div>
    </Dialog>
  )
}
