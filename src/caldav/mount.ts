// CalDAV routes: methods of each kind of resource, well-known redirects, and the site root.
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { createHeadCache } from '../actions/caldav-objects/head-cache.ts'
import type { Context } from '../context.ts'
import { AppError, fail } from '../errors.ts'
import type { HttpServer } from '../http/server.ts'
import { divideMemory } from '../memory-budget.ts'
import { DAV_CLASSES } from './dav-header.ts'
import { createDavErrorRenderer } from './errors.ts'
import { deleteCalendarObject } from './methods/delete.ts'
import { getObject } from './methods/get.ts'
import { moveCalendarObject } from './methods/move.ts'
import { refuseNewCollection, refuseRemoval } from './methods/not-offered.ts'
import { createOptionsHandler } from './methods/options.ts'
import { propfind } from './methods/propfind.ts'
import { proppatch } from './methods/proppatch.ts'
import { putCalendarObject } from './methods/put.ts'
import { createFragmentCache } from './object-fragments.ts'
import { createTextSender } from './object-texts.ts'
import { createPaths, type DavPaths, type ResourceKind } from './paths.ts'
import { MAX_RESOURCE_BYTES } from './properties/calendar.ts'
import { createReportCache } from './report-cache.ts'
import { report } from './reports/report.ts'
import { createDavRequest, type DavRequest, type DavService } from './request.ts'

type Method = 'PROPFIND' | 'PROPPATCH' | 'REPORT' | 'GET' | 'PUT' | 'DELETE' | 'MOVE' | 'MKCOL' | 'MKCALENDAR'
type DavHandler = (davRequest: DavRequest) => Promise<FastifyReply>
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type Offer = Partial<Record<Method, DavHandler>>

const COMMON: Offer = { PROPFIND: propfind, PROPPATCH: proppatch, REPORT: report }

const OFFERED: Record<ResourceKind, Offer> = {
  root: COMMON,
  principals: COMMON,
  principal: COMMON,
  home: COMMON,
  calendar: COMMON,
  object: { ...COMMON, GET: getObject, PUT: putCalendarObject, DELETE: deleteCalendarObject, MOVE: moveCalendarObject },
}

const refuseCreate: DavHandler = async ({ context }) => refuseNewCollection(context.paths)
const refuseDelete: DavHandler = async ({ context }) => refuseRemoval(context.paths)

/** Answered with the reason; every other method that is not offered is 405. */
const REFUSED: Partial<Record<ResourceKind, Offer>> = {
  home: { DELETE: refuseDelete },
  calendar: { DELETE: refuseDelete },
  object: { MKCOL: refuseCreate, MKCALENDAR: refuseCreate },
}

/** MOVE changes a name only. */
const CHANGES_EVENTS: readonly Method[] = ['PUT', 'DELETE']

const NEEDS_WRITE: readonly Method[] = ['PUT', 'DELETE', 'MOVE', 'MKCOL', 'MKCALENDAR']
/** Room for thousands of hrefs; parsing takes a few tens of milliseconds. */
const MAX_XML_BYTES = 512 * 1_024

const TAKES_BODY: readonly Method[] = ['PROPFIND', 'PROPPATCH', 'REPORT', 'PUT']

export function addCalDav(app: FastifyInstance, ctx: Context, server: HttpServer): void {
  const { site, errorRenderers } = server
  const paths = createPaths(site)
  const { davObjects, davReports } = divideMemory(ctx.config.memoryLimitMib)
  const reports = createReportCache(davReports)
  const fragments = createFragmentCache(davObjects)
  ctx.metrics.caches.set('caldav_reports', reports)
  ctx.metrics.caches.set('caldav_objects', fragments)
  const heads = createHeadCache(ctx)
  const service: DavService = { ctx, paths, reports, fragments, heads, sendText: createTextSender(ctx, server) }
  errorRenderers.push(createDavErrorRenderer(paths))
  // On every response: some clients read it from PROPFIND and never send OPTIONS. Errors set it for themselves.
  app.addHook('onRequest', async ({ routeOptions }, reply) => {
    if (routeOptions.config?.isDav) reply.header('dav', DAV_CLASSES)
  })
  const templates: Record<ResourceKind, string> = {
    root: paths.root,
    principals: paths.principals,
    principal: `${paths.principals}:user_id`,
    home: paths.home,
    calendar: paths.calendar,
    object: `${paths.calendar}:name`,
  }
  for (const kind of Object.keys(templates) as ResourceKind[]) addKind(app, service, kind, templates[kind])
  addUnknownCalendars(app, paths)
  addDiscoveryRedirects(app, paths, site.bareDavBase)
  addSiteRoots(app, service)
}

