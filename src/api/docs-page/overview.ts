// First page of the API manual: introduction, and links to every operation and schema.
import { errors, fieldCodes } from '../../errors.ts'
import { frame, operation as operationWords, overview as words } from '../../words/manual.ts'
import { type Html, html, prose } from './html.ts'
import { type Manual, type ManualGroup, pagePath, schemaPath } from './manual.ts'
import { methodBadge } from './operation.ts'
import type { ManualPage } from './page.ts'
import { codeBlock, jsonBlock } from './schema.ts'

interface Chapter {
  id: string
  title: string
  body: Html
}

export function overviewPage(manual: Manual): ManualPage {
  const { info } = manual.document
  const names = Object.keys(manual.document.components?.schemas ?? {}).sort()
  const parts = chapters(manual)
  const body = html`<p class="notes"><span><a href="${manual.place.base}/openapi.json">${frame.openApi}</a>, ${frame.forPrograms}</span></p>
<nav class="contents" aria-label="${frame.onThisPage}">
<p>${frame.onThisPage}: ${[...parts, ...LISTS].map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</p>
</nav>
${parts.map(({ id, title, body }) => html`<section id="${id}"><h2>${title}</h2>${body}</section>`)}
<section id="operations"><h2>${words.operations}</h2>
${manual.groups.map((group) => groupSummary(manual, group))}
</section>
<section id="schemas"><h2>${words.schemas}</h2>
<p>${words.schemasText}</p>
<ul class="names">${names.map((name) => html`<li id="schema-${name}"><a class="moved" href="${schemaPath(manual, name)}">${name}</a></li>`)}</ul>
</section>`
  return { slug: '', title: info.title, lead: info.description ?? '', body }
}

const LISTS = [
  { id: 'operations', title: words.operations },
  { id: 'schemas', title: words.schemas },
]

/** The ids are those of the manual when it was one page: links to them still lead to the operation. */
const groupSummary = (
  manual: Manual,
  { slug, title, description, operations }: ManualGroup,
): Html => html`<h3><a href="${pagePath(manual, slug)}">${title}</a></h3>
<p>${prose(description)}</p>
<ul class="operations">${operations.map(
  ({ method, operation: { operationId, summary } }) =>
    html`<li id="${operationId}"><a class="moved" href="${pagePath(manual, slug)}#${operationId}">${methodBadge(method)} <span>${summary}</span></a></li>`,
)}</ul>`

const chapters = (manual: Manual): Chapter[] => [
  { id: 'signing-in', title: words.signingIn.title, body: signingIn(manual) },
  { id: 'envelope', title: words.envelope.title, body: envelope },
  { id: 'paging', title: words.paging.title, body: html`<p>${prose(words.paging.text)}</p>` },
  { id: 'errors', title: words.errors.title, body: refusals(manual) },
  { id: 'changes', title: words.changes.title, body: html`<p>${prose(words.changes.text)}</p>` },
  { id: 'limits', title: words.limits.title, body: html`<p>${prose(words.limits.text)}</p>` },
]

const signingIn = ({ place: { origin, base } }: Manual): Html => html`<p>${prose(words.signingIn.text)}</p>
<p>${words.signingIn.address}</p>
${codeBlock(`${origin}${base}`, words.signingIn.title)}
${codeBlock(`curl '${origin}${base}/public/sidebar-events'\ncurl -u you@example.org '${origin}${base}/events?view=month'`, operationWords.examples)}`

const envelope = html`<p>${prose(words.envelope.text)}</p>
${jsonBlock(
  {
    data: [{ title: 'Town choir', start: '2026-07-14T19:30:00+01:00', end: '2026-07-14T21:00:00+01:00' }],
    meta: { timezone: 'Europe/London', pagination: { page: 1, per_page: 50, total: 1, total_pages: 1 } },
  },
  words.envelope.title,
)}`

const refusals = (manual: Manual): Html => html`<p>${prose(words.errors.text)}</p>
${jsonBlock(
  {
    error: {
      code: 'validation_failed',
      message: errors.validation_failed.message,
      details: { fields: [{ field: '/end', code: 'end_before_start', message: fieldCodes.end_before_start }] },
    },
  },
  words.errors.title,
)}
<p id="codes"><a href="${pagePath(manual, 'errors')}">${words.errors.codes}</a></p>`
