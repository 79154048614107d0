// `daybook import`: imports a calendar file, beside a running service or without one.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { importCalendar } from '../actions/transfer/import.ts'
import type { ImportedEvent, ImportSummary } from '../actions/transfer/import-report.ts'
import { skipReasons } from '../domain/calendar/skip-reasons.ts'
import { OPERATOR } from '../domain/privacy/viewer.ts'
import { AppError } from '../errors.ts'
import { limitPageCache } from '../storage/dialect.ts'
import { type Command, UsageError, writeLine } from './command.ts'
import { openImportFile } from './import-file.ts'
import { withCalendar, withContext } from './with-context.ts'

export const importCommand: Command = {
  usage: `Usage: daybook import FILE|- [--dry-run] [--quiet]

Imports the events of an iCalendar file. Events with a known UID are updated, others are
added, and none are deleted; importing a file twice changes nothing more. Events that
cannot be imported are listed with the reason. No emails are sent. Works while the
service is running. The exit code is 3 if everything was skipped.

  --dry-run   show what would happen, and change nothing
  --quiet     print only the summary`,
  options: { 'dry-run': { type: 'boolean' }, quiet: { type: 'boolean' } },
  takesName: true,
  async act({ 'dry-run': dryRun, quiet }, name) {
    if (name === undefined) throw new UsageError('a file is required, or - for standard input')
    shrinkHeap()
    const isQuiet = quiet === true
    const skipped = createSkippedPrinter()
    const file = await openImportFile(name)
    const open = dryRun === true ? withCalendar : withContext
    const report = await open(async (ctx) => {
      await limitPageCache(ctx.storage.reads, READ_CACHE_KIB)
      await limitPageCache(ctx.storage.writes, WRITE_CACHE_KIB)
      return importCalendar(ctx, OPERATOR, file.source, {
        isDryRun: dryRun === true,
        maxLines: Number.POSITIVE_INFINITY,
        // Only skipped entries are printed, as they come.
        maxListed: 0,
        onProgress(done, total) {
          limitYoungGeneration()
          if (!isQuiet) showProgress(done, total)
        },
        onSkipped: isQuiet ? () => {} : skipped.add,
      }).catch((error) => Promise.reject(explainFile(error)))
    }).finally(file.close)
    if (!isQuiet) skipped.flush()
    writeLine(summaryOf(report))
    if (report.skipped > 0 && report.skipped === totalOf(report)) process.exitCode = ALL_SKIPPED_EXIT_CODE
  },
}

const totalOf = ({ created, updated, unchanged, skipped }: ImportSummary): number =>
  created + updated + unchanged + skipped

/** Pages are seldom used twice: UIDs are looked up once each, and rows are written in the order of their keys. */
const READ_CACHE_KIB = 2_000
const WRITE_CACHE_KIB = 6_000

/**
 * Nothing of a batch is needed after it, but V8 lets garbage grow to several times the live data while the machine has
 * memory: this limits the old generation to a fifth more than is live. Loading the program leaves a young generation of
 * 16 MiB, which only a last-resort collection shrinks. The flags are set after the modules are loaded, because cached
 * code is rejected under other flags than it was compiled with.
 */
function shrinkHeap(): void {
  setFlagsFromString('--heap-growing-percent=20')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}

/** From this size on it does not grow; it would grow to 64 MiB. At 2 MiB an import takes a tenth more CPU time. */
const MAX_YOUNG_BYTES = 4 * 1_024 * 1_024

function limitYoungGeneration(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  if (young && young.space_size >= MAX_YOUNG_BYTES) setFlagsFromString('--semi-space-growth-factor=1')
}

/** Lets a script detect a file of which nothing was imported. */
const ALL_SKIPPED_EXIT_CODE = 3

/** Prints skipped entries sorted by line, in blocks: all are printed, and memory holds one block. */
function createSkippedPrinter(): { add(entry: ImportedEvent): void; flush(): void } {
  let block: ImportedEvent[] = []
  const flush = (): void => {
    clearProgress()
    for (const event of block.sort((a, b) => a.line - b.line)) writeLine(skippedLine(event))
    block = []
  }
  return {
    add(entry) {
      block.push(entry)
      if (block.length >= SKIPPED_AT_ONCE) flush()
    },
    flush,
  }
}

const SKIPPED_AT_ONCE = 10_000

function explainFile(error: unknown): unknown {
  if (error instanceof AppError && error.code === 'invalid_encoding') return new Error('the file is not UTF-8')
  const { reason, line } = (error instanceof AppError && error.details) || {}
  return reason === undefined ? error : new Error(`this is not a calendar file: ${reason}, line ${line}`)
}

const BAR = 30
const LINE_EVERY = 1_000

/** A progress bar on a terminal, and a line now and then in a file. */
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

/** Text from a file must not control the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

const summaryOf = ({ isDryRun, created, updated, unchanged, skipped }: ImportSummary): string =>
  `${isDryRun ? 'Nothing was changed. The result would be: ' : ''}${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped.`
