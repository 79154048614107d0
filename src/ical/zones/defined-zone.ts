// A zone made of the rules of its VTIMEZONE, for definitions that match no IANA zone.
import {
  DAY_MS,
  dayOf,
  FIRST_YEAR,
  LAST_YEAR,
  type LocalMs,
  wallFromParts,
  wallOfDay,
} from '../../domain/time/instant.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import type { Range } from '../../domain/time/window.ts'
import { createZone, offsetAt, requireZone, toInstant, type Zone } from '../../domain/time/zone.ts'
import { type Component, type Property, splitList } from '../text/tree.ts'
import { parseDuration, utcLine } from '../times.ts'
import { createReadBudget, readChanges } from './observances.ts'
import { COMMON_ZONES } from './zone-match.ts'

const SUPPORTED_YEARS = { from: wallFromParts(FIRST_YEAR - 1, 1, 1), to: wallFromParts(LAST_YEAR + 2, 1, 1) }

/** Zones with own rules in one event; reading one takes some milliseconds. */
export const MAX_DEFINED = 10

/** Its name is that of no zone: times in it must be converted before they are stored. */
export function readDefinedZone(definition: Component): Zone | undefined {
  const changes = readChanges(definition, createReadBudget(), SUPPORTED_YEARS)
  if (!changes) return undefined
  const real = changes.filter(({ to }, i) => to !== (i === 0 ? changes[0]!.from : changes[i - 1]!.to))
  return createZone(
    '',
    real.map(({ at }) => at),
    [changes[0]!.from, ...real.map(({ to }) => to)],
  )
}

/** At a single moment many zones have the same offset; half a year includes a change of most. */
const HALF_YEAR_MS = 183 * DAY_MS

/** A well-known zone with the same offsets in this range and half a year after it; at other times they may differ. */
export const findZoneLike = (zone: Zone, { from, to }: Range, preferred: Zone): Zone | undefined =>
  findZoneWithin(zone, { from, to: to + HALF_YEAR_MS }, preferred)

/** The same for this range alone: enough to place times in it, too little to name the zone. */
export const findZoneWithin = (zone: Zone, range: Range, preferred: Zone): Zone | undefined =>
  [preferred, ...COMMON_ZONES.map(requireZone)].find((other) => isAlike(zone, other, range))

/** A day on both sides: a wall time depends on the changes around it. */
function isAlike(one: Zone, other: Zone, { from, to }: Range): boolean {
  const first = from - DAY_MS
  const changesIn = ({ transitions }: Zone): string => transitions.filter((at) => at > first && at < to + DAY_MS).join()
  const offsetsOf = (zone: Zone): string =>
    [first, ...zone.transitions.filter((at) => at > first && at < to + DAY_MS)].map((at) => offsetAt(zone, at)).join()
  return changesIn(one) === changesIn(other) && offsetsOf(one) === offsetsOf(other)
}

/**
 * The times of a line in UTC, read in this zone. Times in UTC stay. A date stays too, unless `start` is the start of a
 * series in this zone: then it is the occurrence of that day.
 */
export function inUtc(line: Property, zone: Zone, start?: LocalMs): Property {
  const isDates = start !== undefined && namesDates(line)
  const toUtc = (text: string, index: number, period: readonly string[]): string => {
    const wall = localOf(text, isDates ? start : undefined)
    if (wall !== undefined) return utcLine('', toInstant(zone, wall)).value
    return index > 0 ? (endInUtc(period[0]!, text, zone)?.value ?? text) : text
  }
  return {
    name: line.name,
    params: line.params.filter(({ name }) => name !== 'TZID' && !(name === 'VALUE' && isDates)),
    value: splitList(line.value)
      .map((value) => value.split('/').map(toUtc).join('/'))
      .join(','),
  }
}

/** DTEND in UTC after a local start in this zone and a length with calendar days, which UTC would count as 24 hours. */
export function endInUtc(start: string, length: string, zone: Zone): Property | undefined {
  const [wall, duration] = [localOf(start, undefined), parseDuration(length)]
  if (wall === undefined || !duration || duration.days === 0) return undefined
  return utcLine('DTEND', toInstant(zone, wall + duration.days * DAY_MS) + duration.restMs)
}

/** Whether a line names occurrences by their dates. */
export const namesDates = ({ name, value }: Property): boolean =>
  ['EXDATE', 'RDATE', 'RECURRENCE-ID'].includes(name) &&
  splitList(value).some((text) => parseTimeText(text.trim())?.kind === 'date')

/** The wall time of a text; of a date only with the start of the series. */
export function localOf(text: string, start: LocalMs | undefined): LocalMs | undefined {
  const time = parseTimeText(text.trim())
  if (time?.kind === 'local') return time.wall
  return time?.kind === 'date' && start !== undefined
    ? wallOfDay(time.day) + start - wallOfDay(dayOf(start))
    : undefined
}
