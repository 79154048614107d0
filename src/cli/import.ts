// `daybook import`: takes a calendar file in, beside a running service or without one.
import { readFile } from 'node:fs/promises'
import { type ImportedEvent, type ImportReport, importCalendar } from '../actions/import.ts'
import { skipReasons } from '../domain/calendar/skip-reasons.ts'
import { OPERATOR } from '../domain/privacy/viewer.ts'
import { AppError } from '../errors.ts'
import { type Command, readStandardBytes, say, WrongUsage } from './command.ts'
import { withContext } from './with-context.ts'

export const importCommand: Command = {
  usage: `Usage: daybook import FILE|- [--dry-run] [--quiet]

Takes the events of an iCalendar file in. Those whose UID is known are changed, others
are added, none is deleted; doing it twice changes nothing. What cannot be taken in is
named with its reason, and nobody is mailed. Works while the service runs. The exit code
is 3 where all of it was skipped.

  --dry-run   say what would happen and change nothing
  --quiet     only the summary`,
  options: { 'dry-run': { type: 'boolean' }, quiet: { type: 'boolean' } },
  takesName: true,
  async act({ 'dry-run': dryRun, quiet }, name) {
    if (name === undefined) throw new WrongUsage('a file is needed, or - for standard input')
    const text = await readText(name)
    const isQuiet = quiet === true
    const report = await withContext((ctx) =>
      importCalendar(ctx, OPERATOR, text, {
        isDryRun: dryRun === true,
        maxLines: Number.POSITIVE_INFINITY,
        onProgress: isQuiet ? () => {} : showProgress,
      }).catch((error) => Promise.reject(explainFile(error))),
    )
    if (!isQuiet) {
      clearProgress()
      for (const event of report.events) if (event.reason) say(skippedLine(event))
    }
    say(summaryOf(report))
    if (report.skipped > 0 && report.skipped === report.events.length) process.exitCode = NOTHING_TAKEN
  },
}

/** So that a script notices a file of which nothing came in. */
const NOTHING_TAKEN = 3

async function readText(name: string): Promise<string> {
  const bytes = await (name === '-' ? readStandardBytes() : readFile(name)).catch((error) => {
    throw new Error(`${name} cannot be read: ${(error as { code?: string }).code ?? 'unknown'}`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('the file is not UTF-8')
  }
}

function explainFile(error: unknown): unknown {
  const { reason, line } = (error instanceof AppError && error.details) || {}
  return reason === undefined ? error : new Error(`this is not a calendar file: ${reason}, line ${line}`)
}

const BAR = 30
const LINE_EVERY = 1_000

/** A bar where somebody watches, and now and then a line where it goes into a file. */
function showProgress(done: number, total: number): void {
  if (process.stderr.isTTY) {
    const filled = Math.round((BAR * done) / total)
    process.stderr.write(`\r[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${done} of ${total} events`)
  } else if (done % LINE_EVERY === 0 || done === total) process.stderr.write(`${done} of ${total} events\n`)
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

const skippedLine = ({ uid, title, reason, line }: ImportedEvent): string =>
  `skipped  line ${line}  ${printable(title || uid || 'without a name')}: ${skipReasons[reason!]}`

/** What stands in a file must not move the cursor of whoever reads about it. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

const summaryOf = ({ isDryRun, created, updated, unchanged, skipped }: ImportReport): string =>
  `${isDryRun ? 'Nothing was changed. It would be: ' : ''}${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped.`
