// Headers in the OpenAPI document: those that requests may send and those that responses have.
import { API_EXPOSED_HEADERS, EXPOSED_HEADERS } from '../../http/guard/cors.ts'
import type { Described, SuccessHeader } from './route.ts'

interface DocumentedHeader {
  description: string
  /** True where each response that lists it has it. */
  required?: boolean
  schema: object
  example?: string
}

const text = { type: 'string' }
const seconds = { type: 'integer', minimum: 1 }

/** Response headers by name; the document refers to them. */
const HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in the log and in diagnostics.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-v]{26}$' },
  },
  ETag: {
    description: 'Names what was sent. For `If-None-Match`, and for readers of the whole event for `If-Match`.',
    required: true,
    schema: text,
    example: '"e-1-3f9a62c1"',
  },
  Location: { description: 'The path of what was created.', required: true, schema: text },
  Link: {
    description: 'Of a page: `first`, `prev`, `next` and `last` (RFC 8288), those that fit 3,500 bytes.',
    schema: text,
  },
  'Idempotency-Replayed': {
    description: '`true` where this is the answer of an earlier request with this key.',
    schema: { type: 'string', const: 'true' },
  },
  'Set-Cookie': { description: 'The session cookie, or its end.', schema: text },
  'Clear-Site-Data': { description: 'Removes what the pages stored in the browser.', schema: text },
  'Content-Disposition': { description: 'A name for the file.', required: true, schema: text },
  'X-Robots-Tag': { description: 'Search engines must not list the address.', schema: text },
  'WWW-Authenticate': {
    description: 'The way to authenticate.',
    required: true,
    schema: text,
    example: 'Bearer realm="calendar"',
  },
  'Retry-After': { description: 'Seconds to wait.', required: true, schema: seconds },
  RateLimit: {
    description:
      'What is left of limits by account: `r` requests in the next `t` seconds. With 429 of the limit that was reached, after `t` seconds.',
    schema: text,
    example: '"api-user";r=598;t=42',
  },
  'RateLimit-Policy': {
    description: 'The limits that the request counts against: `q` requests in `w` seconds. With 429 the one reached.',
    schema: text,
    example: '"public-ip";q=600;w=300',
  },
  Accept: { description: 'The types of body that are accepted.', required: true, schema: text },
  'Accept-Patch': { description: 'The same for PATCH (RFC 5789).', schema: text },
  'Accept-Encoding': { description: '`identity`, where the body was compressed.', schema: text },
  'Access-Control-Allow-Origin': {
    description: 'Pages of any origin may read the response.',
    required: true,
    schema: { type: 'string', const: '*' },
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers of the response that such a page may read besides those that it always may.',
    required: true,
    schema: text,
    example: EXPOSED_HEADERS,
  },
  /** Not the name of the header, which is the same as above. */
  AllowedOrigin: {
    description: 'Of a request by a page of an origin in `api_origins`: that origin, whose page may read the response.',
    schema: text,
    example: 'https://plugin.example.org',
  },
  ExposedHeaders: {
    description: 'With it, the headers of the response that such a page may read.',
    schema: text,
    example: API_EXPOSED_HEADERS,
  },
} as const satisfies Record<string, DocumentedHeader> & Record<SuccessHeader, DocumentedHeader>

type HeaderName = keyof typeof HEADERS

export const headerComponents = (): Record<string, object> => HEADERS

const headerReferences = (names: readonly HeaderName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const OF_STATUS: Record<number, readonly HeaderName[]> = {
  401: ['WWW-Authenticate'],
  415: ['Accept', 'Accept-Patch', 'Accept-Encoding'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

const LISTED_ORIGIN = {
  'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowedOrigin' },
  'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposedHeaders' },
}

/** The CORS headers of every response of an operation, as in http/guard/cors.ts. */
function corsHeadersOf({ path }: Described): Record<string, object> {
  if (path.startsWith('/public/'))
    return headerReferences(['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'])
  return path.startsWith('/feeds/') ? {} : LISTED_ORIGIN
}

/** Limits by account are those of requests with credentials. */
const limitHeadersOf = ({ access }: Described): readonly HeaderName[] =>
  access === undefined ? ['RateLimit-Policy'] : ['RateLimit', 'RateLimit-Policy']

export const responseHeaders = (route: Described, names: readonly HeaderName[]): Record<string, object> => ({
  ...headerReferences(['X-Request-Id', ...limitHeadersOf(route)]),
  ...corsHeadersOf(route),
  ...headerReferences(names),
})

export const errorHeaders = (route: Described, status: number): Record<string, object> =>
  responseHeaders(route, OF_STATUS[status] ?? [])

/** Whether a client that sends the ETag it has gets 304. */
export const isConditional = ({ method, docs }: Described): boolean =>
  method === 'get' && (docs.success.headers ?? []).includes('ETag') && !docs.success.isForIfMatchOnly

export function headerParameters(route: Described): object[] {
  const { takesPrecondition } = route.docs
  return [
    ...(takesPrecondition ? [ifMatch(takesPrecondition)] : []),
    ...(route.takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ...(isConditional(route) ? [IF_NONE_MATCH] : []),
  ]
}

const ifMatch = (kind: 'required' | 'optional'): object => ({
  name: 'If-Match',
  in: 'header',
  description:
    kind === 'required'
      ? 'Its `etag`. Either this or `version` in the body is required.'
      : 'Its `etag`, if the change must be based on it.',
  schema: text,
})

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the response that the client has.',
  schema: text,
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'For 24 hours a repeated request of the same account with this key gets the answer of the first, and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}
