// The page of the API manual with every error code, its status and its meaning.
import { errors, fieldCodes } from '../../errors.ts'
import { frame, errorsPage as words } from '../../words/manual.ts'
import { schemaSection } from './group-page.ts'
import { html, prose } from './html.ts'
import { ERROR_SCHEMA, type Manual } from './manual.ts'
import type { ManualPage } from './page.ts'

export function errorsPage(manual: Manual): ManualPage {
  const body = html`<section id="codes"><h2>${words.refusals}</h2>
<table><thead><tr><th scope="col">${words.status}</th><th scope="col">${words.code}</th></tr></thead>
<tbody>${Object.entries(errors)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(
      ([code, { status, message }]) =>
        html`<tr id="code-${code}"><td>${status}</td><th scope="row"><code>${code}</code><span>${message}</span></th></tr>`,
    )}</tbody></table>
</section>
<section id="field-codes"><h2>${words.fields}</h2>
<p>${prose(words.fieldsText)}</p>
<table><thead><tr><th scope="col">${words.code}</th></tr></thead>
<tbody>${Object.entries(fieldCodes).map(
    ([code, message]) =>
      html`<tr id="field-${code}"><th scope="row"><code>${code}</code><span>${message}</span></th></tr>`,
  )}</tbody></table>
</section>
${ERROR_SCHEMA in (manual.document.components?.schemas ?? {}) ? schemaSection(ERROR_SCHEMA, manual) : undefined}`
  return { slug: 'errors', title: frame.errors, lead: words.text, body }
}
