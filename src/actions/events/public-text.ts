// Builds the public iCalendar text of an event, masked if private, when the event is written.
import type { Context } from '../../context.ts'
import type { Visibility } from '../../domain/calendar/event.ts'
import { withoutInternalCategories } from '../../domain/privacy/internal-categories.ts'
import type { Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import type { OpenObject } from '../../ical/encode.ts'
import { publicEventTextInSteps } from '../../ical/encode-public.ts'
import { signedName } from '../../secrets.ts'
import type { IndexSpan } from '../../storage/events/calendar.ts'
import type { EventRow } from '../../storage/tables.ts'

export type PublicTextRow = Pick<EventRow, 'id' | 'updated_at' | 'mask_epoch'>

/** If it cannot be built, the event has no public text; nothing else takes its place. */
export function* publicTextInSteps(
  ctx: Pick<Context, 'secret' | 'log'>,
  { series }: OpenObject,
  known: PublicTextRow,
  { internalCategories }: Pick<IndexSpan, 'internalCategories'>,
): Steps<string> {
  try {
    return yield* publicEventTextInSteps(withoutInternalCategories(series, internalCategories), {
      uid: series.uid,
      maskedUid: () => `${signedName(ctx.secret, `masked uid ${known.id} ${known.mask_epoch}`)}@calendar`,
      updatedAt: known.updated_at,
      sequence: feedSequence(known.updated_at),
    })
  } catch {
    ctx.log.error('the public text of an event could not be built', { event_id: known.id })
    return ''
  }
}

/** 1 January 2020. SEQUENCE has 31 bits: seconds since 1970 would overflow it in 2038. */
const SEQUENCE_EPOCH = 1_577_836_800_000

/**
 * SEQUENCE of an event in a feed: it grows with every change and reveals no more than LAST-MODIFIED. The number of
 * changes would reveal how often the event was edited while it was private, and the version has more than 31 bits
 * after a restore.
 */
export const feedSequence = (updatedAt: Instant): number =>
  Math.max(0, Math.floor((updatedAt - SEQUENCE_EPOCH) / 1_000))

/** Each change from public to private starts a new mask epoch: the new masked UID cannot be linked to earlier ones. */
export const epochAfter = (before: Pick<EventRow, 'visibility' | 'mask_epoch'>, visibility: Visibility): number =>
  before.mask_epoch + (before.visibility === 'public' && visibility === 'private' ? 1 : 0)
