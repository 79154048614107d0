// Interoperable text of a series whose DTSTART does not match its RRULE; X- lines undo it.
import type { Series } from '../domain/calendar/event.ts'
import { givesStart } from '../domain/recurrence/expand.ts'
import { formatRule } from '../domain/recurrence/rule.ts'
import { runSteps, type Steps } from '../domain/steps.ts'
import {
  decodeInSteps,
  decodeKeys,
  decodeSeries,
  decodeTiming,
  findMain,
  isDecodeProblem,
  overrideKey,
} from './decode.ts'
import { copyForOccurrence } from './encode.ts'
import type { SeriesComponents } from './import/periods.ts'
import { interopRule } from './interop-rrule.ts'
import { isParseProblem, parseInSteps } from './text/parse.ts'
import { printCalendar, printCalendarInSteps } from './text/print.ts'
import {
  type Component,
  component,
  findProperty,
  isComponent,
  listProperties,
  type Property,
  paramOf,
  property,
  withProperties,
} from './text/tree.ts'
import { lineZoneOf, listLine, momentLine } from './times.ts'

/** The rule as its author wrote it. An import of the text restores it (see `asBeforeAgreed`). */
const OWN_RULE = 'X-DAYBOOK-RRULE'

/** A stored text as it is sent to clients. */
export const interopText = (ical: string, fallbackZone: string): string =>
  runSteps(interopTextInSteps(ical, fallbackZone))

export function* interopTextInSteps(ical: string, fallbackZone: string): Steps<string> {
  if (!/\nRRULE/i.test(ical)) return ical
  const tree = yield* parseInSteps(ical)
  if (isParseProblem(tree)) return ical
  yield
  const series = yield* decodeInSteps(tree, fallbackZone)
  if (isDecodeProblem(series) || isOnRule(series)) return ical
  const main = findMain(tree)!
  const key = series.timing.startWall
  const isCovered = series.exclusions.includes(key) || series.overrides.some((override) => override.key === key)
  const events = [agreedMain(main, series), ...(isCovered ? [] : firstOf(main, series))]
  const children = tree.children.flatMap((node) => (node === main ? events : [node]))
  return yield* printCalendarInSteps({ ...tree, children })
}

const isOnRule = ({ rule, timing }: Series): boolean => !rule || givesStart(rule, timing.startWall)

function agreedMain(main: Component, series: Series): Component {
  const { timing } = series
  const { rule, isOffRule } = interopRule(series)
  const isNamed = !isOffRule || decodeKeys(main, 'RDATE', timing).includes(timing.startWall)
  const first = isNamed ? [] : listLine('RDATE', [timing.startWall], timing.allDay, lineZoneOf(timing)).map(marked)
  const own = property(OWN_RULE, findProperty(main, 'RRULE')!.value)
  const out = withProperties(main, 'RRULE', [property('RRULE', formatRule(rule!)), own])
  return withProperties(out, 'RDATE', [...listProperties(main, 'RDATE'), ...first])
}

/** The first occurrence as an own VEVENT, for clients that ignore RDATE. */
function firstOf(main: Component, series: Series): Component[] {
  const { startWall, allDay } = series.timing
  if (!interopRule(series).isOffRule) return []
  const name = momentLine('RECURRENCE-ID', startWall, allDay, lineZoneOf(series.timing))
  const copy = withProperties(copyForOccurrence(main), 'RECURRENCE-ID', [name])
  return [withProperties(copy, MARK, [property(MARK, 'TRUE')])]
}

/** Marks lines added for the start, so that they are not taken for the author's. */
const MARK = 'X-DAYBOOK-FIRST'
const marked = (line: Property): Property => ({ ...line, params: [...line.params, { name: MARK, values: ['TRUE'] }] })

/** Restores the original of a text that the service wrote itself, if its relevant lines are unchanged. */
export function withoutInterop({ main, edits }: SeriesComponents, fallbackZone: string): SeriesComponents {
  const own = findProperty(main, OWN_RULE)
  if (!own) return { main, edits }
  const dates = listProperties(main, 'RDATE').filter((line) => paramOf(line, MARK) === undefined)
  const bare = withProperties(withProperties(main, OWN_RULE, []), 'RDATE', dates)
  const before = withProperties(bare, 'RRULE', [property('RRULE', own.value)])
  const series = decodeSeries(component('VCALENDAR', [before]), fallbackZone)
  const isOurs = !isDecodeProblem(series) && !isOnRule(series) && hasSameSchedule(agreedMain(before, series), main)
  const made = isOurs ? firstOf(before, series).map(printCalendar) : []
  return { main: isOurs ? before : bare, edits: edits.flatMap((event) => editBefore(event, main, made, fallbackZone)) }
}

/** A VEVENT added by the service is kept only if it was edited and is still at the start. */
function editBefore(event: Component, main: Component, made: readonly string[], fallbackZone: string): Component[] {
  if (!findProperty(event, MARK)) return [event]
  const timing = decodeTiming(main, fallbackZone)
  const isAtStart = timing !== undefined && overrideKey(event, timing) === timing.startWall
  return isAtStart && !made.includes(printCalendar(event)) ? [withProperties(event, MARK, [])] : []
}

const hasSameSchedule = (a: Component, b: Component): boolean =>
  scheduleLines(a).join('\n') === scheduleLines(b).join('\n')

/** Independent of the order of lines. */
const scheduleLines = (event: Component): string[] =>
  event.children
    .filter((node): node is Property => !isComponent(node) && ['RRULE', 'RDATE', OWN_RULE].includes(node.name))
    .map(({ name, params, value }) => JSON.stringify([name, params, value]))
    .sort()
