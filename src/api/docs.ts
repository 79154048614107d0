// The API described by the service itself: the OpenAPI document, and a page that shows it.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOfBytes, isNotModified } from '../http/conditional.ts'
import type { Site } from '../http/site.ts'
import { docsPage } from './docs-page.ts'
import type { RouteDocs } from './route.ts'

export function addDocsRoutes(app: FastifyInstance, site: Site, writeDocument: () => object): void {
  // Written when first asked for: by then every route is known, and none is added later.
  const document = once(() => makeStatic(JSON.stringify(writeDocument()), 'application/json; charset=utf-8'))
  app.get(`${site.base}/openapi.json`, { config: { docs: openApiDocs } }, async (request, reply) =>
    sendStatic(request, reply, document()),
  )
  const page = once(() => {
    const { html, script, style } = docsPage(writeDocument())
    return makeStatic(html, 'text/html; charset=utf-8', { 'content-security-policy': pagePolicy(script, style) })
  })
  app.get(`${site.base}/docs`, { config: { isPage: true, docs: pageDocs } }, async (request, reply) =>
    sendStatic(request, reply, page()),
  )
}

interface Static {
  body: string
  headers: Record<string, string>
}

const makeStatic = (body: string, type: string, headers: Record<string, string> = {}): Static => ({
  body,
  headers: { 'content-type': type, etag: etagOfBytes(body), 'cache-control': 'public, no-cache', ...headers },
})

function sendStatic(request: FastifyRequest, reply: FastifyReply, { body, headers }: Static): FastifyReply {
  reply.headers(headers)
  if (isNotModified(request.headers['if-none-match'], headers.etag!)) return reply.code(304).send()
  return reply.send(body)
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const pagePolicy = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src '${sourceHash(script)}'`,
    `style-src '${sourceHash(style)}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const sourceHash = (source: string): string => `sha256-${createHash('sha256').update(source).digest('base64')}`

const openApiDocs: RouteDocs = {
  id: 'getOpenApi',
  summary: 'This description, as OpenAPI 3.1',
  success: { status: 200, description: 'The document.', contentType: 'application/json' },
  errors: [],
}

const pageDocs: RouteDocs = {
  id: 'getDocs',
  summary: 'This description, for people',
  success: { status: 200, description: 'A page.', contentType: 'text/html' },
  errors: [],
}
