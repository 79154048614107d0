// One operation on the docs page: parameters, body, responses and a curl example.
import { formatCurl, isOpen } from './curl.ts'
import {
  type DocumentedSchema,
  type ListedOperation,
  nameOfRef,
  type OpenApiDocument,
  type Parameter,
  type Response,
  resolve,
} from './document.ts'
import { type Html, html, prose } from './html.ts'
import { fieldList, fieldsOf, jsonBlock, typeText } from './schema.ts'

export function operationSection(listed: ListedOperation, document: OpenApiDocument): Html {
  const { method, path, operation } = listed
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${summary}</h3>
<p class="line">${methodBadge(method)} <code class="path">${breakable(path)}</code></p>
<p class="notes"><span>${accessNote(operation.security)}</span> <span>Operation <code>${operationId}</code></span></p>
${description ? html`<p>${prose(description)}</p>` : undefined}
${parameters.length > 0 ? parameterLists(parameters) : undefined}
${Object.values(requestBody?.content ?? {})
  .slice(0, 1)
  .map(({ schema }) => schema && bodySection(schema, document))}
<h4>Answers</h4>
<div class="answers">${Object.entries(responses).map(([status, response]) => answer(status, response))}</div>
<h4>Try it</h4>
<pre><code>${formatCurl(listed, document)}</code></pre>
</article>`
}

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase().replace(/[^a-z]/g, '')}">${method}</span>`

/** A long path may break after a slash and nowhere else. */
const breakable = (path: string): Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)

function accessNote(security: Record<string, unknown>[] | undefined): string {
  if (!isOpen(security)) return 'Needs an account.'
  return security?.length ? 'Open to anyone; an account sees more.' : 'Open to anyone.'
}

const PLACES = { path: 'In the path', query: 'In the query', header: 'Headers' }

const parameterLists = (parameters: readonly Parameter[]): Html[] =>
  Object.entries(PLACES).flatMap(([place, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description, example }) => ({
        name,
        schema: { ...schema, ...(example === undefined ? {} : { examples: [example] }) },
        isRequired: required === true,
        description,
      }))
    return fields.length > 0 ? [html`<h4>${title}</h4>${fieldList(fields)}`] : []
  })

function bodySection(schema: DocumentedSchema, document: OpenApiDocument): Html {
  const body = resolve(schema, document)
  return html`<h4>Body</h4>
<p>${body.description ? prose(body.description) : undefined} ${
    schema.$ref ? html`Schema <a href="#schema-${nameOfRef(schema.$ref)}">${nameOfRef(schema.$ref)}</a>.` : undefined
  }</p>
${fieldList(fieldsOf(body))}`
}

function answer(status: string, { description, content = {} }: Response): Html {
  const [type, media] = Object.entries(content)[0] ?? []
  const examples = Object.entries(media?.examples ?? {})
  const kind = html`<span class="status s${status.replace(/\D/g, '').slice(0, 1)}">${status}</span>`
  if (examples.length > 0) {
    return html`<details><summary>${kind} <span>${examples.map(([code]) => html`<code>${code}</code> `)}</span></summary>
${examples.map(([, { value }]) => jsonBlock(value))}</details>`
  }
  const data = media?.schema?.properties?.data
  return html`<p class="success">${kind} <span>${prose(description)}${
    data ? html` <span class="type"><code>data</code>: ${typeText(data)}</span>` : undefined
  }${type && !data ? html` <span class="type">${type}</span>` : undefined}</span></p>`
}
