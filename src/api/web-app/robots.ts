// robots.txt, and which periods of the calendar search engines may index.
import { hasPublicEvents } from '../../actions/events/first-events.ts'
import type { Context } from '../../context.ts'
import { type CalendarLink, periodOf, readCalendarLink } from '../../contract/calendar-link.ts'
import { dayOf } from '../../domain/time/instant.ts'
import { requireZone, startOfDay, toWall } from '../../domain/time/zone.ts'
import type { Site } from '../../http/site.ts'

export const writeRobots = ({ origin, root, base }: Site): string =>
  `User-agent: *\nDisallow: ${base}/\nSitemap: ${origin}${root}/sitemap.xml\n`

/** Events tested at most. A period with more is indexed untested: one more page of a full calendar does no harm. */
const LOOKED_AT = 200

/** A URL without a date is the calendar itself and is indexed even while it is empty. */
export async function isIndexable(ctx: Context, asked: { view?: unknown; date?: unknown }): Promise<boolean> {
  const today = dayOf(toWall(requireZone(ctx.config.timezone), ctx.clock()))
  const link = readCalendarLink(asked, today)
  if (!link) return false
  return link.day === undefined || hasEventsIn(ctx, link, link.day)
}

function hasEventsIn(ctx: Context, { view = 'month' }: CalendarLink, day: number): Promise<boolean> {
  const { timezone, weekStart } = ctx.config
  const zone = requireZone(timezone)
  const [first, next] = periodOf(view, day, weekStart)
  const range = { from: startOfDay(zone, first), to: startOfDay(zone, next) }
  return hasPublicEvents(ctx, range, zone, LOOKED_AT)
}
