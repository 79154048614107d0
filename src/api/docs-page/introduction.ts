// Introduction of the docs page: signing in, the envelope, errors, and safe changes.
import { errors, fieldCodes } from '../../errors.ts'
import type { OpenApiDocument } from './document.ts'
import { type Html, html, prose } from './html.ts'
import { jsonBlock } from './schema.ts'

export interface Chapter {
  id: string
  title: string
  body: Html
}

export const introduction = (document: OpenApiDocument): Chapter[] => [
  { id: 'signing-in', title: 'Signing in', body: signingIn(document.servers?.[0]?.url ?? '') },
  { id: 'envelope', title: 'The envelope', body: envelope },
  { id: 'errors', title: 'When something is refused', body: refusals },
  { id: 'changes', title: 'Changing safely', body: changes },
]

const signingIn = (base: string): Html => html`<p>${prose(
  'Reading needs no account: private events then show their time and the title `Private Event`, and nothing else. Writing does. Send your email and password as HTTP Basic credentials, over HTTPS; wrong ones are refused, never taken for none.',
)}</p>
<p>In the examples <code>$DAYBOOK</code> is the address of this API, and curl asks for the password.</p>
<pre><code>${`export DAYBOOK=https://calendar.example.org${base}\ncurl -u you@example.org "$DAYBOOK/events?view=month"`}</code></pre>`

const envelope = html`<p>${prose(
  'Every JSON answer is an object with `data`, and with `meta` where there is something to say about it: the window and zone of a list, its pages, the version of an event. Pages are linked in the `Link` header too.',
)}</p>
${jsonBlock({
  data: [{ title: 'Town choir', start: '2026-07-14T19:30:00+01:00', end: '2026-07-14T21:00:00+01:00' }],
  meta: { timezone: 'Europe/London', pagination: { page: 1, per_page: 50, total: 1, total_pages: 1 } },
})}`

const refusals = html`<p>${prose(
  'A refusal has a status and one body. Go by `code`: codes are added, never reworded. `message` is for people. With `validation_failed`, `details.fields` names every field at fault at once, by JSON pointer or by the name of the parameter.',
)}</p>
${jsonBlock({
  error: {
    code: 'validation_failed',
    message: errors.validation_failed.message,
    details: { fields: [{ field: '/end', code: 'end_before_start', message: fieldCodes.end_before_start }] },
  },
})}
<p>All codes stand in <a href="#codes">the code table</a>.</p>`

const changes = html`<p>${prose(
  'An event carries a `version` and an `etag`. A change says which one it is based on, by `version` in the body or by `If-Match`; if it has changed since, the answer is `version_mismatch` with the current one. A `POST` with an `Idempotency-Key` may be repeated for 24 hours and creates one event.',
)}</p>`

export const codeTable: Html = html`<h3>Codes of a refusal</h3>
<table><thead><tr><th scope="col">Status</th><th scope="col">Code and meaning</th></tr></thead>
<tbody>${Object.entries(errors)
  .sort(([, a], [, b]) => a.status - b.status)
  .map(
    ([code, { status, message }]) =>
      html`<tr><td>${status}</td><th scope="row"><code>${code}</code><span>${message}</span></th></tr>`,
  )}</tbody></table>
<h3>Codes of a field</h3>
<p>Inside <code>validation_failed</code>, one for each field.</p>
<table><thead><tr><th scope="col">Code and meaning</th></tr></thead>
<tbody>${Object.entries(fieldCodes).map(
  ([code, message]) => html`<tr><th scope="row"><code>${code}</code><span>${message}</span></th></tr>`,
)}</tbody></table>`
