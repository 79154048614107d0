// Matches a calendar object against a CALDAV:filter. RFC 4791 §9.7.
import { runSteps, type Steps } from '../../domain/steps.ts'
import { dayOf, type Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { startOfDay, type Zone } from '../../domain/time/zone.ts'
import {
  type Component,
  findProperty,
  listComponents,
  listProperties,
  type Property,
  paramOf,
  splitList,
  unescapeText,
} from '../../ical/text/tree.ts'
import { parseLength, readMomentValue, utcLine } from '../../ical/times.ts'
import type { ReadObject } from '../calendar-data/instances.ts'
import { alarmInRange } from './alarms.ts'
import type { CalendarFilter, CompFilter, ParamFilter, PropFilter } from './parse.ts'
import { type FoldedTexts, matchTextInSteps } from './text-match.ts'
import { hasInstance } from './time-range.ts'

export const matchesFilter = (filter: CalendarFilter, object: ReadObject): boolean =>
  runSteps(matchInSteps(filter, object))

/** Yields between steps: an object may have 2,000 components and tens of thousands of lines. */
export function* matchInSteps(filter: CalendarFilter, object: ReadObject): Steps<boolean> {
  if (filter.isNotDefined || object.tree.name !== filter.name) return false
  return yield* matchesComponent(filter, object.tree, { object, texts: new Map() }, object.tree)
}

/** The object that conditions are tested on, and texts folded for earlier conditions. */
interface Matched {
  object: ReadObject
  texts: FoldedTexts
}

/** A range that every matching object has an instance in; undefined when matches may be at any time. */
export function timeRangeOf(filter: CalendarFilter): Range | undefined {
  // Different instances may match two ranges, so only one range narrows the search.
  const ranges = filter.comps.flatMap(({ name, range }) => (name === 'VEVENT' && range ? [range] : []))
  return ranges.sort((a, b) => a.to - a.from - (b.to - b.from))[0]
}

/** Whether the filter consists of `timeRangeOf` only. */
export function isPlainTimeRange({ isNotDefined, props, comps }: CalendarFilter): boolean {
  const [event, ...others] = comps
  if (isNotDefined || props.length > 0 || others.length > 0 || event?.name !== 'VEVENT') return false
  return event.range !== undefined && event.props.length === 0 && event.comps.length === 0
}

/** All conditions must hold for the same component. */
function* matchesComponent(filter: CompFilter, node: Component, matched: Matched, parent: Component): Steps<boolean> {
  for (const prop of filter.props) if (!(yield* matchesProperty(prop, node, matched))) return false
  for (const comp of filter.comps) if (!(yield* matchesWithin(comp, node, matched))) return false
  return !filter.range || (yield* isIn(filter.range, node, matched.object, parent))
}

function* matchesWithin(filter: CompFilter, parent: Component, matched: Matched): Steps<boolean> {
  yield
  const nodes = listComponents(parent, filter.name)
  if (filter.isNotDefined) return nodes.length === 0
  for (const node of nodes) {
    yield
    if (yield* matchesComponent(filter, node, matched, parent)) return true
  }
  return false
}

/** Only events are stored: no other component has a time here, except the alarms of an event. */
function* isIn(range: Range, node: Component, object: ReadObject, parent: Component): Steps<boolean> {
  if (node.name === 'VEVENT') return yield* hasInstance(object, node, range)
  return node.name === 'VALARM' && parent.name === 'VEVENT' && (yield* alarmInRange(object, parent, node, range))
}

/** Characters matched before yielding. A line or a value counts as this many more. */
const CHARACTERS_AT_ONCE = 16_384
const LINE_CHARACTERS = 800
const VALUE_CHARACTERS = 16

function* matchesProperty(filter: PropFilter, node: Component, matched: Matched): Steps<boolean> {
  const { name, range, isNotDefined } = filter
  yield
  const lines = listProperties(node, name)
  if (isNotDefined) return lines.length === 0
  const meant = range && name === 'DTEND' && lines.length === 0 ? effectiveEnd(node, matched.object) : lines
  let characters = 0
  for (const line of meant) {
    if (yield* matchesLine(filter, line, matched)) return true
    characters += LINE_CHARACTERS + line.value.length
    if (characters < CHARACTERS_AT_ONCE) continue
    characters = 0
    yield
  }
  return false
}

function* matchesLine({ range, text, params }: PropFilter, line: Property, matched: Matched): Steps<boolean> {
  if (text && !(yield* matchTextInSteps(text, unescapeText(line.value), matched.texts))) return false
  if (range && !(yield* hasMomentIn(range, line, matched.object))) return false
  for (const param of params) {
    yield
    if (!(yield* matchesParam(param, line, matched.texts))) return false
  }
  return true
}

function* matchesParam(filter: ParamFilter, line: Property, texts: FoldedTexts): Steps<boolean> {
  const { isNotDefined, text } = filter
  let characters = 0
  for (const { name, values } of line.params) {
    characters += VALUE_CHARACTERS
    for (const value of name === filter.name ? values : []) {
      if (isNotDefined) return false
      if (!text || (yield* matchTextInSteps(text, value, texts))) return true
      characters += VALUE_CHARACTERS + value.length
      if (characters < CHARACTERS_AT_ONCE) continue
      characters = 0
      yield
    }
  }
  return isNotDefined
}

/** Values tested before yielding: if the TZID is unknown, each lookup takes some microseconds. */
const MOMENTS_AT_ONCE = 200

function* hasMomentIn({ from, to }: Range, line: Property, object: ReadObject): Steps<boolean> {
  const values = splitList(line.value)
  for (let i = 0; i < values.length; i += MOMENTS_AT_ONCE) {
    if (i > 0) yield
    // In a zone that only the object defines, each value is converted.
    const part = object.known({ ...line, value: values.slice(i, i + MOMENTS_AT_ONCE).join(',') })
    const moments = listMoments(part, object.zone)
    if (moments.some((at) => at >= from && at < to)) return true
  }
  return false
}

/** The instants of the values of a line with a known zone; a date is the start of its day, a period its start. */
function listMoments(line: Property, zone: Zone): Instant[] {
  const tzid = paramOf(line, 'TZID')
  return splitList(line.value).flatMap((value) => {
    const moment = readMomentValue(value.split('/')[0]!, tzid, zone)
    return moment ? [moment.isDate ? startOfDay(zone, dayOf(moment.wall)) : moment.at] : []
  })
}

/** An event with DURATION instead of DTEND ends at DTSTART plus DURATION (§9.9). */
function effectiveEnd(node: Component, object: ReadObject): Property[] {
  const start = findProperty(node, 'DTSTART')
  const [from] = start ? listMoments(object.known(start), object.zone) : []
  const length = parseLength(findProperty(node, 'DURATION')?.value ?? '')
  return from === undefined || length === undefined ? [] : [utcLine('DTEND', from + length)]
}
