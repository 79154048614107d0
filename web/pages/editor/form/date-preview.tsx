// Previews the next dates that the form’s values produce.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import * as words from '../../../strings.ts'
import { wallInWords } from './date-words.ts'
import type { EventValues } from './event-values.ts'
import { type Before, nextDates } from './next-dates.ts'

const strings = words.editor

interface DatesToComeProps {
  values: EventValues
  before: Before
}

export function DatePreview({ values, before }: DatesToComeProps): JSX.Element | null {
  const { allDay, startDate, startTime, endDate, endTime, timezone, repeat, rdates } = values
  const parts = [
    allDay,
    startDate,
    startTime,
    endDate,
    endTime,
    timezone,
    repeat,
    rdates,
    before.values,
    before.exdates,
  ]
  const found = useMemo(() => nextDates(values, before, Date.now()), parts)
  if (!found) return null
  return (
    <div class="to-come">
      <h2>{found.areFirst ? strings.nextDates : strings.comingDates}</h2>
      {found.dates.length === 0 && <p>{strings.noDates}</p>}
      <ul>
        {found.dates.map((wall) => (
          <li key={wall}>{wallInWords(wall, allDay)}</li>
        ))}
      </ul>
    </div>
  )
}
