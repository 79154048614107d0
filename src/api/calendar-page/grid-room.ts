// The room of a week or a day: as high as the time grid that the web app puts in its place.
import { hoursInUse } from '../../words/calendar-times.ts'
import type { ShownPeriod } from './calendar-facts.ts'
import { layOutWeek } from './week-rows.ts'

/** The style sheet makes it as high as so many hours, and lines of whole days above them. */
export function writeGridRoom({ view, period, entries }: ShownPeriod): string {
  if (view !== 'week' && view !== 'day') return ''
  const [first, last] = hoursInUse(entries.map(({ times }) => times))
  const wholeDays = entries.filter(({ times }) => times.all_day)
  const cells = layOutWeek(period[0], wholeDays).slice(0, period[1] - period[0])
  const lines = Math.max(...cells.map(({ rows }) => rows))
  return `#served .served-${view}{--hours:${last - first};--lines:${lines}}`
}
