// A page of the API manual with the operations of one group, and the schemas that they use first.
import { frame, operation as words } from '../../words/manual.ts'
import { type Html, html, prose } from './html.ts'
import type { Manual, ManualGroup } from './manual.ts'
import { methodBadge, operationSection } from './operation.ts'
import type { ManualPage } from './page.ts'
import { fieldList, fieldsOf, jsonBlock } from './schema.ts'

export function groupPage(manual: Manual, { slug, title, description, operations, schemas }: ManualGroup): ManualPage {
  const body = html`<nav class="contents" aria-label="${frame.onThisPage}">
<ul>${operations.map(
    ({ method, operation: { operationId, summary } }) =>
      html`<li><a href="#${operationId}">${methodBadge(method)} <span>${summary}</span></a></li>`,
  )}</ul>
${schemas.length > 0 ? html`<p>${words.schemas}: ${schemas.map((name) => html`<a href="#schema-${name}">${name}</a> `)}</p>` : undefined}
</nav>
${operations.map((listed) => operationSection(listed, manual))}
${schemas.map((name) => schemaSection(name, manual))}`
  return { slug, title, lead: description, body }
}

export function schemaSection(name: string, manual: Manual): Html {
  const schema = manual.document.components?.schemas?.[name] ?? {}
  const [example] = schema.examples ?? []
  return html`<article id="schema-${name}" class="schema" aria-labelledby="schema-${name}-title">
<h2 id="schema-${name}-title"><span>${words.schema}</span> ${name}</h2>
${schema.description ? html`<p>${prose(schema.description)}</p>` : undefined}
${fieldList(fieldsOf(schema), { manual, owner: name })}
${example === undefined ? undefined : html`<h3>${words.example}</h3>${jsonBlock(example, name)}`}
</article>`
}
