// Feeds: the whole calendar, or one event, as a file that programs subscribe to. Nothing is cut off.
import { setImmediate as turn } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { findZone } from '../domain/time/zone.ts'
import { fail } from '../errors.ts'
import { FEED_END, feedHead } from '../ical/feed.ts'
import { timeZoneText } from '../ical/time-zones.ts'
import { type FeedFilters, findPublicText, listPublicTexts, listPublicZones } from '../storage/feeds.ts'
import type { Db } from '../storage/tables.ts'
import { inSnapshot } from '../storage/transaction.ts'

export type { FeedFilters }

const BATCH = 1_000

/** What the public may have: texts that were masked when they were written, one after the other, all of one moment. */
export const makePublicFeed = (ctx: Context, filters: FeedFilters): Promise<Buffer> =>
  inSnapshot(ctx.storage, async (db) => {
    const zones = await listPublicZones(db, filters)
    return assembleFeed(ctx, zones, await readTexts(ctx, db, filters))
  })

async function readTexts(ctx: Context, db: Db, filters: FeedFilters): Promise<Buffer[]> {
  const parts: Buffer[] = []
  for (let after = -1; ; ) {
    const rows = await listPublicTexts(db, filters, after, BATCH)
    const whole = rows.filter(({ text }) => isWholeEvent(text))
    parts.push(Buffer.from(whole.map(({ text }) => text).join('')))
    // One that is broken would break what comes after it too.
    if (whole.length < rows.length)
      ctx.log.error('events were left out of a feed', { count: rows.length - whole.length })
    if (rows.length < BATCH) return parts
    after = rows.at(-1)!.key
    // Whoever else waits for an answer goes first.
    await turn()
  }
}

const isWholeEvent = (text: string): boolean =>
  text.startsWith('BEGIN:VEVENT\r\n') && text.endsWith('\r\nEND:VEVENT\r\n')

/** One event or series by itself. */
export async function makePublicEventFile(ctx: Context, id: string): Promise<Buffer> {
  const found = (await findPublicText(ctx.storage.reads, id)) ?? fail('event_not_found')
  if (!isWholeEvent(found.text)) fail('event_not_found')
  return assembleFeed(ctx, found.zone === undefined ? [] : [found.zone], [Buffer.from(found.text)])
}

/** A zone that is not known any more takes its own events' clock away, and nobody else's calendar. */
export function assembleFeed(ctx: Context, zones: readonly string[], events: readonly Buffer[]): Buffer {
  const { siteName: name, timezone: zone } = ctx.config
  const definitions = zones.flatMap((zoneName) => findZone(zoneName) ?? []).map(timeZoneText)
  return Buffer.concat([
    Buffer.from([feedHead({ name, zone }), ...definitions].join('')),
    ...events,
    Buffer.from(FEED_END),
  ])
}
