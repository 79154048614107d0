// Form that sends a public read from the manual; hidden until the script is there to send it.
import { tryIt as words } from '../../words/manual.ts'
import type { DocumentedSchema, ListedOperation, Parameter } from './document.ts'
import { type Html, html } from './html.ts'
import type { Manual } from './manual.ts'
import { formatValue } from './schema.ts'

/** Only reads that are the same for everyone, and that end: the script sends no credentials. */
export function tryForm(listed: ListedOperation, { place }: Manual): Html | undefined {
  const { path, operation } = listed
  if (!canBeTried(listed)) return undefined
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header')
  const id = `try-${operation.operationId}`
  return html`<form class="try" data-address="${place.base}${path}" hidden>
<h3>${words.title}</h3>
<p>${words.text}</p>
<div class="inputs">${parameters.map((parameter) => field(id, parameter))}</div>
<p><button type="submit" aria-label="${words.label(operation.operationId)}">${words.send}</button> <span role="status"></span></p>
<div class="result"></div>
</form>`
}

const canBeTried = ({ method, path, operation }: ListedOperation): boolean =>
  method === 'GET' &&
  path.startsWith('/public/') &&
  !Object.values(operation.responses).some(({ content = {} }) => 'text/event-stream' in content)

function field(id: string, { name, in: place, required = false, schema = {} }: Parameter): Html {
  const inputId = `${id}-${name}`
  const must = required ? html` required` : undefined
  const values = valuesOf(schema)
  const control = values
    ? html`<select id="${inputId}" name="${name}" data-in="${place}"${must}><option value="">${words.notSet}</option>${values.map(
        (value) => html`<option>${value}</option>`,
      )}</select>`
    : html`<input id="${inputId}" name="${name}" data-in="${place}" type="${schema.type === 'integer' ? 'number' : 'text'}" autocomplete="off" spellcheck="false"${placeholder(schema)}${must}>`
  return html`<p><label for="${inputId}"><code>${name}</code></label>${control}</p>`
}

const valuesOf = ({ enum: values, type }: DocumentedSchema): string[] | undefined =>
  values?.map(formatValue) ?? (type === 'boolean' ? ['true', 'false'] : undefined)

const placeholder = ({ examples = [] }: DocumentedSchema): Html | undefined =>
  examples[0] === undefined ? undefined : html` placeholder="${formatValue(examples[0])}"`
