// Routes of the web app: its pages, and the static files they load.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createSetupCheck } from '../actions/accounts/accounts.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { PAGES, type PagePath, type SiteFacts } from '../contract/site.ts'
import type { Language } from '../domain/languages.ts'
import { pageWeekStart } from '../domain/time/week-start.ts'
import { AppError, describeKind, fail } from '../errors.ts'
import { sendConditional } from '../http/responses/conditional-response.ts'
import type { HttpServer } from '../http/server.ts'
import type { Site } from '../http/site.ts'
import { COMMAND } from '../installation.ts'
import { PARAMETERS } from './calendar-page/asked.ts'
import { createCalendarPage } from './calendar-page/calendar-page.ts'
import { languageHeaders, languageOf } from './page-language.ts'
import { createStatic, memoizeByConfig, type StaticFile, sendStatic } from './static.ts'
import { type BuiltFile, findBuiltWebApp } from './web-app/files.ts'
import { createPageErrorRenderer } from './web-app/not-found.ts'
import { framePolicy, policyOf, writeFrame, writePage } from './web-app/page.ts'
import { writeRobots } from './web-app/robots.ts'
import { writeMissing, writeScriptNeeded } from './web-app/without-script.ts'

type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

type PageServer = Pick<HttpServer, 'site' | 'limits' | 'errorRenderers' | 'fastPath' | 'responseWriter' | 'readState'>

export function addWebApp(app: FastifyInstance, ctx: Context, server: PageServer, version: string): void {
  const { site, errorRenderers } = server
  const built = findBuiltWebApp()
  if (!built) return
  // Not awaited: the first requests are answered meanwhile. A file that is gone by now fails the request for it.
  app.addHook('onListen', async () => void built.readAll().catch(() => {}))
  const open = { config: { isPage: true } }
  const byLanguage = <Page>(make: (config: Config, language: Language) => Page) => {
    const pagesOf = memoizeByConfig(ctx, () => new Map<Language, Page>())
    return (request: FastifyRequest): Page => {
      const language = languageOf(ctx, request)
      const pages = pagesOf()
      const page = pages.get(language) ?? make(ctx.config, language)
      pages.set(language, page)
      return page
    }
  }
  const pageWith = (language: Language, facts: SiteFacts, writeWithoutScript = writeScriptNeeded): StaticFile =>
    createStatic(writePage(facts, built, language, undefined, writeWithoutScript), 'text/html; charset=utf-8', {
      'content-security-policy': policyOf(built),
      ...languageHeaders(language),
    })
  const page = byLanguage((config, language) => pageWith(language, factsOf(config, site, version, language)))
  const isSetUp = createSetupCheck(ctx)
  const setupPageWith = (isDone: boolean) =>
    byLanguage((config, language) =>
      pageWith(language, { ...factsOf(config, site, version, language), is_set_up: isDone }),
    )
  const pageAfterSetup = setupPageWith(true)
  const pageBeforeSetup = setupPageWith(false)
  const missing = byLanguage((config, language) =>
    pageWith(language, factsOf(config, site, version, language), writeMissing),
  )
  errorRenderers.push(createPageErrorRenderer(ctx, site, missing, policyOf(built)))
  const plain: PageHandler = async (request, reply) => sendStatic(request, reply, page(request))
  // Without it, for example without a database, the app shows what it can load.
  const sendCalendar = createCalendarPage(ctx, server, (content, language) =>
    writePage(factsOf(ctx.config, site, version, language), built, language, content),
  )
  const special: Partial<Record<PagePath, PageHandler>> = {
    async '/'(request, reply) {
      try {
        await sendCalendar(request, reply)
        return reply
      } catch (error) {
        if (reply.sent) throw error
        if (!(error instanceof AppError)) ctx.log.error('the calendar page could not be written', describeKind(error))
        return plain(request, reply.header('x-robots-tag', 'noindex'))
      }
    },
    async '/setup'(request, reply) {
      return sendStatic(request, reply, (await isSetUp()) ? pageAfterSetup(request) : pageBeforeSetup(request))
    },
  }
  const pages = { config: { ...open.config, readsQuery: [...PARAMETERS, 'lang'] } }
  for (const path of PAGES) app.get(`${site.root}${path}`.replace(/(.)\/$/, '$1'), pages, special[path] ?? plain)
  const frame = byLanguage(({ siteName, embedSites }, language) =>
    createStatic(writeFrame(siteName, site.root, language), 'text/html; charset=utf-8', {
      'content-security-policy': framePolicy(embedSites),
      'cross-origin-resource-policy': 'cross-origin',
      ...languageHeaders(language),
    }),
  )
  app.get(`${site.root}/frame`, open, async (request, reply) => sendStatic(request, reply, frame(request)))
  // Robots request it only at the root of the host, whatever the slug.
  const robots = createStatic(writeRobots(site), 'text/plain; charset=utf-8')
  app.get('/robots.txt', open, async (request, reply) => sendStatic(request, reply, robots))
  for (const [path, file] of built.files)
    if (!path.startsWith('/assets/'))
      app.get(`${site.root}${path}`, open, async (request, reply) => sendFile(request, reply, file, false))
  // One route for all of them: a route per file would slow down every start.
  app.get(`${site.root}/assets/:name`, open, async (request, reply) => {
    const { name } = request.params as { name: string }
    return sendFile(request, reply, built.files.get(`/assets/${name}`) ?? fail('route_not_found'), true)
  })
}

const factsOf = (config: Config, site: Site, version: string, language: Language): SiteFacts => ({
  name: config.siteName,
  root: site.root,
  api: site.base,
  origin: site.origin,
  timezone: config.timezone,
  week_start: pageWeekStart(config, language),
  is_week_start_by_language: config.isWeekStartByLanguage,
  language: config.language,
  default_visibility: config.defaultVisibility,
  has_mail: config.smtp !== undefined,
  keeps_trash: config.trashDays > 0,
  keeps_history: config.historyDays > 0,
  is_registration_open: config.registration === 'open',
  version,
  command: COMMAND,
})

/** Files with a hash in the name never change; other sites may load all of these, since they hold no personal data. */
const sendFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag, forms }: BuiltFile,
  isHashed: boolean,
): Promise<FastifyReply> =>
  sendConditional(
    request,
    reply,
    {
      etag,
      length: bytes.length,
      isEncoded: true,
      headers: {
        'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'public, no-cache',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      },
      contentHeaders: { 'content-type': type },
    },
    (encoding) => (encoding ? forms[encoding] : bytes),
  )
