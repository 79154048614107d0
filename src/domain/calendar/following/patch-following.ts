// Patches an occurrence and all later ones: the side with fewer occurrences is stored as overrides.
import { fail, failField } from '../../../errors.ts'
import { Problems } from '../../problems.ts'
import type { Steps } from '../../steps.ts'
import type { LocalMs } from '../../time/instant.ts'
import { DETAIL_FIELDS, type Override, type Series, type Transparency, type Visibility } from '../event.ts'
import type { Defaults, FieldsPatch } from '../fields.ts'
import { sortedUnique } from '../repeat.ts'
import { isSameApartFromExceptions, isSameDetails, isSameList } from '../unchanged.ts'
import { nominalTiming, patchDetails, type SeriesUpdate } from '../update.ts'
import { laterTiming } from './later-exceptions.ts'
import { changesSchedule, type LaterSchedule, readLaterSchedule, timingAt } from './later-schedule.ts'
import { MAX_FOLLOWING } from './limits.ts'
import { reschedule } from './reschedule.ts'
import { listSides, type SeriesOccurrence, withTransparency } from './sides.ts'

/** The fields of a series that may differ from one occurrence on; the visibility is that of the whole event. */
export type FollowingPatch = Omit<FieldsPatch, 'rdates' | 'exdates'>

/**
 * Every field in the patch has the given value in all occurrences from the key on, edited ones included; all their other
 * fields, and the occurrences before the key, stay as they are. Returns the series itself where nothing changes.
 */
export function* patchFollowing(
  series: Series,
  key: LocalMs,
  patch: FollowingPatch,
  defaults: Defaults,
): Steps<SeriesUpdate> {
  const problems = new Problems()
  const details = patchDetails(series.details, patch, problems)
  const visibility = visibilityAfter(series, patch, defaults, problems)
  const sides = listSides(series, key, MAX_FOLLOWING)
  yield
  const schedule = changesSchedule(patch)
    ? readLaterSchedule(series, sides.pattern, key, patch, defaults, problems)
    : undefined
  const isOtherKind = schedule !== undefined && schedule.timing.allDay !== series.timing.allDay
  // Also where all earlier occurrences are deleted: the public does not know which of those are cancelled instead.
  const isWhole = key === series.timing.startWall && sides.earlier?.length === 0
  if (isOtherKind && !isWhole) problems.add('/all_day', 'not_allowed')
  problems.throwIfAny()
  yield
  const transparency = patch.transparency === null ? 'opaque' : (patch.transparency ?? series.transparency)
  const sent = Object.fromEntries(
    DETAIL_FIELDS.filter((field) => patch[field] !== undefined).map((field) => [field, details[field]]),
  )
  const patchTexts = (override: Override): Override =>
    withTransparency(
      { ...override, details: { ...override.details, ...sent } },
      patch.transparency === undefined ? (override.transparency ?? series.transparency) : transparency,
      series.transparency,
    )
  if (schedule && !isSameSchedule(series, key, schedule)) {
    const next = { ...series, details, transparency, visibility }
    const values = { next, mayLead: mayLead(series, next, sides.earlier), patchOverride: patchTexts }
    const update = yield* reschedule(series, key, sides, schedule, values)
    return isSameSeries(series, update.series) ? { series, dropped: [] } : update
  }
  const patchOverride = (override: Override): Override => {
    const timing = schedule ? laterTiming(series, schedule, override, override.key) : override.timing
    return { ...patchTexts(override), timing }
  }
  const isEarlier = (override: Override): boolean => override.key < key
  const patched = {
    ...series,
    visibility,
    overrides: series.overrides.map((one) => (isEarlier(one) ? one : patchOverride(one))),
  }
  yield
  const isNew = !isSameDetails(details, series.details) || transparency !== series.transparency
  const changed = isNew ? replaceFrom(patched, key, { ...patched, details, transparency }) : patched
  yield
  return { series: isSameSeries(series, changed) ? series : changed, dropped: [] }
}

/** Whether only edited occurrences can differ from the times and the rule that a patch sets. */
function isSameSchedule(
  { timing }: Series,
  key: LocalMs,
  { timing: later, shift, isRuleSent }: LaterSchedule,
): boolean {
  if (isRuleSent || shift !== 0) return false
  const nominal = timingAt(timing, key)
  return JSON.stringify({ ...nominal, ...later }) === JSON.stringify(nominal)
}

/** Of a cancelled private series the public sees nothing, whatever its occurrences say. */
const mayLead = (series: Series, next: Series, earlier: readonly SeriesOccurrence[] | undefined): boolean =>
  next.visibility === 'public' ||
  next.details.status !== 'cancelled' ||
  series.details.status === 'cancelled' ||
  earlier?.every(({ details }) => details.status === 'cancelled') === true

/** A private series has no public occurrences: who makes all later ones private makes the event private. */
function visibilityAfter(
  series: Series,
  { visibility }: FollowingPatch,
  defaults: Defaults,
  problems: Problems,
): Visibility {
  const wanted = visibility === null ? defaults.visibility : (visibility ?? series.visibility)
  if (wanted === 'public' && series.visibility === 'private') problems.add('/visibility', 'not_allowed')
  return wanted
}

/** `next` has the values of the later occurrences, and the dates and overrides of `series`. */
function replaceFrom(series: Series, key: LocalMs, next: Series): Series {
  const { pattern, earlier, later } = listSides(series, key, MAX_FOLLOWING)
  const timingAt = (wall: LocalMs) => nominalTiming(series, pattern, wall)
  const makeOverrides = (side: SeriesOccurrence[], values: Series, base: Transparency): Override[] =>
    side.map(({ key: wall, override, transparency }) => {
      const own = override ?? { key: wall, details: values.details, timing: timingAt(wall) }
      return withTransparency(own, override ? transparency : values.transparency, base)
    })
  const sideOf = (isWanted: (wall: LocalMs) => boolean) => series.overrides.filter((one) => isWanted(one.key))
  const isLed = mayLead(series, next, earlier)
  if (earlier && isLed && earlier.length <= (later?.length ?? Number.POSITIVE_INFINITY)) {
    const kept = sideOf((wall) => wall >= key).map((one) =>
      withTransparency(one, one.transparency ?? series.transparency, next.transparency),
    )
    return { ...next, overrides: [...makeOverrides(earlier, series, next.transparency), ...kept] }
  }
  if (!later) return isLed ? fail('too_many_overrides') : failField('/status', 'not_allowed')
  return { ...series, overrides: [...sideOf((wall) => wall < key), ...makeOverrides(later, next, series.transparency)] }
}

const isSameSeries = (before: Series, after: Series): boolean =>
  isSameApartFromExceptions(before, after) &&
  isSameList(sortedUnique(before.exclusions), after.exclusions) &&
  JSON.stringify(before.overrides) === JSON.stringify(after.overrides)
