// Pages for people who may write. Whoever was let in stays, also when the session ends: what they typed is on the page.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { Link } from '../../app/router.tsx'
import { canWrite, type Person, session } from '../../app/session.ts'
import { useStore } from '../../app/store.ts'
import * as words from '../../strings.ts'
import { Busy } from '../../ui/busy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

interface WritersOnlyProps {
  title: string
  children(writer: Person): JSX.Element
}

export function WritersOnly({ title, children }: WritersOnlyProps): JSX.Element {
  const known = useStore(session)
  const letIn = useRef<Person>()
  if (canWrite(known) && 'user' in known) letIn.current = known.user
  if (letIn.current) return children(letIn.current)
  if (known.state === 'unknown') return <Busy />
  return (
    <Page title={title}>
      <Notice kind="plain">{known.state === 'nobody' ? words.editor.signInFirst : words.editor.forWriters}</Notice>
      {known.state === 'nobody' && (
        <p>
          <Link to="/sign-in">{words.frame.signIn}</Link>
        </p>
      )}
    </Page>
  )
}
