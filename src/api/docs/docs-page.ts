// Docs page: renders the OpenAPI document as one HTML page without scripts or external resources.
import { type DocumentedSchema, groupOperations, listOperations, type OpenApiDocument } from '../docs-page/document.ts'
import { type Html, html, prose, verbatim } from '../docs-page/html.ts'
import { type Chapter, codeTable, introduction } from '../docs-page/introduction.ts'
import { methodBadge, operationSection } from '../docs-page/operation.ts'
import { fieldList, fieldsOf, jsonBlock } from '../docs-page/schema.ts'
import { style } from '../docs-page/style.ts'

/** `script` and `style` are the exact texts inside the page, for the CSP that allows only them. */
export function docsPage(document: object): { html: string; script: string; style: string } {
  const { markup } = page(document as OpenApiDocument)
  return { html: markup, script: '', style }
}

function page(document: OpenApiDocument): Html {
  const { title, version, description } = document.info
  const chapters = introduction(document)
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>${title}</h1>
<p class="lead">${description ? prose(description) : undefined}</p>
<p class="notes"><span>Version ${version}</span> <span><a href="${document.servers?.[0]?.url ?? '.'}/openapi.json">openapi.json</a>, for programs</span></p>
</header>
<div class="columns">
${contents(chapters, document)}
<main id="content" tabindex="-1">
${chapters.map(({ id, title, body }) => html`<section id="${id}"><h2>${title}</h2>${body}</section>`)}
<section id="operations"><h2>Operations</h2>
${groupOperations(listOperations(document)).map(([, group]) => group.map((listed) => operationSection(listed, document)))}
</section>
<section id="schemas"><h2>Schemas</h2>
${Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => schemaSection(name, schema))}
</section>
<section id="codes"><h2>Code table</h2>${codeTable}</section>
</main>
</div>
</body>
</html>
`
}

function contents(chapters: readonly Chapter[], document: OpenApiDocument): Html {
  const groups = groupOperations(listOperations(document))
  return html`<nav aria-label="Contents">
<h2>Contents</h2>
<ul>${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${groups.map(
  ([title, group]) => html`<h3>${title}</h3>
<ul>${group.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}">${methodBadge(method)} <span>${operation.operationId}</span></a></li>`,
  )}</ul>`,
)}
<h3>Reference</h3>
<ul><li><a href="#schemas">Schemas</a></li><li><a href="#codes">Code table</a></li></ul>
</nav>`
}

const schemaSection = (name: string, schema: DocumentedSchema): Html => html`<article id="schema-${name}">
<h3>${name}</h3>
${schema.description ? html`<p>${prose(schema.description)}</p>` : undefined}
${fieldList(fieldsOf(schema))}
${schema.examples?.[0] === undefined ? undefined : html`<h4>Example</h4>${jsonBlock(schema.examples[0])}`}
</article>`
