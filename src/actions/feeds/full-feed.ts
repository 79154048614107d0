// Feed with full details for accounts: every event, read through the masking read model.
import type { Context } from '../../context.ts'
import type { Details, Override, Series } from '../../domain/calendar/event.ts'
import type { ExceptionRecord, FullEvent } from '../../domain/privacy/mask.ts'
import { type Pattern, resolvePattern, startAtOf } from '../../domain/recurrence/occurrences.ts'
import { parseRule } from '../../domain/recurrence/rule.ts'
import { requireZone, toWall } from '../../domain/time/zone.ts'
import { fullEventTextInSteps } from '../../ical/encode-public.ts'
import { createSliceTimer, type SliceTimer } from '../../scheduling/event-loop.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import { listFeedSizes } from '../../storage/events/listed-rows.ts'
import type { Db } from '../../storage/tables.ts'
import { type Caller, withPermit } from '../costly-work/semaphore.ts'
import { batchByBytes } from '../events/byte-batches.ts'
import { viewStored } from '../events/masked-reads.ts'
import { feedSequence } from '../events/public-text.ts'
import { assembleFeed, type ReserveBytes } from './feeds.ts'

const KEYS_AT_ONCE = 500

/** `categories` leaves out all events of others, private ones included. */
export const createFullFeed = (
  ctx: Context,
  categories: readonly string[] | undefined,
  caller: Caller,
  reserve: ReserveBytes,
): Promise<Buffer> => withPermit(ctx, caller, (begin) => readFullFeed(ctx, categories, reserve, begin))

const readFullFeed = (
  ctx: Context,
  categories: readonly string[] | undefined,
  reserve: ReserveBytes,
  begin: () => void,
): Promise<Buffer> =>
  inOwnSnapshot(
    ctx.storage,
    async (db) => {
      const zones = new Set<string>()
      const parts: Buffer[] = []
      for (let after = -1; ; ) {
        const sizes = await listFeedSizes(db, categories, after, KEYS_AT_ONCE)
        for (const batch of batchByBytes(sizes, ({ octets }) => octets)) {
          const keys = batch.map(({ key }) => key)
          const part = await readEvents(ctx, db, keys, zones)
          reserve(part.length)
          parts.push(part)
        }
        if (sizes.length < KEYS_AT_ONCE) return assembleFeed(ctx, [...zones].sort(), parts)
        after = sizes.at(-1)!.key
      }
    },
    begin,
  )

async function readEvents(ctx: Context, db: Db, keys: readonly number[], zones: Set<string>): Promise<Buffer> {
  const placed = keys.map((event_key) => ({ event_key }))
  const texts: string[] = []
  const timer = createSliceTimer()
  for (const { event } of (await viewStored(ctx, db, 'full', placed)) ?? []) {
    if (event.level !== 'full') continue
    try {
      texts.push(await textOf(event, timer))
      const { allDay, zone } = event.timing
      if (!allDay && zone !== 'UTC') zones.add(zone)
    } catch {
      ctx.log.error('an event could not be written into a feed', { event_id: event.id })
    }
  }
  return Buffer.from(texts.join(''))
}

/** Yields to the event loop between edited occurrences. */
async function textOf(event: FullEvent, timer: SliceTimer): Promise<string> {
  const { uid, updatedAt } = event.record
  const steps = fullEventTextInSteps(seriesOf(event), { uid, updatedAt, sequence: feedSequence(updatedAt) })
  for (;;) {
    const { done, value } = steps.next()
    await timer.pause()
    if (done) return value
  }
}

/** The series as it is shown: without unknown properties, attendees or alarms. */
function seriesOf({ record, visibility, details, timing, rrule, repetition, exceptions = [] }: FullEvent): Series {
  const rule = rrule === null ? undefined : parseRule(rrule)
  if (typeof rule === 'string') throw new Error('a rule that cannot be read')
  const rdates = repetition?.rdates ?? []
  const pattern = resolvePattern({ ...timing, zone: requireZone(timing.zone), rule, rdates })
  return {
    uid: record.uid,
    visibility,
    transparency: record.transparency,
    details,
    timing,
    rule,
    rdates,
    exclusions: repetition?.exdates ?? [],
    overrides: exceptions
      .filter(({ type }) => type === 'overridden')
      .map((exception) => overrideOf(exception, details, pattern)),
  }
}

/** Fields that the override does not change come from the series. */
function overrideOf({ key, changes, transparency }: ExceptionRecord, details: Details, pattern: Pattern): Override {
  const { startAt = startAtOf(pattern, key), endAt = startAt + pattern.durationMs, ...words } = changes
  const { allDay, zone } = pattern
  const startWall = allDay ? startAt : toWall(zone, startAt)
  const timing = { allDay, zone: zone.name, startWall, startAt, durationMs: endAt - startAt }
  return { key, details: { ...details, ...words }, timing, ...(transparency ? { transparency } : {}) }
}
