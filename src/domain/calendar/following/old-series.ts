// Writes a change so that the series keeps its times, and later occurrences are exceptions.
import {
  createNominalCheck,
  expandNominalWalls,
  isEndless,
  listNominalWalls,
  startAtOf,
  wholePatternOf,
} from '../../recurrence/occurrences.ts'
import type { LocalMs } from '../../time/instant.ts'
import { requireZone, toWall } from '../../time/zone.ts'
import { listLost } from '../dropped.ts'
import type { Override, Series } from '../event.ts'
import { sortedUnique } from '../repeat.ts'
import { endBefore } from './end-rule.ts'
import { inOrder, laterTiming, overrideFor, type Rescheduled, type ScheduleChange } from './later-exceptions.ts'
import { timingAt } from './later-schedule.ts'
import { MAX_FOLLOWING } from './limits.ts'
import type { OccurrenceValues } from './sides.ts'

/** Times alone: every later occurrence is moved by an override and keeps its key. */
export function writeAsOverrides({ series, key, sides, schedule, values }: ScheduleChange): Rescheduled[] {
  const { timing, shift, isRuleSent } = schedule
  if (!sides.later || isRuleSent || timing.allDay !== series.timing.allDay) return []
  const overrides = sides.later.flatMap((one) => {
    const own = one.override && values.patchOverride(one.override)
    const place = timingAt(timing, one.key + shift)
    const { startAt, durationMs } = one.override ? laterTiming(series, schedule, one.override, one.key + shift) : place
    const { details } = own ?? values.next
    const transparency = own ? (own.transparency ?? series.transparency) : values.next.transparency
    return overrideFor(series, one.key, { details, transparency, startAt, durationMs, override: one.override }) ?? []
  })
  const earlier = series.overrides.filter((one) => one.key < key)
  const { visibility } = values.next
  // The event has its zone only if the series takes it.
  const isOtherZone = timing.zone !== series.timing.zone || timing.floating !== series.timing.floating
  const cost = overrides.length + (isOtherZone ? MAX_FOLLOWING : 0)
  return [{ series: { ...series, visibility, overrides: [...earlier, ...overrides] }, dropped: [], cost }]
}

/** Another rule that ends: the old one ends where they differ, and the dates from there on are extra dates. */
export function writeAsExtraDates({ series, key, sides, schedule, values }: ScheduleChange): Rescheduled[] {
  const { timing, start, rule, rdates, isRuleSent } = schedule
  if (!isRuleSent || sides.earlier?.length === 0 || timing.allDay !== series.timing.allDay) return []
  const tail = wholePatternOf({ ...series, timing: timingAt(timing, start), rule, rdates })
  if (isEndless(tail)) return []
  const { walls, complete } = expandNominalWalls(tail, start, Number.MAX_SAFE_INTEGER, MAX_FOLLOWING + 1)
  if (!complete || walls.length > MAX_FOLLOWING) return []
  const zone = requireZone(series.timing.zone)
  const dates = walls.map((wall) => {
    const startAt = startAtOf(tail, wall)
    return { wall, startAt, key: timing.zone === series.timing.zone || timing.allDay ? wall : toWall(zone, startAt) }
  })
  // The dates that the rule gives anyway stay its dates.
  const given = listNominalWalls({ ...sides.pattern, rdates: [] }, key, Number.MAX_SAFE_INTEGER, walls.length + 1)
  const firstOther = dates.findIndex((date, index) => date.key !== given[index])
  const kept = firstOther === -1 ? dates.length : firstOther
  const end = kept === 0 ? key : given[kept]
  const ended = end === undefined ? { rule: series.rule, exclusions: [] } : endBefore(series, end)
  const added = dates.slice(kept)
  const isEarlier = (wall: LocalMs): boolean => wall < key
  const { visibility } = values.next
  const base: Series = {
    ...series,
    visibility,
    rule: ended.rule,
    rdates: series.rdates.filter(isEarlier),
    exclusions: sortedUnique([...series.exclusions.filter(isEarlier), ...ended.exclusions]),
    overrides: series.overrides.filter((one) => isEarlier(one.key)),
  }
  const isTaken = createNominalCheck(wholePatternOf(base))
  if (added.some((date) => date.key <= series.timing.startWall || isTaken(date.key))) return []
  const changed = { ...base, rdates: sortedUnique([...base.rdates, ...added.map((date) => date.key)]) }
  const places = new Map(walls.map((wall, index) => [wall, dates[index]!]))
  const own = new Map(
    series.overrides.filter((one) => !isEarlier(one.key)).map((one) => [one.key + schedule.shift, one] as const),
  )
  const later = series.exclusions.filter((wall) => !isEarlier(wall))
  const excluded = new Set(later.flatMap((wall) => places.get(wall + schedule.shift)?.key ?? []))
  const edited = dates.flatMap(({ wall, startAt, key: place }) => {
    if (excluded.has(place)) return []
    const override = own.get(wall)
    const patched = override && values.patchOverride(override)
    const at = override ? laterTiming(series, schedule, override, wall) : { startAt, durationMs: timing.durationMs }
    return overrideFor(changed, place, { ...at, override, ...textsOf(patched, series, values.next) }) ?? []
  })
  const lost = [...later, ...[...own.values()].map((one) => one.key)].filter(
    (wall) => !places.has(wall + schedule.shift),
  )
  return [
    {
      series: {
        ...changed,
        exclusions: sortedUnique([...changed.exclusions, ...excluded]),
        overrides: inOrder([...changed.overrides, ...edited]),
      },
      dropped: listLost(series, lost),
      movedKeys: new Map([
        ...changed.overrides.map((one) => [one.key, one.key] as const),
        ...[...own].flatMap(([wall, one]) => (places.has(wall) ? [[one.key, places.get(wall)!.key] as const] : [])),
      ]),
      cost: added.length + edited.length,
    },
  ]
}

function textsOf(
  own: Override | undefined,
  series: Series,
  next: Series,
): Pick<OccurrenceValues, 'details' | 'transparency'> {
  if (!own) return { details: next.details, transparency: next.transparency }
  return { details: own.details, transparency: own.transparency ?? series.transparency }
}
