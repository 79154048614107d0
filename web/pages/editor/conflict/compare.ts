// Groups the event fields for the conflict page: fields that belong together are chosen together.

import * as words from '../../../strings.ts'
import { ruleInWords } from '../../../words/rules.ts'
import type { SaveTarget } from '../event-store.ts'
import { momentInWords, spanInWords } from '../form/date-words.ts'
import { bodyOf, type EventValues, isSame } from '../form/event-values.ts'
import { ruleOf } from '../form/repeat.ts'

export interface FieldGroup {
  name: string
  label: string
  show(values: EventValues): string
  isSame(one: EventValues, other: EventValues): boolean
  fields: readonly (keyof EventValues)[]
}

const strings = words.editor

const text = (name: 'title' | 'location' | 'category' | 'description' | 'url'): FieldGroup => ({
  name,
  label: strings[name],
  show: (values) => values[name],
  isSame: (one, other) => one[name].trim() === other[name].trim(),
  fields: [name],
})

const WHEN: FieldGroup = {
  name: 'when',
  label: strings.when,
  show: spanInWords,
  isSame: (one, other) => isSame(whenSent(one), whenSent(other)),
  fields: ['allDay', 'startDate', 'startTime', 'endDate', 'endTime', 'timezone'],
}

const REPEAT: FieldGroup = {
  name: 'repeat',
  label: strings.repeat,
  show: repeatInWords,
  isSame: (one, other) => isSame(repeatSent(one), repeatSent(other)),
  fields: ['repeat', 'rdates'],
}

const choice = <Name extends 'visibility' | 'status' | 'transparency'>(
  name: Name,
  names: Record<EventValues[Name], string>,
): FieldGroup => ({
  name,
  label: strings[name],
  show: (values) => names[values[name]],
  isSame: (one, other) => one[name] === other[name],
  fields: [name],
})

/** One date of a series has fewer fields. */
export const groupsOf = (scope: SaveTarget['scope']): FieldGroup[] => [
  text('title'),
  WHEN,
  ...(scope === 'date' ? [] : [REPEAT]),
  ...(scope === 'date' || scope === 'following' ? [] : [choice('visibility', strings)]),
  text('location'),
  text('category'),
  text('description'),
  text('url'),
  choice('status', strings.statuses),
  ...(scope === 'date' ? [] : [choice('transparency', strings.transparencies)]),
]

/** The other version, with the groups in `ours` taken from `mine`. */
export function mergeChosenGroups(
  groups: readonly FieldGroup[],
  ours: readonly string[],
  mine: EventValues,
  theirs: EventValues,
): EventValues {
  const fields = groups.filter(({ name }) => ours.includes(name)).flatMap((group) => group.fields)
  return { ...theirs, ...Object.fromEntries(fields.map((field) => [field, mine[field]])) }
}

const whenSent = (values: EventValues) => {
  const { start, end, all_day, timezone } = bodyOf(values)
  return { start, end, all_day, timezone }
}

const repeatSent = (values: EventValues) => {
  const { rrule, rdates } = bodyOf(values)
  return { rrule, rdates }
}

function repeatInWords({ repeat, startDate, timezone, rdates }: EventValues): string {
  const rule = ruleOf(repeat, startDate)
  const inWords = rule === null ? strings.repeatKinds.none : ruleInWords(rule, timezone)
  const shown = inWords === words.rule.custom ? rule! : inWords
  return rdates.length === 0 ? shown : `${shown}; ${strings.extraDates}: ${rdates.map(momentInWords).join('; ')}`
}
