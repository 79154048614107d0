// The calendar page: a period or a search as the public sees it, cached like other public answers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Language } from '../../domain/languages.ts'
import { startOfDay } from '../../domain/time/zone.ts'
import { etagOfLongBytes } from '../../http/responses/conditional.ts'
import { createResponseCache } from '../../http/responses/response-cache.ts'
import type { HttpServer } from '../../http/server.ts'
import { divideMemory } from '../../memory-budget.ts'
import { createCachedRoute } from '../cached-route.ts'
import { languageHeaders, languageOf, slotByLanguage } from '../page-language.ts'
import { findBuiltWebApp } from '../web-app/files.ts'
import { type PageContent, policyOf } from '../web-app/page.ts'
import { type AskedPage, readAsked } from './asked.ts'
import { type CalendarFacts, readCalendarFacts, todayOf } from './calendar-facts.ts'
import { writeCalendarPage } from './document.ts'

type CalendarPageServer = Pick<HttpServer, 'site' | 'limits' | 'fastPath' | 'responseWriter' | 'readState'>

/** Sends the page, or fails before anything is sent. */
export function createCalendarPage(
  ctx: Context,
  { site, limits, readState, ...server }: CalendarPageServer,
  write: (content: PageContent, language: Language) => string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const cache = createResponseCache(divideMemory(ctx.config.memoryLimitMib).calendarPages)
  ctx.metrics.caches.set('calendar_pages', cache)
  const askedOf = ({ query }: FastifyRequest): AskedPage => readAsked(query as Record<string, unknown>, todayOf(ctx))
  const send = createCachedRoute(ctx, server, {
    // What was understood, so that addresses which mean the same share a page.
    slotOf: (request) => slotByLanguage(ctx, request, cache, JSON.stringify(askedOf(request))),
    async make(request) {
      const asked = askedOf(request)
      const language = languageOf(ctx, request)
      const facts = await readCalendarFacts(ctx, site, asked, { caller: request.caller, language })
      const content = writeCalendarPage(facts, language)
      const body = Buffer.from(write(content, language))
      return {
        body,
        etag: await etagOfLongBytes(body),
        headers: { 'content-type': 'text/html; charset=utf-8' },
        policyHeaders: {
          ...languageHeaders(language),
          'content-security-policy': policyOf(findBuiltWebApp(), content),
          ...(!isIndexable(facts) && { 'x-robots-tag': 'noindex' }),
        },
        until: startOfDay(facts.site.zone, facts.today + 1),
      }
    },
  })
  return async (request, reply) => {
    await limits.countFrom(request.peer, ['public-ip'])
    request.state = await readState()
    await send(request, reply)
  }
}

/**
 * The calendar itself, even while it is empty, and periods and quick choices with public events. Searches, filters and
 * odd addresses are not.
 */
function isIndexable({ asked, periods }: CalendarFacts): boolean {
  if (asked.isOdd || asked.found || asked.categories.length > 0) return false
  if (asked.day === undefined && !asked.when) return true
  const [{ entries, period }] = periods as [CalendarFacts['periods'][number]]
  return entries.some(({ isMasked, days: [first, last] }) => !isMasked && first < period[1] && last >= period[0])
}
