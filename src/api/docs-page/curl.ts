// Writes a curl command for an operation from the examples in the OpenAPI document.
import {
  type DocumentedSchema,
  type ListedOperation,
  type Media,
  type OpenApiDocument,
  type Parameter,
  resolve,
} from './document.ts'
import { formatValue } from './schema.ts'

/** `$DAYBOOK` is the base URL of the API, as the introduction says. */
export function formatCurl({ method, path, operation }: ListedOperation, document: OpenApiDocument): string {
  const parameters = operation.parameters ?? []
  const takes = operation.requestBody?.content ?? {}
  const body = bodyExample(takes['application/json'], document)
  const needsAccount = (operation.security ?? []).length > 0 && !isOpen(operation.security)
  const query = queryOf(parameters)
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$DAYBOOK${filledPath(path, parameters)}${query}"`,
    ...(needsAccount ? ['-u you@example.org'] : []),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${inQuotes(JSON.stringify(body, null, 2))}'`]),
    ...(takes['text/calendar'] ? ["-H 'content-type: text/calendar'", '--data-binary @calendar.ics'] : []),
  ]
  return lines.join(' \\\n  ')
}

/** A single quote closes the shell's quoting, is escaped, and reopens it. */
const inQuotes = (text: string): string => text.replaceAll("'", String.raw`'\''`).replaceAll('\n', '\n  ')

/** True if no sign-in is required. */
export const isOpen = (security: Record<string, unknown>[] = []): boolean =>
  security.length === 0 || security.some((way) => Object.keys(way).length === 0)

const filledPath = (path: string, parameters: readonly Parameter[]): string =>
  path.replace(/\{(\w+)\}/g, (whole, name) => {
    const example = parameters.find((parameter) => parameter.name === name)?.example
    return example === undefined ? whole : encodeURIComponent(formatValue(example))
  })

function queryOf(parameters: readonly Parameter[]): string {
  const query = new URLSearchParams()
  for (const { name, in: place, schema } of parameters) {
    const example = schema?.examples?.[0]
    if (place === 'query' && example !== undefined) query.set(name, formatValue(example))
  }
  return query.size > 0 ? `?${query}` : ''
}

/** The schema's own example, or one built from its required fields. */
export function bodyExample(media: Media | undefined, document: OpenApiDocument): unknown {
  if (!media?.schema) return undefined
  const { examples = [], properties = {}, required = [] } = resolve(media.schema, document)
  if (examples[0] !== undefined) return examples[0]
  return Object.fromEntries(required.map((name) => [name, valueExample(name, properties[name] ?? {})]))
}

const KNOWN: Record<string, string> = {
  email: 'you@example.org',
  password: 'twelve characters or more',
  code: 'aaaa-bbbb-cccc-dddd-eeee-ffff',
}

function valueExample(name: string, { examples, enum: values, type }: DocumentedSchema): unknown {
  const known = examples?.[0] ?? values?.[0] ?? KNOWN[name]
  if (known !== undefined) return known
  const blanks: Record<string, unknown> = { integer: 1, number: 1, boolean: true, array: [], object: {} }
  return blanks[[type].flat()[0] ?? ''] ?? '…'
}
