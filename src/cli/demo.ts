// `daybook demo`: fills the calendar with two years of events of a community centre.
import { dayOf } from '../domain/time/instant.ts'
import { formatDate } from '../domain/time/text.ts'
import { requireZone, toWall } from '../domain/time/zone.ts'
import { siteOf } from '../http/site.ts'
import { type Command, writeLine } from './command.ts'
import { fillWithDemo } from './demo/fill.ts'
import { spanAround } from './demo/plan.ts'
import { withContext } from './with-context.ts'

export const demo: Command = {
  usage: `Usage: daybook demo [--force]

Fills the calendar with about 300 events of a community centre, from a year back to a
year ahead: classes, council meetings, concerts, closures, and private hires that the
public sees only as "Private Event". Most have a category with a colour. The same day
always gives the same events.

  --force   add them to a calendar that already holds events`,
  options: { force: { type: 'boolean' } },
  async act({ force }) {
    await withContext(async (ctx) => {
      const isTerminal = process.stderr.isTTY
      const { events, series, hidden } = await fillWithDemo(ctx, {
        force: force === true,
        onProgress: (done, total) => isTerminal && process.stderr.write(`\r${done} of ${total} events`),
      })
      if (isTerminal) process.stderr.write('\r\x1b[K')
      const { first, last } = spanAround(dayOf(toWall(requireZone(ctx.config.timezone), ctx.clock())))
      const { origin, root } = siteOf(ctx.config)
      writeLine(`${events} events are in the calendar: ${series} repeat, ${hidden} are private.`)
      writeLine(`They run from ${formatDate(first)} to ${formatDate(last)}, in the zone ${ctx.config.timezone}.`)
      writeLine(`This month as the public sees it: ${origin}${root}/`)
      writeLine('Private ones show there as "Private Event"; signed in, you see everything.')
    })
  },
}
