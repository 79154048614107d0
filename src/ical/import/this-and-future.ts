// RANGE=THISANDFUTURE: an override of all later occurrences as single overrides. RFC 5545 §3.2.13.
import type { Timing } from '../../domain/calendar/event.ts'
import { MAX_EDITED } from '../../domain/calendar/event-limits.ts'
import { listNominalWalls, patternOf } from '../../domain/recurrence/occurrences.ts'
import type { Steps } from '../../domain/steps.ts'
import type { LocalMs } from '../../domain/time/instant.ts'
import { requireZone, toInstant, toWall, type Zone } from '../../domain/time/zone.ts'
import { decodeSeries, decodeTiming, isDecodeProblem, overrideKey } from '../decode.ts'
import { encodeTiming } from '../encode.ts'
import { printCalendar } from '../text/print.ts'
import { type Component, component, findProperty, paramOf, upperCaseAscii, withProperties } from '../text/tree.ts'
import { lineZoneOf, momentLine } from '../times.ts'
import type { SeriesComponents } from './periods.ts'

/** One less than an event may have: its text may get a VEVENT for a start that is off the rule. */
const MAX_SPREAD = MAX_EDITED - 1

/** Each override is a copy: with all of them the object must still fit into a PUT. */
const MAX_COPIED = 512 * 1_024

/**
 * All zones must be resolved. An override of one occurrence takes precedence, then the latest override with a range. Of
 * an endless series as many occurrences are overridden as an event may have.
 */
export function* spreadRanges({ main, edits }: SeriesComponents, ownZone: Zone): Steps<SeriesComponents> {
  if (!edits.some(hasRange)) return { main, edits }
  const plain = edits.map(withoutRange)
  const series = decodeSeries(component('VCALENDAR', [main]), ownZone.name)
  if (isDecodeProblem(series)) return { main, edits: plain }
  const keys = edits.map((edit) => overrideKey(edit, series.timing))
  const named = new Set(keys)
  const ranges = edits
    .flatMap((edit, index) => (hasRange(edit) && keys[index] !== undefined ? [{ key: keys[index], index }] : []))
    .sort((a, b) => a.key - b.key)
  yield
  const all = listNominalWalls(
    patternOf(series),
    ranges[0]?.key ?? 0,
    Number.MAX_SAFE_INTEGER,
    MAX_EDITED + edits.length,
  )
  const excluded = new Set(series.exclusions)
  const spread: Component[] = []
  let left = MAX_COPIED
  for (const key of all) {
    const range = ranges.findLast((one) => one.key <= key)
    if (!range || named.has(key) || excluded.has(key)) continue
    const copy = copyTo(plain[range.index]!, key, key - range.key, series.timing)
    left -= copy ? printCalendar(copy).length : 0
    if (!copy || left < 0 || spread.length + edits.length >= MAX_SPREAD) break
    spread.push(copy)
    yield
  }
  return { main, edits: [...plain, ...spread] }
}

/** THISANDPRIOR, of RFC 2445, has no use and is refused. */
export const hasUnknownRange = (event: Component): boolean => !['', 'THISANDFUTURE'].includes(rangeOf(event))

const hasRange = (event: Component): boolean => rangeOf(event) === 'THISANDFUTURE'

function rangeOf(event: Component): string {
  const line = findProperty(event, 'RECURRENCE-ID')
  return upperCaseAscii((line && paramOf(line, 'RANGE')) ?? '').trim()
}

function withoutRange(event: Component): Component {
  if (!hasRange(event)) return event
  const { name, params, value } = findProperty(event, 'RECURRENCE-ID')!
  return withProperties(event, 'RECURRENCE-ID', [{ name, params: params.filter((one) => one.name !== 'RANGE'), value }])
}

/** The same override for a later occurrence: moved by as much in the zone of the series, of the same length. */
function copyTo(edit: Component, key: LocalMs, shift: number, main: Timing): Component | undefined {
  const timing = decodeTiming(edit, main.zone)
  if (!timing) return undefined
  const moved = encodeTiming(
    edit,
    timing.allDay ? { ...timing, ...movedDay(timing, shift) } : movedTime(timing, shift, main),
  )
  return withProperties(moved, 'RECURRENCE-ID', [momentLine('RECURRENCE-ID', key, main.allDay, lineZoneOf(main))])
}

const movedDay = ({ startWall }: Timing, shift: number): Pick<Timing, 'startWall' | 'startAt'> => ({
  startWall: startWall + shift,
  startAt: startWall + shift,
})

function movedTime(timing: Timing, shift: number, main: Timing): Timing {
  const zone = requireZone(main.zone)
  const startAt = toInstant(zone, toWall(zone, timing.startAt) + shift)
  return { ...timing, startAt, startWall: toWall(requireZone(timing.zone), startAt) }
}
