// A look ahead: the dates that come of what stands in the form.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import * as words from '../../strings.ts'
import { wallInWords } from './date-words.ts'
import type { EventValues } from './event-values.ts'
import { nextDates } from './next-dates.ts'

const said = words.editor

interface DatesToComeProps {
  values: EventValues
  leftOut: readonly string[]
}

export function DatesToCome({ values, leftOut }: DatesToComeProps): JSX.Element | null {
  const { allDay, startDate, startTime, endDate, endTime, timezone, repeat, rdates } = values
  const parts = [allDay, startDate, startTime, endDate, endTime, timezone, repeat, rdates, leftOut]
  const found = useMemo(() => nextDates(values, leftOut, Date.now()), parts)
  if (!found) return null
  return (
    <div class="to-come">
      <h2>{found.areFirst ? said.nextDates : said.comingDates}</h2>
      {found.dates.length === 0 && <p>{said.noDates}</p>}
      <ul>
        {found.dates.map((wall) => (
          <li key={wall}>{wallInWords(wall, allDay)}</li>
        ))}
      </ul>
    </div>
  )
}
