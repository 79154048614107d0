// Layout of the account pages: sign-in check, title and navigation.
import type { JSX } from 'preact'
import { Link, useRoute } from '../../app/router.tsx'
import type { SessionUser } from '../../app/session.ts'
import { SignedIn } from '../../app/signed-in.tsx'
import * as words from '../../strings.ts'
import { Page } from '../../ui/page.tsx'
import './account.css'

const PARTS = [
  ['/account', words.account.overview],
  ['/account/app-passwords', words.account.devicesTitle],
  ['/account/feeds', words.account.feedsTitle],
  ['/account/tokens', words.account.tokensTitle],
  ['/account/sessions', words.account.sessions],
] as const

interface AccountFrameProps {
  title: string
  children(user: SessionUser): JSX.Element
}

export const AccountFrame = ({ title, children }: AccountFrameProps): JSX.Element => (
  <SignedIn>
    {(user) => (
      <Page title={title}>
        <Parts />
        {children(user)}
      </Page>
    )}
  </SignedIn>
)

function Parts(): JSX.Element {
  const { path } = useRoute()
  return (
    <nav class="parts" aria-label={words.account.parts}>
      {PARTS.map(([to, text]) => (
        <Link key={to} to={to} aria-current={path === to ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
