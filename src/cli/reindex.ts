// `daybook reindex`: rebuilds columns and occurrence rows from the stored iCalendar text.
import { confirmClock, readClockVerdict } from '../actions/maintenance/clock-guard.ts'
import { moveIndexToNow, reindex } from '../actions/maintenance/reindex.ts'
import { type Command, writeLine } from './command.ts'
import { withCalendar } from './with-context.ts'

export const reindexCommand: Command = {
  usage: `Usage: daybook reindex [--accept-clock]

Compares every event's columns and occurrence rows with its iCalendar text and repairs
what differs, and moves the indexed period to the current time. Changes nothing on a
healthy database. Works while the service is running. Exits with 1 if an event cannot be
read; it is named and left as it is, and the others are repaired.

--accept-clock confirms a clock that is far from the time when the calendar was last in
use; without it the indexed period does not move, and the service purges nothing.`,
  options: { 'accept-clock': { type: 'boolean' } },
  async act(flags) {
    const isTerminal = process.stderr.isTTY
    const report = await withCalendar(async (ctx) => {
      if (flags['accept-clock']) await confirmClock(ctx)
      const verdict = await readClockVerdict(ctx)
      if (verdict === 'plausible') await moveIndexToNow(ctx)
      else
        process.stderr.write(
          `The clock is more than three days ${verdict === 'ahead' ? 'ahead of' : 'behind'} the time when this calendar was last in use, so the indexed period does not move.\n` +
            'If the clock is right, run: daybook reindex --accept-clock\n',
        )
      return reindex(ctx, {
        onProgress: (checked) => void (isTerminal && process.stderr.write(`\r${checked} events checked`)),
      })
    })
    if (isTerminal) process.stderr.write('\r')
    writeLine(`${report.checked} events checked, ${report.changed} repaired.`)
    if (report.unreadable.length > 0)
      throw new Error(`these events cannot be read and were left as they are: ${report.unreadable.join(', ')}`)
  },
}
