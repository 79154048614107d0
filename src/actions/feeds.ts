// Feeds: the whole calendar, or one event, as a file that programs subscribe to. Nothing is cut off.
import { setImmediate as turn } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { findZone } from '../domain/time/zone.ts'
import { fail } from '../errors.ts'
import { FEED_END, feedHead } from '../ical/feed.ts'
import { timeZoneText } from '../ical/time-zones.ts'
import { type FeedFilters, findPublicText, listPublicTexts } from '../storage/feeds.ts'
import { inOwnSnapshot } from '../storage/transaction.ts'
import { type Caller, inLine } from './long-reads.ts'

export type { FeedFilters }

const BATCH = 500

/**
 * What the public may have: texts that were masked when they were written, one after the other, all of one moment. The
 * whole feed is everybody's and never waits; of filtered ones there are as many as somebody cares to ask for.
 */
export const makePublicFeed = (ctx: Context, filters: FeedFilters, caller: Caller): Promise<Buffer> =>
  isWhole(filters) ? readFeed(ctx, filters) : inLine(ctx, caller, () => readFeed(ctx, filters))

export const isWhole = ({ category, from }: FeedFilters): boolean => category === undefined && from === undefined

const readFeed = (ctx: Context, filters: FeedFilters): Promise<Buffer> =>
  inOwnSnapshot(ctx.storage, async (db) => {
    const zones = new Set<string>()
    const parts: Buffer[] = []
    for (let after = -1; ; ) {
      const rows = await listPublicTexts(db, filters, after, BATCH)
      const whole = rows.filter(({ text }) => isWholeEvent(text))
      parts.push(Buffer.from(whole.map(({ text }) => text).join('')))
      for (const { zone } of whole) if (zone !== null) zones.add(zone)
      // One that is broken would break what comes after it too.
      if (whole.length < rows.length)
        ctx.log.error('events were left out of a feed', { count: rows.length - whole.length })
      if (rows.length < BATCH) return assembleFeed(ctx, [...zones].sort(), parts)
      after = rows.at(-1)!.key
      // Whoever else waits for an answer goes first.
      await turn()
    }
  })

const isWholeEvent = (text: string): boolean =>
  text.startsWith('BEGIN:VEVENT\r\n') && text.endsWith('\r\nEND:VEVENT\r\n')

/** One event or series by itself. */
export async function makePublicEventFile(ctx: Context, id: string): Promise<Buffer> {
  const found = (await findPublicText(ctx.storage.reads, id)) ?? fail('event_not_found')
  if (!isWholeEvent(found.text)) fail('event_not_found')
  return assembleFeed(ctx, found.zone === null ? [] : [found.zone], [Buffer.from(found.text)])
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
