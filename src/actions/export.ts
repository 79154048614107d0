// The whole calendar as one iCalendar text, everything in it: written in pieces, out of one moment of the database.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { authorId, requireAccess, type Viewer } from '../domain/privacy/viewer.ts'
import { findZone } from '../domain/time/zone.ts'
import { agreedText } from '../ical/agreed-text.ts'
import { eventBlocks, zoneNamesIn } from '../ical/blocks.ts'
import { HEADER } from '../ical/encode.ts'
import { foldLine } from '../ical/print.ts'
import { timeZoneText } from '../ical/time-zones.ts'
import { escapeText } from '../ical/tree.ts'
import { insertAudit } from '../storage/audit.ts'
import { listTextsAfter, type TextRow } from '../storage/events.ts'
import { markUnreadable } from '../storage/index-work.ts'
import type { Db } from '../storage/tables.ts'
import { inTransaction, openSnapshot } from '../storage/transaction.ts'
import { requireAuthor } from './author-guard.ts'
import { readText } from './change-event.ts'

const BATCH = 50

export interface ExportOptions {
  requestId?: string
  /** Called with the id of each event that is left out because its text cannot be read. */
  onUnreadable?: (id: string) => void
}

/** Written down before the first piece is read; the database is opened when it is. */
export async function exportCalendar(
  ctx: Context,
  viewer: Viewer,
  { requestId, onUnreadable }: ExportOptions = {},
): Promise<AsyncGenerator<string>> {
  requireAccess(viewer, 'administer')
  requireAccess(viewer, 'read_full')
  const entry = {
    action: 'calendar_exported',
    actorId: authorId(viewer),
    subjectId: null,
    requestId: requestId ?? null,
    detail: {},
  } as const
  await inTransaction(ctx.storage, async (db) => {
    await requireAuthor(ctx, db, viewer, 'administer', 'read_full')
    await insertAudit(db, entry, ctx.clock())
  })
  return writeCalendar(ctx, onUnreadable)
}

async function* writeCalendar(ctx: Context, onUnreadable: (id: string) => void = () => {}): AsyncGenerator<string> {
  const { db, close } = await openSnapshot(ctx.storage)
  try {
    // Zones stand before the events that name them, so everything is looked through once before the first word.
    const names = new Set<string>()
    const unreadable = new Set<number>()
    for await (const rows of readRows(db))
      for (const row of rows) {
        if (isReadable(ctx, row)) for (const name of zoneNamesIn(textOf(ctx, row))) names.add(name)
        else {
          unreadable.add(row.key)
          ctx.log.error('an event cannot be read and was left out of the export', { event_id: row.id })
          onUnreadable(row.id)
        }
      }
    if (unreadable.size > 0) await noteUnreadable(ctx, [...unreadable])
    yield headOf(ctx)
    for (const name of [...names].sort()) {
      const zone = findZone(name)
      if (zone?.name === name) yield timeZoneText(zone)
    }
    for await (const rows of readRows(db)) {
      const readable = rows.filter(({ key }) => !unreadable.has(key))
      yield readable.map((row) => textOf(ctx, row)).join('')
    }
    yield 'END:VCALENDAR\r\n'
  } finally {
    await close()
  }
}

const isReadable = ({ config }: Context, { ical }: TextRow): boolean => {
  try {
    readText(ical, config.timezone)
    return true
  } catch {
    return false
  }
}

/** Readiness and diagnostics count them from now on. A database that cannot be written is still exported. */
const noteUnreadable = (ctx: Context, keys: readonly number[]): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    for (const key of keys) await markUnreadable(db, key)
  }).catch(() => {})

/** The VEVENTs of an event as stored, but for rules that programs would read differently. */
const textOf = ({ config }: Context, { ical }: TextRow): string => eventBlocks(agreedText(ical, config.timezone))

/** In the order of UIDs. */
async function* readRows(db: Db): AsyncGenerator<TextRow[]> {
  for (let after = ''; ; ) {
    const rows = await listTextsAfter(db, after, BATCH)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.uid
    // SQLite answers at once: without a pause nobody else would be answered until the end.
    await nextTurn()
  }
}

function headOf({ config: { siteName, timezone } }: Context): string {
  const lines = [
    'BEGIN:VCALENDAR',
    ...HEADER.map(({ name, value }) => `${name}:${value}`),
    `NAME:${escapeText(siteName)}`,
    `X-WR-CALNAME:${escapeText(siteName)}`,
    `X-WR-TIMEZONE:${timezone}`,
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}
