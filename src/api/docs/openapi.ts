// Builds the OpenAPI 3.1 document from the registered routes and the schemas that validate them.
import type { FastifyInstance, RouteOptions } from 'fastify'
import { enveloped } from '../../contract/envelope.ts'
import type { JsonSchema } from '../../contract/json-schema.ts'
import { takesIdempotencyKey } from '../../http/guard/idempotency.ts'
import { jsonTypesOf } from '../../http/responses/accepted-types.ts'
import type { Site } from '../../http/site.ts'
import { errorResponses } from './openapi-errors.ts'
import { headerComponents, headerParameters, isConditional, responseHeaders } from './openapi-headers.ts'
import { listTags, tagsOf } from './openapi-tags.ts'
import type { Described, SuccessDocs, SuccessHeader } from './route.ts'

/** What the document says of this installation. */
export interface DescribedSite {
  site: Site
  version: string
  /** The name of the session cookie over the transport that people use. */
  cookieName: string
}

/** Records routes from now on; the returned function builds the document. */
export function describeRoutes(app: FastifyInstance, described: DescribedSite): () => object {
  const { site } = described
  const routes: Described[] = []
  app.addHook('onRoute', (route: RouteOptions) => {
    const { docs, access, takes, checksOrigin = false, ignoresCredentials = false, carriesSecrets } = route.config ?? {}
    if (!docs || route.method === 'HEAD') return
    routes.push({
      method: String(route.method).toLowerCase(),
      path: openPath(route.url, site),
      docs,
      access,
      checksOrigin: checksOrigin || !ignoresCredentials,
      takesIdempotencyKey: takesIdempotencyKey(String(route.method), access, carriesSecrets),
      takes,
      schema: (route.schema ?? {}) as Described['schema'],
    })
  })
  return () => document(routes, described)
}

const openPath = (url: string, site: Site): string => url.slice(site.base.length).replace(/:(\w+)/g, '{$1}')

function document(routes: Described[], { site, version, cookieName }: DescribedSite): object {
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
        'Events with recurrence, deleted and edited occurrences, and public reads in which a private event shows its time and nothing else. Any response may also be an error of HTTP itself: 400 `invalid_header`, 404 `route_not_found`, 405, 408, 413, 414 or 431, with the same body.',
      contact: { name: 'The operator of this calendar', url: `${site.origin}${site.root}/` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.base, description: 'This service' }],
    tags: listTags(),
    paths,
    components: {
      schemas,
      headers: headerComponents(),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Email and an app password, or the password itself.' },
        token: { type: 'http', scheme: 'bearer', description: 'An API token: `calpat_…`.' },
        session: { type: 'apiKey', in: 'cookie', name: cookieName, description: 'Set by signing in.' },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRF-Token',
          description: 'The `csrf_token` of the session, with every change that the cookie authenticates.',
        },
      },
    },
  }
}

function operation(route: Described, schemas: Record<string, unknown>): object {
  const { docs, schema, path } = route
  const { success, otherSuccess } = docs
  return {
    operationId: docs.id,
    summary: docs.summary,
    description: docs.description,
    tags: tagsOf(path),
    security: securityOf(route),
    parameters: [...pathParameters(path), ...queryParameters(schema.querystring), ...headerParameters(route)],
    ...(schema.body ? { requestBody: { required: true, content: bodyContent(route, schemas) } } : {}),
    responses: {
      [success.status]: successResponse(route, success, schemas),
      ...(otherSuccess ? { [otherSuccess.status]: successResponse(route, otherSuccess, schemas) } : {}),
      ...(isConditional(route) ? { 304: notModified(route, success.headers ?? []) } : {}),
      ...errorResponses(route, (named) => reference(named, schemas)),
    },
  }
}

function successResponse(route: Described, success: SuccessDocs, schemas: Record<string, unknown>): object {
  const { description, data, contentType, headers = [] } = success
  const content = data
    ? { content: { 'application/json': { schema: reference(enveloped(data), schemas) } } }
    : contentType
      ? { content: { [contentType]: {} } }
      : {}
  const replayed = route.takesIdempotencyKey ? (['Idempotency-Replayed'] as const) : []
  return { description, headers: responseHeaders(route, [...headers, ...replayed]), ...content }
}

const notModified = (route: Described, headers: readonly SuccessHeader[]): object => ({
  description: 'The client has the response already, as its `If-None-Match` says.',
  headers: responseHeaders(
    route,
    headers.filter((name) => name !== 'Content-Disposition'),
  ),
})

function bodyContent({ method, schema, takes }: Described, schemas: Record<string, unknown>): Record<string, object> {
  const types = takes ? [takes] : jsonTypesOf(method)
  return Object.fromEntries(types.map((type) => [type, { schema: reference(schema.body, schemas) }]))
}

/** Neither a token nor an app password can create new credentials. A change under a session needs its token as well. */
function securityOf({ access, method }: Described): object[] {
  if (access === undefined) return []
  return [
    ...(access === 'anyone' ? [{}] : []),
    method === 'get' ? { session: [] } : { session: [], csrf: [] },
    { basic: [] },
    ...(access === 'own_account' ? [] : [{ token: [] }]),
  ]
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
