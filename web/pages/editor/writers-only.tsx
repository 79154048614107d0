// Shows a page to writers only; unsaved work stays on screen when the session ends.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { withNext } from '../../app/post-login-redirect.ts'
import { hasUnsaved, Link, usePlace } from '../../app/router.tsx'
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
  const place = usePlace()
  const letIn = useRef<SessionUser>()
  if (canWrite(known) && 'user' in known) letIn.current = known.user
  // After sign-out or a dismissed sign-in dialog the event may be private: hide it unless there is unsaved work.
  const isLeft = known.state === 'over' && !known.isAsked && !hasUnsaved()
  if (letIn.current && !isLeft) return children(letIn.current)
  if (known.state === 'unknown') return <Spinner />
  const isOut = isLeft || known.state === 'nobody'
  return (
    <Page title={title}>
      <Notice kind="plain">{isOut ? words.editor.signInFirst : words.editor.forWriters}</Notice>
      {isOut && (
        <p>
          <Link to={withNext('/sign-in', place)}>{words.frame.signIn}</Link>
        </p>
      )}
    </Page>
  )
}
