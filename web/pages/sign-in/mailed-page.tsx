// Page behind a mailed link: the token is used when the button is pressed, then the result shows.
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../../api/client.ts'
import { Link } from '../../app/router.tsx'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { Form, type FormSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useMailedToken } from './mailed-token.ts'

interface MailedPageProps {
  title: string
  /** Remounted for every token. */
  content: (props: { token: string | undefined }) => JSX.Element
}

export function MailedPage({ title, content: Content }: MailedPageProps): JSX.Element {
  const token = useMailedToken()
  return (
    <Page title={title}>
      <Content key={token} token={token} />
    </Page>
  )
}

interface MailedFormProps {
  token: string | undefined
  sending: FormSubmission
  /** Resolves to the success message. */
  onSend(token: string): Promise<string>
  button: string
  lead: string
  children?: ComponentChildren
}

export function MailedForm({ token, sending, onSend, button, lead, children }: MailedFormProps): JSX.Element {
  const [outcome, setOutcome] = useState<string>()
  const { error } = sending
  if (outcome)
    return (
      <>
        <Notice kind="good" takesFocus>
          {outcome}
        </Notice>
        <p>
          <Link to="/sign-in">{words.frame.signIn}</Link>
        </p>
      </>
    )
  const isSpent = error instanceof ApiError && error.code === 'token_invalid_or_expired'
  if (!token || isSpent)
    return (
      <>
        <Notice kind="bad" takesFocus>
          {token ? explain(error) : words.account.incompleteLink}
        </Notice>
        <p>
          <Link to="/forgot-password">{words.account.newLink}</Link>
        </p>
      </>
    )
  return (
    <>
      <p>{lead}</p>
      <Form sending={sending} onSend={async () => setOutcome(await onSend(token))} button={button}>
        {children}
      </Form>
    </>
  )
}
