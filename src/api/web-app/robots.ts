// What robots are told: which addresses are worth a visit, and which periods of the calendar are worth keeping.
import { hasPublicEvents } from '../../actions/events/first-events.ts'
import type { Context } from '../../context.ts'
import { type CalendarLink, periodOf, readCalendarLink } from '../../contract/calendar-link.ts'
import { dayOf } from '../../domain/time/instant.ts'
import { requireZone, startOfDay, toWall } from '../../domain/time/zone.ts'
import type { Site } from '../../http/site.ts'

export const writeRobots = ({ base }: Site): string => `User-agent: *\nDisallow: ${base}/\n`

/** Where as many as these are all private, somebody has a full calendar, and one more page of it does no harm. */
const LOOKED_AT = 200

/** Links that name no day are the calendar itself, however empty it is just now. */
export async function isWorthKeeping(ctx: Context, asked: { view?: unknown; date?: unknown }): Promise<boolean> {
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
