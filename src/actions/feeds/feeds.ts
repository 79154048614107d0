// Public iCalendar feeds: the whole calendar, a filtered one, or one event; never truncated.
import type { Context } from '../../context.ts'
import { findZone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import { FEED_END, feedHead } from '../../ical/text/calendar-frame.ts'
import { timeZoneText } from '../../ical/zones/vtimezone.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import {
  type FeedFilters,
  findPublicText,
  findPublicTextOctets,
  joinPublicTexts,
  planFeed,
} from '../../storage/events/feeds.ts'
import type { Db } from '../../storage/tables.ts'
import { type Caller, withPermit } from '../costly-work/semaphore.ts'

export type { FeedFilters }

/** Called with the bytes that a feed is about to take; fails where there is no room for them. */
export type ReserveBytes = (bytes: number) => void

export interface FeedOptions {
  reserve: ReserveBytes
  /** Longer feeds are not cached, but built for each request. */
  maxKeptBytes: number
}

/**
 * Concatenates texts that were masked when they were written, all from one snapshot. One whole feed is built at a time,
 * in its own queue; filtered feeds take read permits, as clients can ask for any number of them.
 */
export const createPublicFeed = (
  ctx: Context,
  filters: FeedFilters,
  caller: Caller,
  options: FeedOptions,
): Promise<Buffer> =>
  isWhole(filters)
    ? createWholeFeed(ctx, filters, caller, options)
    : withPermit(ctx, caller, (begin) => readFeed(ctx, filters, options.reserve, begin))

/**
 * A feed that is cached is built once for each change of the calendar, whichever client asks first: it is not charged
 * to that client and does not wait behind its other work.
 */
function createWholeFeed(
  ctx: Context,
  filters: FeedFilters,
  caller: Caller,
  { reserve, maxKeptBytes }: FeedOptions,
): Promise<Buffer> {
  let length = 0
  const subscriber: Caller = {
    key: 'feed',
    charge(costMs) {
      if (length > maxKeptBytes) caller.charge(costMs)
    },
  }
  const reserveLength: ReserveBytes = (bytes) => {
    length = bytes
    reserve(bytes)
  }
  return runForService(() =>
    withPermit(ctx, subscriber, (begin) => readFeed(ctx, filters, reserveLength, begin), { queue: 'feeds' }),
  )
}

export const isWhole = ({ categories, from }: FeedFilters): boolean => categories === undefined && from === undefined

/** The length is known before the first text is read, so the feed is written into one buffer. */
const readFeed = (ctx: Context, filters: FeedFilters, reserve: ReserveBytes, begin: () => void): Promise<Buffer> =>
  inOwnSnapshot(
    ctx.storage,
    async (db) => {
      const { parts, octets, zones } = await planFeed(db, filters)
      const head = await headText(ctx, zones)
      const length = Buffer.byteLength(head) + octets + FEED_END.length
      reserve(length)
      const feed = Buffer.allocUnsafeSlow(length)
      const timer = createSliceTimer()
      let end = feed.write(head)
      for (const keys of parts) {
        const { text, count } = await joinPublicTexts(db, keys)
        end += feed.write(text, end)
        if (count < keys.length) ctx.log.error('events were left out of a feed', { count: keys.length - count })
        await timer.pause()
      }
      end += feed.write(FEED_END, end)
      return feed.subarray(0, end)
    },
    begin,
  )

const isWholeEvent = (text: string): boolean =>
  text.startsWith('BEGIN:VEVENT\r\n') && text.endsWith('\r\nEND:VEVENT\r\n')

/** A longer text is read off the event loop, with a permit. */
const LIGHT_TEXT_OCTETS = 256 * 1_024

/** One event or series as a file; a long one is a costly read. */
export async function createPublicEventFile(
  ctx: Context,
  id: string,
  caller: Caller,
  reserve: ReserveBytes,
): Promise<Buffer> {
  const octets = (await findPublicTextOctets(ctx.storage.reads, id)) ?? fail('event_not_found')
  if (octets <= LIGHT_TEXT_OCTETS) return readEventFile(ctx, ctx.storage.reads, id)
  reserve(octets)
  return withPermit(ctx, caller, (begin) => inOwnSnapshot(ctx.storage, (db) => readEventFile(ctx, db, id), begin))
}

async function readEventFile(ctx: Context, db: Db, id: string): Promise<Buffer> {
  const found = (await findPublicText(db, id)) ?? fail('event_not_found')
  if (!isWholeEvent(found.text)) fail('event_not_found')
  return assembleFeed(ctx, found.zone === null ? [] : [found.zone], [Buffer.from(found.text)])
}

/** Copies the events in steps that yield; each buffer is released once it is copied. */
export async function assembleFeed(ctx: Context, zones: readonly string[], events: Buffer[]): Promise<Buffer> {
  const head = Buffer.from(await headText(ctx, zones))
  const length = events.reduce((sum, { length }) => sum + length, head.length + FEED_END.length)
  const feed = Buffer.allocUnsafeSlow(length)
  const timer = createSliceTimer()
  let end = head.copy(feed)
  for (const [i, part] of events.entries()) {
    end += part.copy(feed, end)
    events[i] = NOTHING
    await timer.pause()
  }
  feed.write(FEED_END, end)
  return feed
}

const NOTHING = Buffer.alloc(0)

/** A zone that is no longer known gets no definition; this affects its own events only. */
async function headText(ctx: Context, zones: readonly string[]): Promise<string> {
  const { siteName: name, timezone: zone } = ctx.config
  const parts = [feedHead({ name, zone })]
  const timer = createSliceTimer()
  for (const zoneName of zones) {
    const known = findZone(zoneName)
    if (known) parts.push(timeZoneText(known))
    await timer.pause()
  }
  return parts.join('')
}
