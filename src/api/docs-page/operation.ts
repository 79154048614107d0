// One operation in the manual: parameters, body, responses, a form to try it, and examples.
import { operation as words } from '../../words/manual.ts'
import {
  type DocumentedSchema,
  type ListedOperation,
  nameOfRef,
  type Parameter,
  type Response,
  resolve,
} from './document.ts'
import { isOpen, writeExamples } from './examples.ts'
import { type Html, html, prose } from './html.ts'
import { codePath, type Manual, schemaPath } from './manual.ts'
import { codeBlock, fieldList, fieldsOf, typeText } from './schema.ts'
import { tryForm } from './try-form.ts'

export function operationSection(listed: ListedOperation, manual: Manual): Html {
  const { method, path, operation } = listed
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const [body] = Object.values(requestBody?.content ?? {})
  const byStatus = Object.entries(responses)
  const refused = byStatus.filter(([, response]) => codesOf(response).length > 0)
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
<h2 id="${operationId}-title">${summary}</h2>
<p class="line">${methodBadge(method)} <code class="path">${breakable(path)}</code></p>
<p class="notes"><span>${accessNote(operation.security)}</span> <span>${words.name} <code>${operationId}</code></span></p>
${description ? html`<p>${prose(description)}</p>` : undefined}
${parameterLists(operationId, parameters, manual)}
${body?.schema && bodySection(operationId, body.schema, manual)}
<h3>${words.responses}</h3>
<div class="answers">${byStatus
    .filter(([, response]) => codesOf(response).length === 0)
    .map(([status, response]) => success(status, response, manual))}
${refused.length > 0 ? errorList(refused, manual) : undefined}</div>
${tryForm(listed, manual)}
${examples(listed, manual)}
</article>`
}

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase().replace(/[^a-z]/g, '')}">${method}</span>`

/** A long path may break after a slash and nowhere else. */
const breakable = (path: string): Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)

function accessNote(security: Record<string, unknown>[] | undefined): string {
  if (!isOpen(security)) return words.needsAccount
  return security?.length ? words.openSeesMore : words.open
}

const parameterLists = (operationId: string, parameters: readonly Parameter[], manual: Manual): Html[] =>
  Object.entries(words.places).flatMap(([place, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description, example }) => ({
        name,
        schema: { ...schema, ...(example === undefined ? {} : { examples: [example] }) },
        isRequired: required === true,
        description,
      }))
    const owner = `${operationId}.${place}`
    return fields.length > 0 ? [html`<h3>${title}</h3>${fieldList(fields, { manual, owner })}`] : []
  })

/** The fields have names for links at the first operation that takes the schema. */
function bodySection(operationId: string, schema: DocumentedSchema, manual: Manual): Html {
  const body = resolve(schema, manual.document)
  const name = schema.$ref && nameOfRef(schema.$ref)
  const isOwner = name !== undefined && manual.bodyOwners.get(name) === operationId
  return html`<h3${isOwner ? html` id="schema-${name}"` : undefined}>${words.body}</h3>
<p>${body.description ? prose(body.description) : undefined} ${
    name ? html`${words.schema} <a href="${schemaPath(manual, name)}">${name}</a>.` : undefined
  }</p>
${fieldList(fieldsOf(body), { manual, owner: isOwner ? name : undefined })}`
}

/** Only errors have examples by code. */
const codesOf = ({ content = {} }: Response): string[] => Object.keys(Object.values(content)[0]?.examples ?? {})

const statusBadge = (status: string): Html =>
  html`<span class="status s${status.replace(/\D/g, '').slice(0, 1)}">${status}</span>`

function success(status: string, { description, content = {} }: Response, manual: Manual): Html {
  const [type, media] = Object.entries(content)[0] ?? []
  const data = media?.schema?.properties?.data
  return html`<p class="success">${statusBadge(status)} <span>${prose(description)}${
    data ? html` <span class="type"><code>data</code>: ${typeText(data, manual)}</span>` : undefined
  }${type && !data ? html` <span class="type">${type}</span>` : undefined}</span></p>`
}

const errorList = (refused: [string, Response][], manual: Manual): Html => html`<details>
<summary><span>${words.errors}: ${refused.map(([status]) => html`${statusBadge(status)} `)}</span></summary>
<dl class="codes">${refused.map(
  ([status, response]) =>
    html`<div><dt>${statusBadge(status)}</dt><dd>${codesOf(response).map(
      (code) => html`<a href="${codePath(manual, code)}"><code>${code}</code></a> `,
    )}</dd></div>`,
)}</dl>
</details>`

const examples = (listed: ListedOperation, manual: Manual): Html[] =>
  Object.entries(writeExamples(listed, manual)).map(([language, text], i) => {
    const block = codeBlock(text, `${listed.operation.operationId}, ${language}`)
    if (i === 0) return html`<h3>${words.examples}</h3>${block}`
    return html`<details class="language"><summary><span>${language}</span></summary>${block}</details>`
  })
