// Layout around every page: site name, main navigation, router, toasts, sign-in dialog.
import type { JSX } from 'preact'
import { site } from '../site.ts'
import * as words from '../strings.ts'
import { explain } from '../ui/explain.ts'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useStore } from '../ui/store.ts'
import { Toasts, toast } from '../ui/toasts.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { findPage } from './pages.ts'
import { WaitingBadge } from './pending-badge.tsx'
import { withNext } from './post-login-redirect.ts'
import { Link, navigate, Router, useRoute } from './router.tsx'
import { canWrite, isAdmin, session, signOut } from './session.ts'
import { SignInAgain } from './sign-in-again.tsx'

export function Frame(): JSX.Element {
  return (
    <>
      <a class="skip" href="#main">
        {words.frame.skip}
      </a>
      <header class="site-head">
        <Link to="/" class="site-name">
          {site.name}
        </Link>
        <MainNav />
      </header>
      <main id="main" tabIndex={-1}>
        <Router find={findPage} loading={<Spinner />} missing={<Missing />} broken={<Broken />} />
      </main>
      <LanguageChoice />
      <Toasts />
      <SignInAgain />
    </>
  )
}

function MainNav(): JSX.Element {
  const known = useStore(session)
  const place = useRoute()
  const navLink = (to: string, text: string, extra?: JSX.Element) => {
    const path = to.split('?', 1)[0]
    // A parent of the current page, such as /admin for /admin/people, is marked too.
    const current = path === place.path ? 'page' : place.path.startsWith(`${path}/`) && 'true'
    return (
      <Link to={to} aria-current={current || undefined}>
        {text}
        {extra}
      </Link>
    )
  }
  if (!('user' in known))
    return (
      <nav aria-label={words.frame.ways}>
        {known.state === 'signed_out' && navLink(withNext('/sign-in', place), words.frame.signIn)}
      </nav>
    )
  return (
    <nav aria-label={words.frame.ways}>
      {canWrite(known) && navLink('/event/new', words.frame.newEvent)}
      {canWrite(known) && site.keeps_trash && navLink('/trash', words.frame.trash)}
      {isAdmin(known) && navLink('/admin', words.frame.admin, <WaitingBadge />)}
      {navLink('/account', words.frame.account)}
      <button type="button" class="plain" onClick={leave}>
        {words.frame.signOut}
      </button>
    </nav>
  )
}

/** Navigates first, so that unsaved work is asked about; signing out would drop it. */
async function leave(): Promise<void> {
  if (!(await navigate('/'))) return
  await signOut().catch((error) => toast(`${explain(error)} ${words.frame.stillSignedIn}`))
}

const Missing = (): JSX.Element => (
  <Page title={words.frame.missingTitle}>
    <p>{words.frame.missing}</p>
    <p>
      <Link to="/">{words.frame.toCalendar}</Link>
    </p>
  </Page>
)

const Broken = (): JSX.Element => (
  <Page title={words.frame.brokenTitle}>
    <Notice kind="bad">{words.frame.broken}</Notice>
    <button type="button" onClick={() => location.reload()}>
      {words.frame.tryAgain}
    </button>
  </Page>
)
