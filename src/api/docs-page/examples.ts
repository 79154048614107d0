// Writes examples of an operation in curl, JavaScript and Python, from those of its schemas.
import {
  type DocumentedSchema,
  type ListedOperation,
  type Media,
  type OpenApiDocument,
  type Parameter,
  resolve,
} from './document.ts'
import type { Manual } from './manual.ts'
import { formatValue } from './schema.ts'

interface ExampleRequest {
  method: string
  address: string
  /** A token where one is accepted. */
  credentials: 'none' | 'token' | 'password'
  body: unknown
  sendsCalendar: boolean
  readsJson: boolean
}

/** By the name of the language. All use the public address of this server. */
export function writeExamples(listed: ListedOperation, manual: Manual): Record<string, string> {
  const request = exampleOf(listed, manual)
  return { curl: formatCurl(request), JavaScript: formatJavaScript(request), Python: formatPython(request) }
}

function exampleOf({ method, path, operation }: ListedOperation, { document, place }: Manual): ExampleRequest {
  const { parameters = [], security, requestBody, responses } = operation
  const takes = requestBody?.content ?? {}
  const acceptsToken = security?.some((way) => 'token' in way)
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  return {
    method,
    address: `${place.origin}${place.base}${filledPath(path, parameters)}${queryOf(parameters)}`,
    credentials: isOpen(security) ? 'none' : acceptsToken ? 'token' : 'password',
    body: bodyExample(takes['application/json'], document),
    sendsCalendar: 'text/calendar' in takes,
    readsJson: 'application/json' in (answer?.content ?? {}),
  }
}

export function formatCurl({ method, address, credentials, body, sendsCalendar }: ExampleRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${inQuotes(address)}'`,
    ...(credentials === 'none' ? [] : ['-u you@example.org']),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${inQuotes(JSON.stringify(body, null, 2))}'`]),
    ...(sendsCalendar ? ["-H 'content-type: text/calendar'", '--data-binary @calendar.ics'] : []),
  ]
  return lines.join(' \\\n  ')
}

/** A single quote closes the shell's quoting, is escaped, and reopens it. */
const inQuotes = (text: string): string => text.replaceAll("'", String.raw`'\''`).replaceAll('\n', '\n  ')

const CREDENTIALS = {
  none: [],
  token: ["Authorization: 'Bearer calpat_YOUR_TOKEN'"],
  password: ["Authorization: 'Basic ' + btoa('you@example.org:app-password')"],
}

function formatJavaScript({ method, address, credentials, body, sendsCalendar, readsJson }: ExampleRequest): string {
  const headers = [
    ...CREDENTIALS[credentials],
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
    ...(sendsCalendar ? ["'Content-Type': 'text/calendar'"] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)},`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
    ...(sendsCalendar ? ['body: file,'] : []),
  ]
  const rest = options.length > 0 ? `, {\n${options.map((line) => `  ${line}\n`).join('')}}` : ''
  const reading = readsJson ? 'const { data } = await response.json()' : 'const text = await response.text()'
  return `const response = await fetch(${literal(address)}${rest})\nif (!response.ok) throw new Error(await response.text())\n${reading}`
}

function formatPython({ method, address, credentials, body, sendsCalendar, readsJson }: ExampleRequest): string {
  const options = [
    ...(credentials === 'token' ? ["headers={'Authorization': 'Bearer calpat_YOUR_TOKEN'}"] : []),
    ...(credentials === 'password' ? ["auth=('you@example.org', 'app-password')"] : []),
    ...(body === undefined ? [] : [`json=${pythonLiteral(body).replaceAll('\n', '\n    ')}`]),
    ...(sendsCalendar ? ["headers={'Content-Type': 'text/calendar'}", "data=open('calendar.ics', 'rb')"] : []),
  ]
  // One argument for the headers, where both credentials and a type are sent.
  const merged = options.filter((option) => option.startsWith('headers=')).length > 1
  const lines = merged
    ? ["headers={'Authorization': 'Bearer calpat_YOUR_TOKEN', 'Content-Type': 'text/calendar'}", options.at(-1)!]
    : options
  const call = [literal(address), ...lines].map((line) => `    ${line},\n`).join('')
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n${call})\nresponse.raise_for_status()\nprint(${readsJson ? "response.json()['data']" : 'response.text'})`
}

/** A string literal of both languages. */
const literal = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`
}

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
function bodyExample(media: Media | undefined, document: OpenApiDocument): unknown {
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
