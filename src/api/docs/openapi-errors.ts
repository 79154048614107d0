// Errors in the OpenAPI document: the codes of each operation, by status, as an enum.
import { ErrorBody } from '../../contract/envelope.ts'
import { type ErrorCode, errors } from '../../errors.ts'
import { errorBody } from '../../http/responses/errors.ts'
import { errorHeaders } from './openapi-headers.ts'
import type { Described } from './route.ts'

/** Errors that any operation may answer with. */
const SHARED_ERRORS: ErrorCode[] = [
  'https_required',
  'rate_limited',
  'internal_error',
  'service_unavailable',
  'storage_unavailable',
]
const QUERY_ERRORS: ErrorCode[] = ['invalid_parameter', 'duplicate_parameter', 'validation_failed']
const BODY_ERRORS: ErrorCode[] = [
  'invalid_json',
  'invalid_body',
  'too_many_values',
  'invalid_encoding',
  'incomplete_body',
  'validation_failed',
  'body_too_large',
]
/** Without the errors that only a JSON body can have. */
const FILE_ERRORS = BODY_ERRORS.filter((code) => !['invalid_json', 'invalid_body', 'too_many_values'].includes(code))
/** Errors of requests whose credentials are invalid or not allowed here. */
const CREDENTIAL_ERRORS: ErrorCode[] = ['invalid_credentials', 'session_expired', 'origin_not_allowed']
const CSRF_ERRORS: ErrorCode[] = ['csrf_token_missing', 'csrf_token_invalid']
const IDEMPOTENCY_ERRORS: ErrorCode[] = [
  'invalid_header',
  'idempotency_key_reuse',
  'idempotency_in_progress',
  'idempotency_done',
]
const ACCESS_ERRORS: ErrorCode[] = [
  'authentication_required',
  'insufficient_capability',
  'token_scope_insufficient',
  'account_pending',
  'account_rejected',
  'account_suspended',
  'email_not_verified',
]

/** The codes that follow from what a route takes, so that no route has to list them. */
function errorsOf({ docs, access, method, schema, takes, checksOrigin, takesIdempotencyKey }: Described): ErrorCode[] {
  const isChange = method !== 'get'
  return [
    ...docs.errors,
    ...(schema.querystring ? QUERY_ERRORS : []),
    ...(schema.body ? (takes ? FILE_ERRORS : BODY_ERRORS) : []),
    ...(isChange ? (['unsupported_media_type'] as const) : []),
    ...(access === undefined ? [] : (['unknown_parameter', ...CREDENTIAL_ERRORS] as const)),
    ...(access === undefined || access === 'anyone' ? [] : ACCESS_ERRORS),
    ...(access === 'administer' ? (['admin_required'] as const) : []),
    ...(access !== undefined && isChange ? CSRF_ERRORS : []),
    ...(checksOrigin ? (['origin_not_allowed'] as const) : []),
    ...(docs.takesPrecondition ? (['invalid_header', 'version_mismatch'] as const) : []),
    ...(docs.takesPrecondition === 'required' ? (['precondition_required'] as const) : []),
    ...(takesIdempotencyKey ? IDEMPOTENCY_ERRORS : []),
    ...SHARED_ERRORS,
  ]
}

/** `reference` replaces named schemas by a `$ref` and records them. */
export function errorResponses(route: Described, reference: (schema: unknown) => unknown): Record<string, object> {
  const byStatus = Map.groupBy(new Set(errorsOf(route)), (code) => errors[code].status)
  const response = (status: number, group: readonly ErrorCode[]): object => ({
    description: group.map((code) => `\`${code}\`: ${errors[code].message}`).join(' '),
    headers: errorHeaders(route, status),
    content: {
      'application/json': {
        schema: { allOf: [reference(ErrorBody), oneOfCodes(group)] },
        examples: Object.fromEntries(group.map((code) => [code, { value: errorBody(code) }])),
      },
    },
  })
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(sorted.map(([status, group]) => [String(status), response(status, group)]))
}

const oneOfCodes = (codes: readonly ErrorCode[]): object => ({
  type: 'object',
  properties: { error: { type: 'object', properties: { code: { type: 'string', enum: [...codes].sort() } } } },
})