function addKind(app: FastifyInstance, service: DavService, kind: ResourceKind, template: string): void {
  const url = template.replace(/\/$/, '')
  const answers = { ...OFFERED[kind], ...REFUSED[kind] }
  for (const [method, answer] of Object.entries(answers) as [Method, DavHandler][]) {
    const handler: Handler = (request, reply) => answer(createDavRequest(service, request, reply))
    addMethod(app, url, method, handler, method in OFFERED[kind])
  }
  const allow = [...Object.keys(OFFERED[kind]), 'OPTIONS', ...('GET' in OFFERED[kind] ? ['HEAD'] : [])]
    .sort()
    .join(', ')
  app.route({ method: 'OPTIONS', url, config: { isDav: true }, handler: createOptionsHandler(allow) })
  refuseOthers(app, url, allow, [...Object.keys(answers), 'OPTIONS', ...('GET' in answers ? ['HEAD'] : [])])
}

function addMethod(app: FastifyInstance, url: string, method: Method, handler: Handler, isOffered = true): void {
  const takes: FastifyContextConfig['takes'] = method === 'PUT' ? 'text/calendar' : 'application/xml'
  const access = NEEDS_WRITE.includes(method) ? 'write' : 'read_full'
  const changesEvents = isOffered && CHANGES_EVENTS.includes(method)
  const config = {
    isDav: true,
    isOffered,
    access,
    changesEvents,
    ...(TAKES_BODY.includes(method) ? { takes } : {}),
  } as const
  const bodyLimit = method === 'PUT' ? MAX_RESOURCE_BYTES : MAX_XML_BYTES
  app.route({ method: method as HTTPMethods, url, bodyLimit, config, handler })
}

/** With 401 before 405, by which clients learn that they must sign in; elsewhere src/http/methods.ts refuses. */
function refuseOthers(app: FastifyInstance, url: string, allow: string, taken: readonly string[]): void {
  const method = app.supportedMethods.filter((name) => !taken.includes(name)) as HTTPMethods[]
  const onRequest = async (): Promise<never> => {
    throw new AppError('method_not_allowed', { headers: { allow } })
  }
  const config = { isDav: true, isOffered: false, access: 'read_full' } as const
  app.route({ method, url, config, onRequest, handler: onRequest })
}

/** There is one calendar; any other path below the home is 404, and nothing can be created there. */
function addUnknownCalendars(app: FastifyInstance, paths: DavPaths): void {
  const url = `${paths.home}:calendar`
  const making: readonly string[] = ['MKCOL', 'MKCALENDAR'] satisfies Method[]
  for (const method of ['MKCOL', 'MKCALENDAR'] as const)
    addMethod(app, url, method, async () => refuseNewCollection(paths))
  const others = app.supportedMethods.filter((method) => !making.includes(method)) as HTTPMethods[]
  const handler = async (): Promise<never> => fail('route_not_found')
  app.route({ method: others, url, config: { isDav: true, access: 'read_full' }, handler })
}

/**
 * For clients that are given only the site's address and do not try the well-known path: PROPFIND and REPORT there find
 * the principal.
 */
function addSiteRoots(app: FastifyInstance, service: DavService): void {
  for (const front of service.paths.fronts) {
    const url = front === '/' ? front : front.replace(/\/$/, '')
    for (const [method, answer] of Object.entries({ PROPFIND: propfind, REPORT: report }) as [Method, DavHandler][])
      addMethod(app, url, method, (request, reply) => answer(createDavRequest(service, request, reply)))
    app.route({
      method: 'OPTIONS',
      url,
      config: { isDav: true },
      handler: createOptionsHandler('GET, HEAD, OPTIONS, PROPFIND, REPORT'),
    })
  }
}

/** RFC 6764 §5: clients that know only the host begin here. Redirects to a path, so that https is kept. */
function addDiscoveryRedirects(app: FastifyInstance, paths: DavPaths, bareBase: string | undefined): void {
  const redirectTo = (to: (request: FastifyRequest) => string, status: number) => {
    const redirect = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      reply.header('cache-control', 'no-store').redirect(to(request), status)
    // Before the body is read: the client sends it again to the new location.
    return { onRequest: redirect, handler: redirect }
  }
  app.all(
    '/.well-known/caldav',
    redirectTo(() => paths.root, 301),
  )
  if (bareBase === undefined) return
  const slug = paths.root.slice(0, -`${bareBase}/`.length)
  const toSlug = redirectTo(({ url }) => slug + url, 308)
  app.all(bareBase, toSlug)
  app.all(`${bareBase}/*`, toSlug)
}
