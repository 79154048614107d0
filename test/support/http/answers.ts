// Validates every response in tests against the OpenAPI document: a documented status, its schema, no other field.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { App } from '../../../src/app.ts'
import { type ErrorCode, errors } from '../../../src/errors.ts'
import type { ApiResponse } from './api-response.ts'

export type AnswerCheck = (method: string, url: string, answer: ApiResponse) => void

/** Responses of HTTP itself, which any address may give. */
const ANYWHERE = new Set([
  'route_not_found',
  'method_not_allowed',
  'invalid_encoding',
  'body_too_large',
  'invalid_header',
])

export function makeAnswerCheck(app: App): AnswerCheck {
  let validators: RouteValidator[] | undefined
  return (method, url, answer) => {
    checkError(answer)
    assert.match(String(answer.headers['x-request-id'] ?? ''), /^[0-9a-v]{26}$/, 'every answer has a request id')
    validators ??= validatorsOf(app)
    const path = url.split('?')[0]!.replace(/\/$/, '')
    const found = validators.find(
      (entry) => entry.pattern.test(path) && entry.method === (method === 'HEAD' ? 'get' : method.toLowerCase()),
    )
    if (!found || answer.status === 308) return
    const code = answer.body?.error?.code
    if (!ANYWHERE.has(code)) checkHeaders(`${method} ${url}`, answer, found.operation)
    if (answer.status === 304 || method === 'HEAD') return
    // Entries with chosen fields lack what the schema requires; their tests compare them whole.
    if (answer.status === 200 && /[?&]fields=/.test(url)) return
    const validate = found.validate.get(String(answer.status))
    if (!validate)
      assert.ok(ANYWHERE.has(code), `${method} ${url} answered ${answer.status} ${code ?? ''}, which is not documented`)
    const problem = ANYWHERE.has(code) ? undefined : validate?.(answer.body)
    assert.equal(
      problem,
      undefined,
      `${method} ${url} answered ${answer.status} against its schema: ${problem}\n${answer.text}`,
    )
  }
}

/** Headers that say something about one response; security and caching headers are the same everywhere. */
const TELLING = [
  ...['etag', 'location', 'link', 'idempotency-replayed', 'set-cookie', 'clear-site-data', 'content-disposition'],
  ...['www-authenticate', 'retry-after', 'ratelimit', 'ratelimit-policy', 'accept', 'accept-patch', 'accept-encoding'],
  ...['access-control-allow-origin', 'access-control-expose-headers', 'x-request-id'],
]

/** Each is documented for that status, and each that is documented as required is there. */
function checkHeaders(what: string, { status, headers }: ApiResponse, { responses, required }: CheckedOperation): void {
  const documented = Object.keys(responses[status]?.headers ?? {}).map((name) => name.toLowerCase())
  for (const name of TELLING)
    if (headers[name] !== undefined)
      assert.ok(documented.includes(name), `${what} answered ${status} with ${name}, which is not documented`)
  for (const [header, { $ref }] of Object.entries(responses[status]?.headers ?? {}))
    if (required.has($ref))
      assert.ok(headers[header.toLowerCase()] !== undefined, `${what} answered ${status} without ${header}`)
}

function checkError({ status, body, text }: ApiResponse): void {
  if (status < 400 || body === undefined) return
  const code = body.error?.code as ErrorCode
  assert.ok(code in errors, `an unknown error code: ${text}`)
  assert.equal(errors[code].status, status)
  assert.equal(body.error.message, errors[code].message)
}

interface DocumentedResponses {
  responses: Record<
    string,
    { headers?: Record<string, { $ref: string }>; content?: Record<string, { schema?: object }> }
  >
}

interface CheckedOperation extends DocumentedResponses {
  /** References to the headers that every response with them in its description has. */
  required: ReadonlySet<string>
}

interface RouteValidator {
  pattern: RegExp
  method: string
  operation: CheckedOperation
  validate: Map<string, (body: unknown) => string | undefined>
}

/** Cached by the set of addresses: their schemas are the same in every service. */
const compiled = new Map<string, RouteValidator[]>()

function validatorsOf(app: App): RouteValidator[] {
  const addresses = app.paths().join(' ')
  const validators = compiled.get(addresses) ?? compile(app.openApi() as DocumentedPaths, app.site.base)
  compiled.set(addresses, validators)
  return validators
}

function compile(document: DocumentedPaths, base: string): RouteValidator[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ ...document, $id: 'openapi' })
  const named = Object.entries(document.components.headers)
  const required = new Set(named.flatMap(([name, header]) => (header.required ? [`#/components/headers/${name}`] : [])))
  // A path with a parameter matches those beside it, which come first.
  const isFixed = ([path]: [string, unknown]): boolean => !path.includes('{')
  const paths = Object.entries(document.paths)
  const inOrder = [...paths.filter(isFixed), ...paths.filter((entry) => !isFixed(entry))]
  return inOrder.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      pattern: new RegExp(`^${base}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      method,
      operation: { ...operation, required },
      validate: new Map(
        Object.entries(operation.responses).map(([status, { content }]) => {
          const hasSchema = content?.['application/json']?.schema !== undefined
          const pointer = `openapi#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}/responses/${status}/content/application~1json/schema`
          return [status, (body: unknown) => (hasSchema ? problemOf(ajv, pointer, body) : undefined)] as const
        }),
      ),
    })),
  )
}

function problemOf(ajv: Ajv2020, pointer: string, body: unknown): string | undefined {
  const validate = ajv.getSchema(pointer)
  if (!validate) return `no schema at ${pointer}`
  return validate(body) ? undefined : ajv.errorsText(validate.errors)
}

interface DocumentedPaths {
  components: { headers: Record<string, { required?: boolean }> }
  paths: Record<string, Record<string, DocumentedResponses>>
}
