// Parses and prints the iCalendar text of an event and derives its columns, in steps that yield.
import type { Context } from '../../context.ts'
import type { Series } from '../../domain/calendar/event.ts'
import { findSizeBreachInSteps } from '../../domain/calendar/event-limits.ts'
import { runSteps, type Steps } from '../../domain/steps.ts'
import { fail } from '../../errors.ts'
import { decodeInSteps, isDecodeProblem } from '../../ical/decode.ts'
import { encodeInSteps, type OpenObject } from '../../ical/encode.ts'
import { isParseProblem, parseInSteps } from '../../ical/text/parse.ts'
import { printCalendarInSteps } from '../../ical/text/print.ts'
import { isOversized } from '../../ical/text/text-size.ts'
import type { IndexSpan } from '../../storage/events/calendar.ts'
import { type Derived, deriveInSteps } from '../../storage/events/derive.ts'
import type { EventRow, PublicRecord } from '../../storage/tables.ts'
import { type PublicTextRow, publicTextInSteps } from './public-text.ts'

/** Parses a stored text, the source of truth of an event, into its tree and series. */
export const openStoredText = (ical: string, fallbackZone: string): OpenObject => runSteps(openText(ical, fallbackZone))

/** Thrown when the text of a stored event cannot be read. */
class StoredTextError extends Error {
  override readonly name = 'StoredTextError'
  readonly code: 'not_parsed' | 'not_decoded'

  constructor(code: StoredTextError['code']) {
    super(`a stored event cannot be read: ${code}`)
    this.code = code
  }
}

export function* openText(ical: string, fallbackZone: string): Steps<OpenObject> {
  const tree = yield* parseInSteps(ical)
  if (isParseProblem(tree)) throw new StoredTextError('not_parsed')
  yield
  const series = yield* decodeInSteps(tree, fallbackZone)
  if (isDecodeProblem(series)) throw new StoredTextError('not_decoded')
  return { tree, series }
}

/**
 * A stored private event stays private, whatever its text says. Older versions dropped CLASS of a duplicate override
 * from the text; the column still has it, and the public must not see more because of that.
 */
export const withStoredVisibility = (
  { tree, series }: OpenObject,
  { visibility }: Pick<EventRow, 'visibility'>,
): OpenObject => ({
  tree,
  series: visibility === 'private' ? { ...series, visibility } : series,
})

/** The stored texts of an event, and what is derived from them. */
export interface Texts extends PublicRecord {
  ical: string
  derived: Derived
}

/**
 * Columns come from the printed text, parsed again, so that a rebuild finds what is stored. `replaced` is the text of
 * `before`, if the event must not grow beyond the size limits of files.
 */
export function* writeTexts(
  ctx: Context,
  series: Series,
  span: IndexSpan,
  known: PublicTextRow,
  before?: OpenObject,
  replaced?: string,
): Steps<Texts> {
  const tree = yield* encodeInSteps(series, known.updated_at, before)
  yield
  const ical = yield* printCalendarInSteps(tree)
  if (replaced !== undefined && isOversized(ical, replaced)) fail('event_too_large')
  yield
  const written = yield* openText(ical, ctx.config.timezone)
  yield
  if (replaced !== undefined) yield* requireSize(written.series, before?.series)
  return yield* textsInSteps(ctx, ical, written, span, known)
}

function* requireSize(series: Series, before: Series | undefined): Steps<void> {
  const breach = yield* findSizeBreachInSteps(series, before)
  if (breach) fail(breach === 'too_many_words' ? 'event_too_large' : breach)
}

/** `written` is the parsed text: the only source of every column. */
export function* textsInSteps(
  ctx: Context,
  ical: string,
  written: OpenObject,
  span: IndexSpan,
  known: PublicTextRow,
): Steps<Texts> {
  const publicIcal = yield* publicTextInSteps(ctx, written, known, span)
  yield
  const derived = yield* deriveInSteps(written.series, span)
  return { ical, public_ical: publicIcal, mask_epoch: known.mask_epoch, derived }
}
