// `daybook reindex`: derives columns and occurrence rows from the stored text again.
import { reindex } from '../actions/keep-index.ts'
import { type Command, say } from './command.ts'
import { withContext } from './with-context.ts'

export const reindexCommand: Command = {
  usage: `Usage: daybook reindex

Holds every event's columns and occurrence rows against its iCalendar text and mends
what differs. Changes nothing on a healthy database. Works while the service runs.`,
  options: {},
  async act() {
    const isTerminal = process.stderr.isTTY
    const report = await withContext((ctx) =>
      reindex(ctx, (checked) => isTerminal && process.stderr.write(`\r${checked} events checked`)),
    )
    if (isTerminal) process.stderr.write('\r')
    say(`${report.checked} events checked, ${report.changed} mended.`)
    if (report.unreadable.length > 0)
      throw new Error(`these events cannot be read and were left alone: ${report.unreadable.join(', ')}`)
  },
}
