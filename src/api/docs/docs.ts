// Routes of the OpenAPI document and of the docs page that shows it.
import type { FastifyInstance } from 'fastify'
import type { Site } from '../../http/site.ts'
import { createPage, createStatic, sendStatic } from '../static.ts'
import { docsPage } from './docs-page.ts'
import type { RouteDocs } from './route.ts'

export function addDocsRoutes(app: FastifyInstance, site: Site, writeDocument: () => object): void {
  // Built on first request: by then every route is registered, and none is added later.
  const document = once(() => createStatic(JSON.stringify(writeDocument()), 'application/json; charset=utf-8'))
  app.get(`${site.base}/openapi.json`, { config: { docs: openApiDocs } }, async (request, reply) =>
    sendStatic(request, reply, document()),
  )
  const page = once(() => createPage(docsPage(writeDocument())))
  app.get(`${site.base}/docs`, { config: { isPage: true, docs: pageDocs } }, async (request, reply) =>
    sendStatic(request, reply, page()),
  )
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const openApiDocs: RouteDocs = {
  id: 'getOpenApi',
  summary: 'This description, as OpenAPI 3.1',
  description: 'Built from the schemas that validate requests; the tests hold every response against it.',
  success: { status: 200, headers: ['ETag'], description: 'The document.', contentType: 'application/json' },
  errors: [],
}

const pageDocs: RouteDocs = {
  id: 'getDocs',
  summary: 'This description, for people',
  description: 'A page with every operation, schema and error code.',
  success: { status: 200, headers: ['ETag'], description: 'A page.', contentType: 'text/html' },
  errors: [],
}
