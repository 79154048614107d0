// Computes the dates that the form describes, with the same recurrence code as the server.
import type { Series } from '../../../../src/domain/calendar/event.ts'
import { patchSeries, replaceSeries } from '../../../../src/domain/calendar/update.ts'
import { listNominalWalls, patternOf } from '../../../../src/domain/recurrence/occurrences.ts'
import { LAST_YEAR, type LocalMs, wallFromParts } from '../../../../src/domain/time/instant.ts'
import { requireZone, toInstant, toWall } from '../../../../src/domain/time/zone.ts'
import { bodyOf, type EventValues, inShape, patchOf } from './event-values.ts'

/** The event that the form will overwrite; its excluded and extra dates move with the start. */
export interface Before {
  /** Undefined for a new event. */
  values: EventValues | undefined
  /** Occurrence keys of excluded dates. */
  exdates: readonly string[]
}

export interface NextDates {
  dates: LocalMs[]
  /** True if they are the first dates of the series, false if they are the next ones from now. */
  areFirst: boolean
}

const SHOWN = 6

/** Undefined while the form is invalid; the server reports what is wrong with it. */
export function nextDates(values: EventValues, before: Before, now: number): NextDates | undefined {
  try {
    const series = seriesOf(values, before)
    const { startWall, zone } = series.timing
    const { exclusions } = series
    const from = Math.max(startWall, toWall(requireZone(zone), now))
    const end = wallFromParts(LAST_YEAR + 1, 1, 1)
    const walls = listNominalWalls(patternOf(series), from, end, SHOWN + exclusions.length)
    const nominal = walls.filter((wall) => !exclusions.includes(wall)).slice(0, SHOWN)
    // A date whose time is skipped by a clock change is an hour later.
    const dates = series.timing.allDay
      ? nominal
      : nominal.map((wall) => toWall(requireZone(zone), toInstant(requireZone(zone), wall)))
    return { dates, areFirst: from === startWall }
  } catch {
    return undefined
  }
}

function seriesOf(values: EventValues, before: Before): Series {
  const first = withoutTexts(before.values ?? values)
  const defaults = { zone: first.timezone, visibility: first.visibility }
  const exdates = before.exdates.map((key) => inShape(key, first))
  const { series } = replaceSeries('preview', { ...bodyOf(first), exdates }, defaults)
  return before.values ? patchSeries(series, patchOf(withoutTexts(values), first), defaults).series : series
}

/** Replaces the texts, so that an invalid title or address does not prevent the preview. */
const withoutTexts = (values: EventValues): EventValues => ({
  ...values,
  ...{ title: 'preview', description: '', location: '', category: '', url: '' },
})
