// `daybook export`: writes the whole calendar as one file, readable only by its owner.
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportCalendar } from '../actions/transfer/export.ts'
import { OPERATOR } from '../domain/privacy/viewer.ts'
import { withUnfinished } from '../storage/backup/unfinished-file.ts'
import { type Command, writeLine } from './command.ts'
import { describeFileError } from './output/file-error.ts'
import { findTarget } from './output/target-file.ts'
import { withCalendar } from './with-context.ts'

export const exportCommand: Command = {
  usage: `Usage: daybook export [FILE|-]

Writes all events, including private ones, as one iCalendar file; without a file name, to
standard output. A file is written completely or not at all, and only its owner can read
it; pipes and devices are written to directly. Importing it elsewhere gives the same
calendar. Works while the service is running. Exits with 1 if an event cannot be read:
the others are written, and its id is printed on standard error.`,
  options: {},
  takesName: true,
  async act(_flags, name = '-') {
    await withCalendar(async (ctx) => {
      const target = name === '-' ? name : findTarget(name, ctx.config)
      const unreadable: string[] = []
      const pieces = await exportCalendar(ctx, OPERATOR, { onUnreadable: (id) => void unreadable.push(id) })
      if (name === '-') await writeOut(pieces)
      else {
        await (isOrdinary(name) ? writeWhole(name, target, pieces) : writeInto(name, pieces))
        writeLine(`The calendar is in ${name}.`)
      }
      if (unreadable.length > 0)
        throw new Error(`these events cannot be read and were left out: ${unreadable.join(', ')}`)
    })
  },
}

async function writeOut(pieces: AsyncGenerator<string>): Promise<void> {
  // Each failure is reported by its own write; without a listener the stream would end the process.
  process.stdout.on('error', () => {})
  try {
    for await (const piece of pieces)
      await new Promise<void>((resolve, reject) => {
        process.stdout.write(piece, (error) => (error ? reject(error) : resolve()))
      })
  } catch (error) {
    // The reading program may have read enough.
    if ((error as { code?: string }).code !== 'EPIPE') throw explain('standard output', error)
  }
}

/** An existing pipe or device is written into and never replaced. */
const isOrdinary = (path: string): boolean => !existsSync(path) || statSync(path).isFile()

async function writeInto(path: string, pieces: AsyncGenerator<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: false }), createWriteStream(path))
  } catch (error) {
    await pieces.return(undefined)
    throw explain(path, error)
  }
}

async function writeWhole(path: string, target: string, pieces: AsyncGenerator<string>): Promise<void> {
  try {
    await withUnfinished(target, async (fresh) => {
      const file = await open(fresh, 'wx', 0o600)
      try {
        // Until all of it is written: on a nearly full disk a single write may be partial without an error.
        for await (const piece of pieces) await file.appendFile(piece)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(fresh, target)
    })
  } catch (error) {
    await pieces.return(undefined)
    throw explain(path, error)
  }
}

function explain(path: string, error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  // The standard output may be a connection. Errors of SQLite have a code that begins with ERR_.
  const reason = describeFileError(code) ?? (/^E(?!RR_)/.test(code) ? code : undefined)
  return reason ? new Error(`${path} cannot be written: ${reason}`) : error
}
