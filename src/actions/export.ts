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
import { listTextsAfter } from '../storage/events.ts'
import type { Db } from '../storage/tables.ts'
import { inTransaction, openSnapshot } from '../storage/transaction.ts'
import { requireAuthor } from './author-guard.ts'

const BATCH = 200

/** Written down before the first piece is read; the database is opened when it is. */
export async function exportCalendar(
  ctx: Context,
  viewer: Viewer,
  requestId: string | null = null,
): Promise<AsyncGenerator<string>> {
  requireAccess(viewer, 'administer')
  requireAccess(viewer, 'read_full')
  const entry = {
    action: 'calendar_exported',
    actorId: authorId(viewer),
    subjectId: null,
    requestId,
    detail: {},
  } as const
  await inTransaction(ctx.storage, async (db) => {
    await requireAuthor(ctx, db, viewer, 'administer', 'read_full')
    await insertAudit(db, entry, ctx.clock())
  })
  return writeCalendar(ctx)
}

async function* writeCalendar(ctx: Context): AsyncGenerator<string> {
  const { db, close } = await openSnapshot(ctx.storage)
  try {
    // Zones stand before the events that name them, so everything is looked through once before the first word.
    const names = new Set<string>()
    for await (const texts of readTexts(ctx, db)) for (const name of texts.flatMap(zoneNamesIn)) names.add(name)
    yield headOf(ctx)
    for (const name of [...names].sort()) {
      const zone = findZone(name)
      if (zone?.name === name) yield timeZoneText(zone)
    }
    for await (const texts of readTexts(ctx, db)) yield texts.join('')
    yield 'END:VCALENDAR\r\n'
  } finally {
    await close()
  }
}

/** The VEVENTs of every event as stored, but for rules that programs would read differently, in the order of UIDs. */
async function* readTexts({ config }: Context, db: Db): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await listTextsAfter(db, after, BATCH)
    if (rows.length === 0) return
    yield rows.map(({ ical }) => eventBlocks(agreedText(ical, config.timezone)))
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
