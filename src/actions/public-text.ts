// What the public may have of an event, made when the event is written and not when somebody asks.
import type { Context } from '../context.ts'
import type { Visibility } from '../domain/calendar/event.ts'
import { runSteps, type Steps } from '../domain/steps.ts'
import { findMain, sequenceOf } from '../ical/decode.ts'
import type { OpenObject } from '../ical/encode.ts'
import { publicEventTextInSteps } from '../ical/encode-public.ts'
import { signedName } from '../secrets.ts'
import type { EventRow } from '../storage/tables.ts'

export type Known = Pick<EventRow, 'id' | 'updated_at' | 'mask_epoch'>

/** An event of which it cannot be made is, for the public, not there; nothing else is ever put in its place. */
export function* publicTextInSteps(ctx: Context, { tree, series }: OpenObject, known: Known): Steps<string> {
  try {
    const main = findMain(tree)
    return yield* publicEventTextInSteps(series, {
      uid: series.uid,
      maskedUid: `${signedName(ctx.secret, `masked uid ${known.id} ${known.mask_epoch}`)}@calendar`,
      updatedAt: known.updated_at,
      sequence: (main && sequenceOf(main)) ?? 0,
    })
  } catch {
    ctx.log.error('an event could not be made ready for the public', { event_id: known.id })
    return ''
  }
}

export const publicTextOf = (ctx: Context, open: OpenObject, known: Known): string =>
  runSteps(publicTextInSteps(ctx, open, known))

/** Each time an event stops being public it takes another name, so that nobody can follow it there by the old one. */
export const epochAfter = (before: Pick<EventRow, 'visibility' | 'mask_epoch'>, visibility: Visibility): number =>
  before.mask_epoch + (before.visibility === 'public' && visibility === 'private' ? 1 : 0)
