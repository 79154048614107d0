// Moves the exceptions of later occurrences with them, and makes the overrides that others need.
import { createNominalCheck, wholePatternOf } from '../../recurrence/occurrences.ts'
import type { Steps } from '../../steps.ts'
import { dayOf, type LocalMs, wallOfDay } from '../../time/instant.ts'
import { requireZone, toWall } from '../../time/zone.ts'
import type { Override, Series, Timing } from '../event.ts'
import { isSameDetails } from '../unchanged.ts'
import type { SeriesUpdate } from '../update.ts'
import { type LaterSchedule, startIn, timingAt } from './later-schedule.ts'
import { type OccurrenceValues, type SeriesOccurrence, type SeriesSides, withTransparency } from './sides.ts'

export interface Rescheduled extends SeriesUpdate {
  /** Exceptions and extra dates that this way of writing it adds. */
  cost: number
}

export interface LaterValues {
  /** The series with the texts of the later occurrences, and the times that it had. */
  next: Series
  /** False where the earlier occurrences could not be shown as before, if the series had the values of the later ones. */
  mayLead: boolean
  /** An override of a later occurrence, with its texts patched. */
  patchOverride: (override: Override) => Override
}

export interface ScheduleChange {
  series: Series
  key: LocalMs
  sides: SeriesSides
  schedule: LaterSchedule
  values: LaterValues
}

export interface MovedExceptions {
  exclusions: LocalMs[]
  overrides: Override[]
  dropped: LocalMs[]
  movedKeys: [LocalMs, LocalMs][]
}

/** Looking up a date takes up to 20 µs. */
const KEYS_AT_ONCE = 200

/** Exceptions from the key on move with their occurrences; those without a later occurrence are dropped. */
export function* moveLater(
  { series, key, schedule, values, sides }: ScheduleChange,
  changed: Series,
  earlier: ReadonlySet<LocalMs>,
): Steps<MovedExceptions> {
  const { allDay } = schedule.timing
  const pattern = wholePatternOf(changed)
  const [isDate, wasNominal] = [createNominalCheck(pattern), createNominalCheck(sides.pattern)]
  const isNominal = (wall: LocalMs): boolean => isDate(wall) && !earlier.has(wall)
  const moved = (wall: LocalMs): LocalMs => (allDay ? wallOfDay(dayOf(wall + schedule.shift)) : wall + schedule.shift)
  const moves: MovedExceptions = { exclusions: [], overrides: [], dropped: [], movedKeys: [] }
  for (const [index, wall] of series.exclusions.entries()) {
    if (index % KEYS_AT_ONCE === KEYS_AT_ONCE - 1) yield
    if (wall < key) continue
    if (isNominal(moved(wall))) moves.exclusions.push(moved(wall))
    else moves.dropped.push(wall)
  }
  for (const [index, override] of series.overrides.entries()) {
    if (index % KEYS_AT_ONCE === KEYS_AT_ONCE - 1) yield
    if (override.key < key) continue
    const place = moved(override.key)
    const isLost = earlier.has(place) || schedule.isRuleSent || wasNominal(override.key)
    if (!isNominal(place) && isLost) moves.dropped.push(override.key)
    else {
      const timing = laterTiming(series, schedule, override, place)
      const patched = { ...values.patchOverride(override), key: place, timing }
      const transparency = patched.transparency ?? series.transparency
      moves.overrides.push(withTransparency(patched, transparency, changed.transparency))
      moves.movedKeys.push([override.key, place])
    }
  }
  return moves
}

/** A later occurrence that was moved keeps its own start or length where the patch does not set that. */
export function laterTiming({ timing }: Series, schedule: LaterSchedule, own: Override, place: LocalMs): Timing {
  const nominal = timingAt(schedule.timing, place)
  const isMoved = own.timing.startAt !== timingAt(timing, own.key).startAt
  const isOtherLength = own.timing.durationMs !== timing.durationMs
  const durationMs = isOtherLength && !schedule.isLengthSent ? own.timing.durationMs : nominal.durationMs
  if (schedule.isStartSent || !isMoved) return { ...nominal, durationMs }
  const { startWall, startAt } = own.timing
  const isSameZone = schedule.timing.zone === timing.zone
  return {
    ...schedule.timing,
    startWall,
    startAt: isSameZone ? startAt : startIn(schedule.timing, startWall),
    durationMs,
  }
}

/** The override that an occurrence needs at this key of a series; undefined where the series gives all of it. */
export function overrideFor(
  series: Series,
  key: LocalMs,
  wanted: OccurrenceValues & Pick<SeriesOccurrence, 'override'>,
): Override | undefined {
  const { details, transparency, startAt, durationMs, override } = wanted
  const nominal = timingAt(series.timing, key)
  const isNominal = startAt === nominal.startAt && durationMs === nominal.durationMs
  const isUsual = transparency === series.transparency
  if (!override && isNominal && isUsual && isSameDetails(details, series.details)) return undefined
  const { allDay, zone } = series.timing
  const startWall = isNominal ? key : allDay ? startAt : toWall(requireZone(zone), startAt)
  const timing = { ...nominal, startWall, startAt, durationMs }
  return { key, details, timing, ...(isUsual ? {} : { transparency }) }
}

export const inOrder = (overrides: Override[]): Override[] => overrides.sort((a, b) => a.key - b.key)
