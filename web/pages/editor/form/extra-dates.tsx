// Form fields for extra dates (RDATE): list, remove and add.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as words from '../../../strings.ts'
import { TextField } from '../../../ui/field.tsx'
import { useListFocus } from '../../../ui/use-list-focus.ts'
import { momentInWords } from './date-words.ts'
import { inShape } from './event-values.ts'
import type { FieldsProps } from './when-fields.tsx'

const strings = words.editor

/** An added date starts at the start time of the event. */
export function ExtraDates({ values, onChange, problem }: FieldsProps): JSX.Element {
  const [date, setDate] = useState('')
  const { rdates } = values
  const summary = useListFocus<HTMLElement>(rdates.length)
  const add = () => {
    if (!date) return
    onChange({ ...values, rdates: [...new Set([...rdates, inShape(date.replaceAll('-', ''), values)])].sort() })
    setDate('')
  }
  const wrong = rdates.map((_, index) => problem(`rdates/${index}`)).find(Boolean) ?? problem('rdates')
  return (
    <details class="extra" open={rdates.length > 0}>
      <summary ref={summary}>{strings.extraDates}</summary>
      {rdates.length > 0 && (
        <ul class="dates">
          {rdates.map((key) => (
            <li key={key}>
              <span>{momentInWords(key)}</span>
              <button
                type="button"
                class="plain"
                aria-label={strings.removeDate(momentInWords(key))}
                onClick={() => onChange({ ...values, rdates: rdates.filter((one) => one !== key) })}
              >
                {words.common.delete}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="pair bottom">
        <TextField label={strings.dateToAdd} value={date} onValue={setDate} problem={wrong} input={{ type: 'date' }} />
        <button type="button" onClick={add}>
          {strings.addDate}
        </button>
      </div>
    </details>
  )
}
