// Creates the planned demo events through the actions that the API uses, one at a time.
import { createEvent } from '../../actions/events/events.ts'
import { patchOccurrence } from '../../actions/events/occurrences.ts'
import { listOccurrences } from '../../actions/events/series-occurrences.ts'
import type { Context } from '../../context.ts'
import type { OccurrenceFieldsPatch } from '../../domain/calendar/fields.ts'
import { OPERATOR } from '../../domain/privacy/viewer.ts'
import { formatOccurrenceKey } from '../../domain/recurrence/occurrence-key.ts'
import { DAY_MS, dayOf, MINUTE_MS } from '../../domain/time/instant.ts'
import { requireZone, startOfDay, toWall } from '../../domain/time/zone.ts'
import { countStored } from '../../storage/events/occurrence-index.ts'
import { createDemoCategories } from './categories.ts'
import { wallAt } from './dates.ts'
import { timed } from './fields.ts'
import { planDemo } from './plan.ts'
import type { PlannedEdit } from './planned-event.ts'

export interface FillOptions {
  /** Add to a calendar that already has events. */
  force?: boolean
  onProgress?: (done: number, total: number) => void
}

export interface FillReport {
  events: number
  series: number
  hidden: number
}

export async function fillWithDemo(ctx: Context, { force, onProgress }: FillOptions = {}): Promise<FillReport> {
  const held = await countStored(ctx.storage.reads, 'full', { filters: {} })
  if (held > 0 && !force)
    throw new Error(`the calendar already holds ${held === 1 ? 'an event' : `${held} events`}; --force adds to them`)
  const today = dayOf(toWall(requireZone(ctx.config.timezone), ctx.clock()))
  const plan = planDemo(today)
  await createDemoCategories(ctx)
  let done = 0
  for (const { fields, edits } of plan) {
    const { id } = await createEvent(ctx, OPERATOR, fields, {})
    for (const edit of edits) await editOccurrence(ctx, id, edit)
    done += 1
    onProgress?.(done, plan.length)
  }
  return {
    events: plan.length,
    series: plan.filter(({ fields }) => fields.rrule || fields.rdates?.length).length,
    hidden: plan.filter(({ fields }) => fields.visibility === 'private').length,
  }
}

const LOOK_AHEAD_DAYS = 366

async function editOccurrence(ctx: Context, id: string, { nth, move, words }: PlannedEdit): Promise<void> {
  const zone = requireZone(ctx.config.timezone)
  const tomorrow = dayOf(toWall(zone, ctx.clock())) + 1
  const coming = { from: startOfDay(zone, tomorrow), to: startOfDay(zone, tomorrow + LOOK_AHEAD_DAYS) }
  const { items } = await listOccurrences(ctx, OPERATOR, id, coming, zone, undefined)
  const found = items.filter(({ event }) => event.timing.startAt >= coming.from)[nth - 1]
  if (found?.key === undefined) return
  const patch: OccurrenceFieldsPatch = { ...words }
  if (move) {
    const day = dayOf(found.key) + move.days
    const start = move.time ? wallAt(day, move.time) : found.key + move.days * DAY_MS
    Object.assign(patch, timed(start, found.event.timing.durationMs / MINUTE_MS))
  }
  const keyText = formatOccurrenceKey(found.key, found.event.timing.allDay)
  await patchOccurrence(ctx, OPERATOR, { id, keyText, expected: {} }, patch)
}
