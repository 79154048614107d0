// The dates a form stands for, laid out by the same rules as on the server.
import { replaceSeries } from '../../../src/domain/calendar/update.ts'
import { formatOccurrenceKey } from '../../../src/domain/recurrence/occurrence-key.ts'
import { listNominalWalls, patternOf } from '../../../src/domain/recurrence/occurrences.ts'
import { LAST_YEAR, type Wall, wallFromParts } from '../../../src/domain/time/instant.ts'
import { requireZone, toWall } from '../../../src/domain/time/zone.ts'
import { bodyOf, type EventValues } from './event-values.ts'

export interface NextDates {
  dates: Wall[]
  /** Whether they are the first ones, and not those from now on. */
  areFirst: boolean
}

const SHOWN = 6

/** Undefined while the form makes no sense yet: the server says what is wrong with it. */
export function nextDates(values: EventValues, leftOut: readonly string[], now: number): NextDates | undefined {
  const { start, end, all_day, timezone, rrule, rdates } = bodyOf(values)
  const fields = { title: 'preview', start, end, all_day, timezone, rrule, rdates } as const
  try {
    const { series } = replaceSeries('preview', fields, { zone: values.timezone, visibility: 'private' })
    const { startWall, zone, allDay } = series.timing
    const from = Math.max(startWall, toWall(requireZone(zone), now))
    const walls = listNominalWalls(patternOf(series), from, wallFromParts(LAST_YEAR + 1, 1, 1), SHOWN + leftOut.length)
    const dates = walls.filter((wall) => !leftOut.includes(formatOccurrenceKey(wall, allDay))).slice(0, SHOWN)
    return { dates, areFirst: from === startWall }
  } catch {
    return undefined
  }
}
