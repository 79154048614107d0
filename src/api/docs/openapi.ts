// Builds the OpenAPI 3.1 document from the registered routes and the schemas that validate them.
import type { FastifyInstance, RouteOptions } from 'fastify'
import { ErrorBody, enveloped } from '../../contract/envelope.ts'
import type { JsonSchema } from '../../contract/json-schema.ts'
import { type ErrorCode, errors } from '../../errors.ts'
import { errorBody } from '../../http/responses/errors.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from './route.ts'

/** Errors that any operation may answer with. */
const SHARED_ERRORS: ErrorCode[] = ['https_required', 'rate_limited', 'internal_error', 'storage_unavailable']
const QUERY_ERRORS: ErrorCode[] = ['invalid_parameter', 'duplicate_parameter', 'validation_failed']
const BODY_ERRORS: ErrorCode[] = [
  'invalid_json',
  'invalid_body',
  'too_many_values',
  'invalid_encoding',
  'validation_failed',
  'unsupported_media_type',
  'body_too_large',
]
/** Without the errors that only a JSON body can have. */
const FILE_ERRORS = BODY_ERRORS.filter((code) => !['invalid_json', 'invalid_body', 'too_many_values'].includes(code))
/** Errors of requests whose credentials are invalid or not allowed here. */
const CREDENTIAL_ERRORS: ErrorCode[] = ['invalid_credentials', 'session_expired', 'origin_not_allowed']
const CSRF_ERRORS: ErrorCode[] = ['csrf_token_missing', 'csrf_token_invalid']
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
function errorsOf({ docs, access, method, schema, takes, checksOrigin }: Described): ErrorCode[] {
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
    ...(docs.takesIdempotencyKey ? (['invalid_header'] as const) : []),
    ...SHARED_ERRORS,
  ]
}

interface Described {
  method: string
  path: string
  docs: RouteDocs
  access: string | undefined
  checksOrigin: boolean
  takes: string | undefined
  schema: { body?: JsonSchema; querystring?: JsonSchema }
}

/** Records routes from now on; the returned function builds the document. */
export function describeRoutes(app: FastifyInstance, site: Site, version: string): () => object {
  const routes: Described[] = []
  app.addHook('onRoute', (route: RouteOptions) => {
    const { docs, access, takes, checksOrigin = false } = route.config ?? {}
    if (!docs || route.method === 'HEAD') return
    routes.push({
      method: String(route.method).toLowerCase(),
      path: openPath(route.url, site),
      docs,
      access,
      checksOrigin,
      takes,
      schema: (route.schema ?? {}) as Described['schema'],
    })
  })
  return () => document(routes, site, version)
}

const openPath = (url: string, site: Site): string => url.slice(site.base.length).replace(/:(\w+)/g, '{$1}')

function document(routes: Described[], site: Site, version: string): object {
  const schemas: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Daybook calendar API',
      version,
      description:
        'Events with recurrence, deleted and edited occurrences, and public reads in which a private event shows its time and nothing else.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.base, description: 'This service' }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Email and an app password, or the password itself.' },
        token: { type: 'http', scheme: 'bearer', description: 'An API token: `calpat_…`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-cal_…',
          description: 'Set by signing in. Every change also needs `X-CSRF-Token`.',
        },
      },
    },
  }
}

function operation(route: Described, schemas: Record<string, unknown>): object {
  const { docs, access, schema, path, takes = 'application/json' } = route
  const { success } = docs
  const content = success.data
    ? { content: { 'application/json': { schema: reference(enveloped(success.data), schemas) } } }
    : success.contentType
      ? { content: { [success.contentType]: {} } }
      : {}
  return {
    operationId: docs.id,
    summary: docs.summary,
    ...(docs.description ? { description: docs.description } : {}),
    security: access === undefined ? [] : [...(access === 'anyone' ? [{}] : []), ...waysIn(access)],
    parameters: [...pathParameters(path), ...queryParameters(schema.querystring), ...headerParameters(docs)],
    ...(schema.body
      ? {
          requestBody: { required: true, content: { [takes]: { schema: reference(schema.body, schemas) } } },
        }
      : {}),
    responses: {
      [success.status]: { description: success.description, ...content },
      ...errorResponses(errorsOf(route), schemas),
    },
  }
}

/** Neither a token nor an app password can create new credentials. */
const waysIn = (access: string): object[] => [
  { session: [] },
  { basic: [] },
  ...(access === 'own_account' ? [] : [{ token: [] }]),
]

function errorResponses(codes: ErrorCode[], schemas: Record<string, unknown>): Record<string, object> {
  const byStatus = Map.groupBy(new Set(codes), (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        String(status),
        {
          description: group.map((code) => `\`${code}\`: ${errors[code].message}`).join(' '),
          content: {
            'application/json': {
              schema: reference(ErrorBody, schemas),
              examples: Object.fromEntries(group.map((code) => [code, { value: errorBody(code) }])),
            },
          },
        },
      ]),
  )
}

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: name === 'occurrence_key' ? '20260714T090000' : '5tq0fj1m3v8k2c9r7d6h4n0b1e',
  }))

function queryParameters(schema: JsonSchema | undefined): object[] {
  const properties = (schema as { properties?: Record<string, { description?: string }> } | undefined)?.properties ?? {}
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: 'query',
    ...(description ? { description } : {}),
    schema: plain(rest),
  }))
}

function headerParameters({ takesPrecondition, takesIdempotencyKey }: RouteDocs): object[] {
  const precondition = {
    name: 'If-Match',
    in: 'header',
    description:
      takesPrecondition === 'required'
        ? 'Its `etag`. Either this or `version` in the body is required.'
        : 'Its `etag`, if the change must be based on it.',
    schema: { type: 'string' },
  }
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes a repeated request safe for 24 hours.',
    schema: { type: 'string', maxLength: 255 },
  }
  return [...(takesPrecondition ? [precondition] : []), ...(takesIdempotencyKey ? [idempotency] : [])]
}

/** Named schemas become components; all others stay inline. */
function reference(schema: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => reference(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as { $id?: string }
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : reference(value, schemas)]),
  )
  if (!$id) return inner
  schemas[$id] = inner
  return { $ref: `#/components/schemas/${$id}` }
}

const plain = (schema: object): object => JSON.parse(JSON.stringify(schema))
