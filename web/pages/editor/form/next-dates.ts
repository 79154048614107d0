// The dates a form stands for, laid out by the same rules as on the server.
import type { Series } from '../../../../src/domain/calendar/event.ts'
import { patchSeries, replaceSeries } from '../../../../src/domain/calendar/update.ts'
import { listNominalWalls, patternOf } from '../../../../src/domain/recurrence/occurrences.ts'
import { LAST_YEAR, type LocalMs, wallFromParts } from '../../../../src/domain/time/instant.ts'
import { requireZone, toWall } from '../../../../src/domain/time/zone.ts'
import { bodyOf, type EventValues, inShape, patchOf } from './event-values.ts'

/** What the form will be saved over: dates that were left out go along with the start, and so do extra ones. */
export interface Before {
  /** Undefined where it will be a new event. */
  values: EventValues | undefined
  /** Keys of dates that were left out. */
  exdates: readonly string[]
}

export interface NextDates {
  dates: LocalMs[]
  /** Whether they are the first ones, and not those from now on. */
  areFirst: boolean
}

const SHOWN = 6

/** Undefined while the form makes no sense yet: the server says what is wrong with it. */
export function nextDates(values: EventValues, before: Before, now: number): NextDates | undefined {
  try {
    const series = seriesOf(values, before)
    const { startWall, zone } = series.timing
    const { exclusions } = series
    const from = Math.max(startWall, toWall(requireZone(zone), now))
    const end = wallFromParts(LAST_YEAR + 1, 1, 1)
    const walls = listNominalWalls(patternOf(series), from, end, SHOWN + exclusions.length)
    const dates = walls.filter((wall) => !exclusions.includes(wall)).slice(0, SHOWN)
    return { dates, areFirst: from === startWall }
  } catch {
    return undefined
  }
}

function seriesOf(values: EventValues, before: Before): Series {
  const first = wordless(before.values ?? values)
  const defaults = { zone: first.timezone, visibility: first.visibility }
  const exdates = before.exdates.map((key) => inShape(key, first))
  const { series } = replaceSeries('preview', { ...bodyOf(first), exdates }, defaults)
  return before.values ? patchSeries(series, patchOf(wordless(values), first), defaults).series : series
}

/** Whatever is wrong with the words, the dates can be told. */
const wordless = (values: EventValues): EventValues => ({
  ...values,
  ...{ title: 'preview', description: '', location: '', category: '', url: '' },
})
