// Button that ends all sessions of the user, including this one.
import type { JSX } from 'preact'
import { dropDrafts } from '../../app/drafts.ts'
import { navigate } from '../../app/router.tsx'
import { call, clearSession } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { Form, useSubmission } from '../../ui/form.tsx'

export function SignOutEverywhere(): JSX.Element {
  const sending = useSubmission()
  const send = async () => {
    await call('endSessions')
    dropDrafts()
    await navigate('/sign-in')
    clearSession()
  }
  return (
    <section class="card">
      <h2>{words.account.out}</h2>
      <p>{words.account.outLead}</p>
      <Form sending={sending} onSend={send} button={words.account.out} isDanger />
    </section>
  )
}
