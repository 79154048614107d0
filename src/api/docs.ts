// The API described by the service itself: the OpenAPI document, and a page that shows it.
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { etagOfBytes, isNotModified } from '../http/conditional.ts'
import type { Site } from '../http/site.ts'
import { docsPage } from './docs-page.ts'
import type { RouteDocs } from './route.ts'

export function addDocsRoutes(app: FastifyInstance, site: Site, writeDocument: () => object): void {
  let document: { body: string; etag: string } | undefined
  app.get(`${site.base}/openapi.json`, { config: { docs: openApiDocs } }, async (request, reply) => {
    if (!document) {
      const body = JSON.stringify(writeDocument())
      document = { body, etag: etagOfBytes(body) }
    }
    reply.headers({ etag: document.etag, 'cache-control': 'public, no-cache' })
    if (isNotModified(request.headers['if-none-match'], document.etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(document.body)
  })

  app.get(`${site.base}/docs`, { config: { docs: pageDocs } }, async (_request, reply) => {
    const { html, script, style } = docsPage(writeDocument())
    return reply
      .header(
        'content-security-policy',
        `default-src 'none'; script-src '${sourceHash(script)}'; style-src '${sourceHash(style)}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .header('cache-control', 'public, no-cache')
      .type('text/html; charset=utf-8')
      .send(html)
  })
}

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
