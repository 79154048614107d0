// Makes the event that an earlier version was, out of its text, for readers with full access.
import type { Context } from '../../context.ts'
import type { ShownVersion } from '../../domain/calendar/compare-events.ts'
import type { Visibility } from '../../domain/calendar/event.ts'
import { show } from '../../domain/privacy/mask.ts'
import type { Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { deriveInSteps } from '../../storage/events/derive.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import { eventFromRow, withRepetition } from '../events/event-mapper.ts'
import { openText, withStoredVisibility } from '../events/event-texts.ts'

/** A version of an event: its text, and what the text does not contain. */
export interface VersionedText {
  id: string
  key: number
  version: number
  visibility: Visibility
  createdAt: Instant
  createdBy: string | null
  changedAt: Instant
  changedBy: string | null
  ical: string
}

/** Undefined where its text cannot be read. */
export async function viewVersion(ctx: Context, text: VersionedText): Promise<ShownVersion | undefined> {
  try {
    return await runYielding(viewInSteps(ctx, text))
  } catch {
    ctx.log.error('a version of an event could not be shown', { event_id: text.id, version: text.version })
    return undefined
  }
}

function* viewInSteps(ctx: Context, text: VersionedText): Steps<ShownVersion> {
  const { id, key, version, ical, changedAt, changedBy } = text
  const { series } = withStoredVisibility(yield* openText(ical, ctx.config.timezone), text)
  yield
  const { columns, exceptions } = yield* deriveInSteps(series, NO_SPAN)
  yield
  const made = { created_at: text.createdAt, created_by: text.createdBy }
  const changed = { updated_at: changedAt, updated_by: changedBy, version, revision: 0 }
  const row = { key, id, ...columns, ...made, ...changed }
  // The text does not say when an exception was made: no later than this version.
  const rows = exceptions.map((row) => ({ event_key: key, ...row, created_at: changedAt, created_by: changedBy }))
  const event = show(withRepetition(eventFromRow(row, ctx.secret), row, rows), 'full')
  if (event?.level !== 'full') throw new Error('an earlier version is shown in full')
  return { event, ical }
}

/** Its occurrences are not needed. */
const NO_SPAN = { from: 0, to: 1, internalCategories: '[]' }
