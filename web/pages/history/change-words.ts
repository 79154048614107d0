// Says what a version changed, in sentences and as values for a comparison.
import { DAY_MS } from '../../../src/domain/time/instant.ts'
import type { EventChange } from '../../api/contract.ts'
import * as words from '../../strings.ts'
import { ruleInWords } from '../../words/rules.ts'
import { momentInWords } from '../editor/form/date-words.ts'

const text = words.history

type ChangedValue = EventChange['before']

/** A difference in one field, of an event or of one of its dates. */
type FieldChange = Pick<EventChange, 'field' | 'before' | 'after'> | NonNullable<EventChange['fields']>[number]

/** One sentence for each change; a new time is one, with both its ends. */
export function changesInWords(changes: readonly EventChange[]): string[] {
  const start = changes.find(({ field }) => field === 'start')
  const end = changes.find(({ field }) => field === 'end')
  const isMoved = start !== undefined && isSameLength(start, end)
  return changes.flatMap((change) => {
    if (change === end && isMoved) return []
    if (change === start && isMoved)
      return [text.moved(valueInWords('start', start.before), valueInWords('start', start.after))]
    return [changeInWords(change)]
  })
}

function changeInWords(change: EventChange): string {
  const { field, after } = change
  if (field === 'other') return text.otherChanged
  if (field === 'visibility') return after === 'public' ? text.madePublic : text.madePrivate
  if (field !== 'occurrence') return fieldInWords(change)
  const when = momentInWords(change.occurrence_key!)
  if (change.change === 'deleted') return text.dateDeleted(when)
  if (change.change === 'restored') return text.dateRestored(when)
  return text.dateEdited(when, dateInWords(change.fields ?? []))
}

function fieldInWords({ field, before, after }: FieldChange): string {
  const name = text.fields[field] ?? field
  const [was, is] = [valueInWords(field, before), valueInWords(field, after)]
  if (isNothing(before)) return text.fieldAdded(name, is)
  return isNothing(after) ? text.fieldRemoved(name, was) : text.fieldChanged(name, was, is)
}

/** What an edited date has of its own; where that is absent, it is as in the series. */
function dateInWords(fields: readonly FieldChange[]): string {
  const shown = fields.filter(({ field }) => field !== 'end' || !fields.some((other) => other.field === 'start'))
  const parts = shown.map((change) => {
    const { field, after } = change
    if (field === 'start') return 'after' in change ? text.movedTo(valueInWords('start', after)) : text.movedBack
    const name = text.fields[field] ?? field
    return 'after' in change ? text.fieldSet(name, valueInWords(field, after)) : text.fieldOfSeries(name)
  })
  return parts.join('; ')
}

const isNothing = (value: ChangedValue): boolean => value === null || value === undefined || value === ''

const QUOTED = ['title', 'location', 'description', 'category', 'url']

export function valueInWords(field: string, value: ChangedValue): string {
  if (Array.isArray(value)) return value.length === 0 ? text.none : value.map(momentInWords).join('; ')
  if (typeof value === 'boolean') return value ? words.common.yes.toLowerCase() : words.common.no.toLowerCase()
  if (value === null || value === undefined || value === '') return text.none
  if (field === 'start') return momentInWords(value)
  if (field === 'end') return momentInWords(lastDay(value))
  if (field === 'rrule') return ruleInWords(value)
  if (field === 'visibility') return text.visibilities[value as 'public' | 'private']
  if (field === 'status') return words.editor.statuses[value as 'confirmed'].toLowerCase()
  if (field === 'transparency') return words.editor.transparencies[value as 'opaque'].toLowerCase()
  return QUOTED.includes(field) ? words.common.quoted(value) : value
}

/** The end of an all-day event is the day after its last. */
const lastDay = (value: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(Date.parse(value) - DAY_MS).toISOString().slice(0, 10) : value

const isSameLength = (start: EventChange, end: EventChange | undefined): boolean =>
  end !== undefined && lengthOf(start.before, end.before) === lengthOf(start.after, end.after)

const lengthOf = (start: ChangedValue, end: ChangedValue): number => Date.parse(String(end)) - Date.parse(String(start))
