// Form fields for start, end, all-day and time zone.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import * as words from '../../../strings.ts'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import { ZoneField } from '../../../ui/zone-field.tsx'
import { wallInWords } from './date-words.ts'
import { type EventValues, isStartRead, timesAfterGap, withAllDay, withStart } from './event-values.ts'
import { shiftDate } from './repeat.ts'

const strings = words.editor

export interface FieldsProps {
  values: EventValues
  onChange(values: EventValues): void
  /** The error message of a field, by its API name. */
  problem(field: string): string | undefined
}

interface WhenFieldsProps extends FieldsProps {
  isOneDate: boolean
  /** True where only some dates of a series are edited: all of them are all-day, or none. */
  isKindFixed: boolean
}

/** One date of a series keeps the series’ all-day setting and zone. */
export function WhenFields({ values, onChange, problem, isOneDate, isKindFixed }: WhenFieldsProps): JSX.Element {
  const { allDay } = values
  // A date is invalid while it is being typed; the end then moves relative to the last valid start.
  const last = useRef({ startDate: values.startDate, startTime: values.startTime })
  if (isStartRead(values)) last.current = { startDate: values.startDate, startTime: values.startTime }
  const moveStart = (start: { startDate?: string; startTime?: string }) => {
    const { startDate, startTime } = values
    onChange(withStart({ ...values, ...last.current }, { startDate, startTime, ...start }))
  }
  // An end before the start is meant on the next day; while it is typed it may pass through such a time.
  const isMovedOn = useRef(false)
  const moveEnd = (endTime: string) => {
    const { startDate, startTime, endDate } = values
    const isBefore = endTime !== '' && endTime < startTime
    if (isBefore && endDate === startDate) {
      isMovedOn.current = true
      onChange({ ...values, endTime, endDate: shiftDate(startDate, 1) })
    } else if (!isBefore && endTime !== '' && isMovedOn.current) {
      isMovedOn.current = false
      onChange({ ...values, endTime, endDate: startDate })
    } else onChange({ ...values, endTime })
  }
  return (
    <fieldset>
      <legend>{strings.when}</legend>
      {!isKindFixed && (
        <Checkbox label={strings.allDay} isOn={allDay} onChange={(isOn) => onChange(withAllDay(values, isOn))} />
      )}
      <div class="moments">
        <TextField
          label={strings.startDate}
          value={values.startDate}
          onValue={(startDate) => moveStart({ startDate })}
          problem={problem('start')}
          judged={`${values.startDate} ${values.startTime}`}
          input={{ type: 'date', required: true }}
        />
        {!allDay && (
          <TextField
            label={strings.startTime}
            value={values.startTime}
            onValue={(startTime) => moveStart({ startTime })}
            input={{ type: 'time', required: true }}
          />
        )}
        <TextField
          label={strings.endDate}
          value={values.endDate}
          onValue={(endDate) => {
            isMovedOn.current = false
            onChange({ ...values, endDate })
          }}
          problem={problem('end')}
          judged={[values.startDate, values.startTime, values.endDate, values.endTime].join(' ')}
          input={{ type: 'date', required: true }}
        />
        {!allDay && (
          <TextField
            label={strings.endTime}
            value={values.endTime}
            onValue={moveEnd}
            hint={isNextDay(values) && strings.nextDay}
            input={{ type: 'time', required: true }}
          />
        )}
      </div>
      <GapNotice values={values} />
      {!allDay && isOneDate && <p class="hint">{strings.zoneIs(values.timezone)}</p>}
      {!allDay && !isOneDate && (
        <ZoneField
          label={strings.zone}
          hint={strings.zoneHint}
          value={values.timezone}
          onValue={(timezone) => onChange({ ...values, timezone })}
          problem={problem('timezone')}
        />
      )}
    </fieldset>
  )
}

const isNextDay = ({ startDate, endDate, startTime, endTime }: EventValues): boolean =>
  startDate !== '' && endDate === shiftDate(startDate, 1) && endTime < startTime

/** Always in the page, so that a screen reader reads the text when it appears. */
function GapNotice({ values }: { values: EventValues }): JSX.Element {
  const moved = timesAfterGap(values)
  return (
    <div role="status">
      {moved && (
        <p class="gap">
          {strings.gap(values.timezone.trim())}{' '}
          <strong>{strings.gapSaved(wallInWords(moved.start, false), wallInWords(moved.end, false))}</strong>
        </p>
      )}
    </div>
  )
}
