// `daybook reindex`: rebuilds columns and occurrence rows from the stored iCalendar text.
import { confirmClock, readClockVerdict } from '../actions/maintenance/clock-guard.ts'
import { moveIndexToNow, reindex } from '../actions/maintenance/reindex.ts'
import { type Command, say } from './command.ts'
import { withContext } from './with-context.ts'

export const reindexCommand: Command = {
  usage: `Usage: daybook reindex [--accept-clock]

Holds every event's columns and occurrence rows against its iCalendar text and mends
what differs, and moves the span of the index to where the clock says. Changes nothing on
a healthy database. Works while the service runs. Exits with 1 when an event cannot be
read; it is named and left alone, the others are mended.

--accept-clock confirms a clock that is far from the last time the calendar was in use;
without it such a clock moves nothing, and the service purges nothing.`,
  options: { 'accept-clock': { type: 'boolean' } },
  async act(flags) {
    const isTerminal = process.stderr.isTTY
    const report = await withContext(async (ctx) => {
      if (flags['accept-clock']) await confirmClock(ctx)
      const verdict = await readClockVerdict(ctx)
      if (verdict === 'plausible') await moveIndexToNow(ctx)
      else
        process.stderr.write(
          `The clock is ${verdict} of the last time this calendar was in use by more than three days, so the index stays where it is.\n` +
            'If the clock is right, run: daybook reindex --accept-clock\n',
        )
      return reindex(ctx, {
        onProgress: (checked) => void (isTerminal && process.stderr.write(`\r${checked} events checked`)),
      })
    })
    if (isTerminal) process.stderr.write('\r')
    say(`${report.checked} events checked, ${report.changed} mended.`)
    if (report.unreadable.length > 0)
      throw new Error(`these events cannot be read and were left alone: ${report.unreadable.join(', ')}`)
  },
}
