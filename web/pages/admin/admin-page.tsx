// Layout of every administration page: access check and navigation.
import type { ComponentChildren, JSX } from 'preact'
import { ExitLinks } from '../../app/exit-links.tsx'
import { WaitingCount } from '../../app/pending-badge.tsx'
import { Link, useRoute } from '../../app/router.tsx'
import { isAdmin, session } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useStore } from '../../ui/store.ts'
import './admin.css'

const text = words.admin

interface AdminPageProps {
  title: string
  /** Rendered only for administrators, and removed when they sign out. */
  content: () => JSX.Element
}

export function AdminPage({ title, content: Content }: AdminPageProps): JSX.Element {
  const known = useStore(session)
  if (known.state === 'unknown') return <Spinner />
  if (!isAdmin(known)) return <Forbidden isSignedIn={'user' in known} />
  return (
    <Page title={title} width="wide">
      <AdminNav />
      {known.state === 'over' && (
        <Notice kind="bad">
          {words.errors.session_expired} <Link to="/sign-in">{words.frame.signIn}</Link>
        </Notice>
      )}
      {(known.state !== 'over' || known.isAsked) && (
        <div class="admin">
          <Content />
        </div>
      )}
    </Page>
  )
}

const Forbidden = ({ isSignedIn }: { isSignedIn: boolean }): JSX.Element => (
  <Page title={text.forbiddenTitle}>
    <p>{isSignedIn ? text.forbidden : text.forbiddenSignedOut}</p>
    <ExitLinks />
  </Page>
)

function AdminNav(): JSX.Element {
  const { path } = useRoute()
  const navLink = (to: string, name: string, extra?: ComponentChildren) => (
    <Link to={to} aria-current={path === to ? 'page' : undefined}>
      {name}
      {extra}
    </Link>
  )
  return (
    <nav class="parts" aria-label={words.frame.admin}>
      {navLink('/admin', text.requests, <WaitingCount />)}
      {navLink('/admin/people', text.people)}
      {navLink('/admin/categories', text.categories)}
      {navLink('/admin/transfer', text.transfer)}
      {site.keeps_trash && site.keeps_history && navLink('/admin/rewind', text.rewind)}
      {navLink('/admin/health', text.health)}
      {navLink('/admin/diagnostics', text.diagnostics)}
      {navLink('/admin/audit', text.audit)}
      {navLink('/admin/settings', text.settings)}
    </nav>
  )
}
