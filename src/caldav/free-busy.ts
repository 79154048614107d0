// VFREEBUSY text: clips and merges busy periods. RFC 4791 §7.10, RFC 5545 §3.6.4.
import { type BusyPeriod, mergeTouching } from '../actions/events/busy-times.ts'
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../domain/time/instant.ts'
import { formatBasicLocal } from '../domain/time/text.ts'
import type { Range } from '../domain/time/window.ts'
import { HEADER } from '../ical/encode.ts'
import { printCalendar } from '../ical/text/print.ts'
import { component, type Property, property } from '../ical/text/tree.ts'
import { utcLine } from '../ical/times.ts'

/** A calendar with one VFREEBUSY: periods clipped to the range, touching ones of the same kind merged. */
export function freeBusyText(periods: readonly BusyPeriod[], range: Range, now: Instant): string {
  const kinds = [false, true].flatMap((isTentative) =>
    mergeTouching(
      periods.filter((period) => period.isTentative === isTentative).flatMap((period) => clip(period, range)),
    ),
  )
  const lines = kinds.sort((a, b) => a.from - b.from || a.to - b.to).map(periodLine)
  const times = [utcLine('DTSTAMP', now), utcLine('DTSTART', range.from), utcLine('DTEND', range.to)]
  return printCalendar(component('VCALENDAR', [...HEADER, component('VFREEBUSY', [...times, ...lines])]))
}

/** An event without length takes no time. */
function clip({ from, to, isTentative }: BusyPeriod, range: Range): BusyPeriod[] {
  const clipped = { from: Math.max(from, range.from), to: Math.min(to, range.to), isTentative }
  return clipped.from < clipped.to ? [clipped] : []
}

const periodLine = ({ from, to, isTentative }: BusyPeriod): Property =>
  property(
    'FREEBUSY',
    `${formatBasicLocal(from)}Z/${formatLength(to - from)}`,
    isTentative ? { FBTYPE: 'BUSY-TENTATIVE' } : {},
  )

/** `PT1H30M`: always in hours, because the length of a day depends on the zone. */
function formatLength(lengthMs: number): string {
  const parts: [number, string][] = [
    [Math.floor(lengthMs / HOUR_MS), 'H'],
    [Math.floor((lengthMs % HOUR_MS) / MINUTE_MS), 'M'],
    [Math.floor((lengthMs % MINUTE_MS) / SECOND_MS), 'S'],
  ]
  return `PT${parts.map(([count, unit]) => (count > 0 ? `${count}${unit}` : '')).join('') || '0S'}`
}
