// Shows a page to writers only; unsaved work stays on screen when the session ends.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { withNext } from '../../app/post-login-redirect.ts'
import { hasUnsaved, Link, useRoute } from '../../app/router.tsx'
import { canWrite, type SessionUser, session } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useStore } from '../../ui/store.ts'

interface WritersOnlyProps {
  title: string
  children(writer: SessionUser): JSX.Element
}

export function WritersOnly({ title, children }: WritersOnlyProps): JSX.Element {
  const known = useStore(session)
  const place = useRoute()
  const lastWriter = useRef<SessionUser>()
  if (canWrite(known) && 'user' in known) lastWriter.current = known.user
  // After sign-out or a dismissed sign-in dialog the event may be private: hide it unless there is unsaved work.
  const isHidden = known.state === 'over' && !known.isAsked && !hasUnsaved()
  if (lastWriter.current && !isHidden) return children(lastWriter.current)
  if (known.state === 'unknown') return <Spinner />
  const isSignedOut = isHidden || known.state === 'signed_out'
  return (
    <Page title={title}>
      <Notice kind="plain">{isSignedOut ? words.editor.signInFirst : words.editor.forWriters}</Notice>
      {isSignedOut && (
        <p>
          <Link to={withNext('/sign-in', place)}>{words.frame.signIn}</Link>
        </p>
      )}
    </Page>
  )
}
