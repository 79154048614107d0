// Describes JSON schemas in words: the type and limits of a field, and lists of fields.
import { type DocumentedSchema, nameOfRef } from './document.ts'
import { type Html, html, joined, prose } from './html.ts'

export interface Field {
  name: string
  schema: DocumentedSchema
  isRequired: boolean
  description?: string | undefined
}

export const fieldsOf = ({ properties = {}, required = [] }: DocumentedSchema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }))

/** Required fields first. Fields without a type that share a description are listed together. */
export function fieldList(fields: readonly Field[]): Html {
  const typed = fields.filter(({ schema }) => hasType(schema))
  const sorted = [...typed.filter(({ isRequired }) => isRequired), ...typed.filter(({ isRequired }) => !isRequired)]
  const untyped = Map.groupBy(
    fields.filter(({ schema }) => !hasType(schema)),
    ({ schema }) => schema.description ?? '',
  )
  return html`<dl class="fields">${sorted.map(fieldEntry)}${[...untyped].map(
    ([description, group]) =>
      html`<div><dt>${joined(
        group.map(({ name }) => html`<code>${name}</code>`),
        ', ',
      )}</dt><dd>${prose(description)}</dd></div>`,
  )}</dl>`
}

function fieldEntry({ name, schema, isRequired, description = schema.description }: Field): Html {
  const limits = limitsOf(schema)
  const nested = nestedFields(schema)
  return html`<div><dt><code>${name}</code> <span class="type">${typeText(schema)}</span>${
    isRequired ? html` <span class="required">required</span>` : undefined
  }</dt><dd>${description ? html`<p>${prose(description)}</p>` : undefined}${
    limits ? html`<p class="limits">${limits}</p>` : undefined
  }${exampleOf(schema)}${nested.length > 0 ? fieldList(nested) : undefined}</dd></div>`
}

const hasType = ({ type, $ref, anyOf, oneOf, const: value, enum: values }: DocumentedSchema): boolean =>
  Boolean(type ?? $ref ?? anyOf ?? oneOf ?? values) || value !== undefined

const exampleOf = ({ examples = [] }: DocumentedSchema): Html | undefined =>
  examples[0] === undefined
    ? undefined
    : html`<p class="limits">For example <code>${formatValue(examples[0])}</code></p>`

const nestedFields = (schema: DocumentedSchema): Field[] => fieldsOf(schema.properties ? schema : (schema.items ?? {}))

/** `string or null`, `array of Event`, with links where a schema has a name. */
export function typeText(schema: DocumentedSchema): Html {
  if (schema.$ref) return html`<a href="#schema-${nameOfRef(schema.$ref)}">${nameOfRef(schema.$ref)}</a>`
  const kinds = schema.anyOf ?? schema.oneOf
  if (kinds) return joined(kinds.map(typeText), ' or ')
  if (schema.const !== undefined) return html`always <code>${formatValue(schema.const)}</code>`
  if (schema.enum) {
    return joined(
      schema.enum.map((value) => html`<code>${formatValue(value)}</code>`),
      schema.enum.length > 3 ? ', ' : ' or ',
    )
  }
  const types = [schema.type ?? 'any'].flat()
  return joined(
    types.map((type) => (type === 'array' && schema.items ? html`array of ${typeText(schema.items)}` : html`${type}`)),
    ' or ',
  )
}

function limitsOf({ format, minLength, maxLength, minimum, maximum, maxItems }: DocumentedSchema): string {
  const longest = maxLength?.toLocaleString('en-GB')
  const limits = [
    format,
    minLength && maxLength ? `${minLength} to ${longest} characters` : longest && `at most ${longest} characters`,
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined && `at least ${minimum}`,
    maxItems && `at most ${maxItems} entries`,
  ]
  const text = limits.filter(Boolean).join(', ')
  return text && `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

export const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export const jsonBlock = (value: unknown): Html => html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`
