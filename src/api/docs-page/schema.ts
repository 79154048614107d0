// Describes JSON schemas in words: the type and limits of a field, and lists of fields.
import { operation as words } from '../../words/manual.ts'
import { type DocumentedSchema, nameOfRef } from './document.ts'
import { type Html, html, joined, prose } from './html.ts'
import { type Manual, schemaPath } from './manual.ts'

export interface Field {
  name: string
  schema: DocumentedSchema
  isRequired: boolean
  description?: string | undefined
}

export const fieldsOf = ({ properties = {}, required = [] }: DocumentedSchema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }))

/** Fields are named for links after their owner: `Event.title`. Without an owner they have no names. */
export interface FieldContext {
  manual: Manual
  owner: string | undefined
}

/** Required fields first. Fields without a type that share a description are listed together. */
export function fieldList(fields: readonly Field[], context: FieldContext): Html {
  const typed = fields.filter(({ schema }) => hasType(schema))
  const sorted = [...typed.filter(({ isRequired }) => isRequired), ...typed.filter(({ isRequired }) => !isRequired)]
  const untyped = Map.groupBy(
    fields.filter(({ schema }) => !hasType(schema)),
    ({ schema }) => schema.description ?? '',
  )
  return html`<dl class="fields">${sorted.map((field) => fieldEntry(field, context))}${[...untyped].map(
    ([description, group]) =>
      html`<div><dt>${joined(
        group.map(({ name }) => html`<code${anchorOf(name, context)}>${name}</code>`),
        ', ',
      )}</dt><dd>${prose(description)}</dd></div>`,
  )}</dl>`
}

function fieldEntry(
  { name, schema, isRequired, description = schema.description }: Field,
  context: FieldContext,
): Html {
  const { manual, owner } = context
  const limits = limitsOf(schema)
  const example = exampleOf(schema)
  const nested = nestedFields(schema)
  const inner = { manual, owner: owner && `${owner}.${name}` }
  return html`<div${anchorOf(name, context)}><dt><code>${name}</code> <span class="type">${typeText(schema, manual)}</span>${
    isRequired ? html` <span class="required">${words.required}</span>` : undefined
  }</dt><dd>${description ? html`<p>${prose(description)}</p>` : undefined}${
    limits || example
      ? html`<p class="limits">${limits}${limits && example ? ' ' : undefined}${example}</p>`
      : undefined
  }${nested.length > 0 ? fieldList(nested, inner) : undefined}</dd></div>`
}

const anchorOf = (name: string, { owner }: FieldContext): Html | undefined =>
  owner === undefined ? undefined : html` id="${owner}.${name}"`

const hasType = ({ type, $ref, anyOf, oneOf, const: value, enum: values }: DocumentedSchema): boolean =>
  Boolean(type ?? $ref ?? anyOf ?? oneOf ?? values) || value !== undefined

const exampleOf = ({ examples = [] }: DocumentedSchema): Html | undefined =>
  examples[0] === undefined ? undefined : html`${words.forExample} <code>${formatValue(examples[0])}</code>`

export const nestedFields = (schema: DocumentedSchema): Field[] =>
  fieldsOf(schema.properties ? schema : (schema.items ?? {}))

/** `string or null`, `array of Event`, with links where a schema has a name. */
export function typeText(schema: DocumentedSchema, manual: Manual): Html {
  if (schema.$ref) {
    const name = nameOfRef(schema.$ref)
    return html`<a href="${schemaPath(manual, name)}">${name}</a>`
  }
  const kinds = schema.anyOf ?? schema.oneOf
  const or = ` ${words.or} `
  if (kinds)
    return joined(
      kinds.map((kind) => typeText(kind, manual)),
      or,
    )
  if (schema.const !== undefined) return html`${words.always} <code>${formatValue(schema.const)}</code>`
  if (schema.enum) {
    return joined(
      schema.enum.map((value) => html`<code>${formatValue(value)}</code>`),
      schema.enum.length > 3 ? ', ' : or,
    )
  }
  const types = [schema.type ?? 'any'].flat()
  return joined(
    types.map((type) =>
      type === 'array' && schema.items ? html`${words.arrayOf} ${typeText(schema.items, manual)}` : html`${type}`,
    ),
    or,
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

/** Text to read and to copy; the script adds the button. */
export const codeBlock = (text: string, title: string): Html =>
  html`<div class="code" data-title="${title}"><pre><code>${text}</code></pre></div>`

export const jsonBlock = (value: unknown, title: string): Html => codeBlock(JSON.stringify(value, null, 2), title)
