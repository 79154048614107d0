// Routes of the OpenAPI document and of the manual, whose pages are written from it.
import type { FastifyInstance } from 'fastify'
import { fail } from '../../errors.ts'
import type { Site } from '../../http/site.ts'
import { MAX_MANUAL_QUERY, type ManualEntry, searchManual } from '../../words/manual-search.ts'
import type { OpenApiDocument } from '../docs-page/document.ts'
import { errorsPage } from '../docs-page/errors-page.ts'
import { groupPage } from '../docs-page/group-page.ts'
import { createManual, type Manual, type ManualPlace } from '../docs-page/manual.ts'
import { overviewPage } from '../docs-page/overview.ts'
import { type ManualPage, pageLinks, writeManualPage } from '../docs-page/page.ts'
import { listManualEntries } from '../docs-page/search-entries.ts'
import { searchPage } from '../docs-page/search-page.ts'
import { style } from '../docs-page/style.ts'
import { createStatic, pagePolicy, type StaticFile, sendStatic } from '../static.ts'
import { findBuiltWebApp } from '../web-app/files.ts'
import type { RouteDocs } from './route.ts'

const POLICY = { 'content-security-policy': pagePolicy({ style, loadsScript: true, hasForm: true }) }

const pageFile = (html: string): StaticFile => createStatic(html, 'text/html; charset=utf-8', POLICY)

export function addDocsRoutes(app: FastifyInstance, site: Site, writeDocument: () => object): void {
  // Built on first request: by then every route is registered, and none is added later.
  const described = once(writeDocument)
  const document = once(() => createStatic(JSON.stringify(described()), 'application/json; charset=utf-8'))
  app.get(`${site.base}/openapi.json`, { config: { docs: openApiDocs } }, async (request, reply) =>
    sendStatic(request, reply, document()),
  )
  const manual = once(() => createManual(described() as OpenApiDocument, placeOf(site)))
  const entries = once(() => listManualEntries(manual()))
  const pageAt = createPageCache(manual)
  const config = { isPage: true }
  app.get(`${site.base}/docs`, { config: { ...config, docs: pageDocs } }, async (request, reply) =>
    sendStatic(request, reply, pageAt('')),
  )
  app.get(`${site.base}/docs/:page`, { config }, async (request, reply) =>
    sendStatic(request, reply, pageAt((request.params as { page: string }).page)),
  )
  app.get(`${site.base}/docs/search`, { config: { ...config, readsQuery: ['q'] } }, async (request, reply) =>
    sendStatic(request, reply, pageFile(writeSearch(manual(), entries(), request.query))),
  )
  const index = once(() => createStatic(JSON.stringify(entries()), 'application/json; charset=utf-8'))
  app.get(`${site.base}/docs/search.json`, { config }, async (request, reply) => sendStatic(request, reply, index()))
}

const placeOf = ({ origin, root, base }: Site): ManualPlace => ({
  origin,
  base,
  files: findBuiltWebApp() && { script: `${root}/manual.js`, icon: `${root}/favicon.svg` },
})

/** The first page has no slug. */
function findPage(manual: Manual, slug: string): ManualPage | undefined {
  if (slug === '') return overviewPage(manual)
  if (slug === 'errors') return errorsPage(manual)
  const group = manual.groups.find((one) => one.slug === slug)
  return group && groupPage(manual, group)
}

export const listManualPages = (manual: Manual): ManualPage[] =>
  pageLinks(manual).flatMap(({ slug }) => findPage(manual, slug) ?? [])

/** Writes each page when it is first requested: writing all of them takes a tenth of a second. */
function createPageCache(manual: () => Manual): (slug: string) => StaticFile {
  const written = new Map<string, StaticFile>()
  return (slug) => {
    const known = written.get(slug)
    if (known) return known
    const page = findPage(manual(), slug) ?? fail('route_not_found')
    const file = pageFile(writeManualPage(manual(), page))
    written.set(slug, file)
    return file
  }
}

/** A repeated parameter is read once, and a long one in part: the page has no other input. */
function writeSearch(manual: Manual, entries: readonly ManualEntry[], query: unknown): string {
  const { q = '' } = query as { q?: string | string[] }
  const sought = [q].flat()[0]!.trim().slice(0, MAX_MANUAL_QUERY)
  return writeManualPage(manual, searchPage(manual, sought, searchManual(entries, sought)), sought)
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
  description: 'The first page of the manual. It links to a page for each group of operations and to a search.',
  success: { status: 200, headers: ['ETag'], description: 'A page.', contentType: 'text/html' },
  errors: [],
}
