// A foreign event made ours: what must be put right is, every other line stays exactly as it came.
import { findBreachInSteps, MAX_EXCEPTIONS } from '../../domain/calendar/acceptable.ts'
import { isRecurring, type Series } from '../../domain/calendar/event.ts'
import type { SkipReason } from '../../domain/calendar/skip-reasons.ts'
import { parseRule } from '../../domain/recurrence/rule.ts'
import { runSteps, type Steps } from '../../domain/steps.ts'
import type { LocalMs } from '../../domain/time/instant.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import {
  type DecodeProblem,
  decodeInSteps,
  decodeKeys,
  editsByKey,
  findMain,
  isDecodeProblem,
  overrideKey,
} from '../decode.ts'
import type { OpenObject } from '../encode.ts'
import type { FileEvent } from '../text/split.ts'
import {
  type Component,
  findProperty,
  listComponents,
  listProperties,
  type Property,
  paramOf,
  splitList,
} from '../text/tree.ts'
import { type Adoption, putRightInSteps } from './normalize.ts'
import { isPeriod, isPeriodLine } from './periods.ts'
import { type EventParts, hasAny, type LeftPart, leave, type ParsedPart, readPartsInSteps } from './read-parts.ts'
import { withoutExclusions } from './sanitize-text.ts'

export interface Adopted {
  tree: Component
  series: Series
  /** Where in the file it begins. */
  line: number
  /** It came as edited occurrences whose series was not there, and is kept as an event by itself. */
  wasOccurrence: boolean
  /** Earlier events of the file under the same UID, which this one stands for. */
  left: LeftPart[]
}

export interface NotAdopted {
  left: LeftPart[]
}

export const adoptEvent = (event: FileEvent, adoption: Adoption): Adopted | NotAdopted =>
  runSteps(adoptInSteps(event, adoption))

export function* adoptInSteps(event: FileEvent, adoption: Adoption): Steps<Adopted | NotAdopted> {
  const found = yield* readPartsInSteps(event)
  if (!('main' in found)) return { left: found }
  const { main, wasOccurrence, left } = found
  yield
  const adopted = yield* adoptFound(found, adoption)
  if (typeof adopted === 'string') return { left: [...left, leave(main.part, adopted)] }
  return { ...adopted, line: main.part.line, wasOccurrence, left }
}

export const isAdopted = (result: Adopted | NotAdopted): result is Adopted => 'tree' in result

function* adoptFound(found: EventParts, adoption: Adoption): Steps<OpenObject | SkipReason> {
  const reason = reasonAgainst(found)
  if (reason) return reason
  yield
  const tree = yield* putRightInSteps(found, adoption)
  if (typeof tree === 'string') return tree
  yield
  const series = yield* decodeInSteps(tree, adoption.zone.name)
  if (isDecodeProblem(series)) return reasonOf(series, findMain(tree)!)
  yield
  if (losesDates(tree, series)) return 'dates_out_of_range'
  yield
  if (series.overrides.length > 0 && !isRecurring(series)) return 'occurrence_without_series'
  const kept = withOneEditEach(tree, series)
  if (!kept) return 'occurrence_unreadable'
  yield
  const breach = yield* findBreachInSteps(series)
  if (breach) return breach
  if (isRecurring(series) || series.exclusions.length === 0) return { tree: kept, series }
  return { tree: withoutExclusions(kept), series: { ...series, exclusions: [] } }
}

function reasonAgainst({ main, overrides, wasOccurrence }: EventParts): SkipReason | undefined {
  const { event } = main
  if ([main, ...overrides].some(goesOn)) return 'this_and_future'
  if (listProperties(event, 'RRULE').length > 1 || findProperty(event, 'EXRULE')) return 'rules_combined'
  if (!wasOccurrence && overrides.length > 0 && !hasAny(event, ['RRULE', 'RDATE'])) return 'occurrence_without_series'
  const dates = DATE_LISTS.flatMap((name) => listProperties(event, name))
  // Counted by their commas, before any of them is read.
  if (dates.reduce((sum, { value }) => sum + value.split(',').length, 0) > MAX_EXCEPTIONS) return 'too_many_exceptions'
  return dates.some(isUnreadable) ? 'dates_unreadable' : undefined
}

const goesOn = ({ event }: ParsedPart): boolean =>
  listProperties(event, 'RECURRENCE-ID').some((line) => paramOf(line, 'RANGE') !== undefined)

const DATE_LISTS = ['EXDATE', 'RDATE']

/** Left alone, such a date would be an occurrence too many or too few, and nobody would be told. */
const isUnreadable = (line: Property): boolean => {
  const reads = isPeriodLine(line) ? isPeriod : (text: string) => parseTimeText(text.trim()) !== undefined
  return splitList(line.value).some((text) => text.trim() !== '' && !reads(text))
}

/** The start is the first occurrence, and all lie within our years: an extra date that does not would be lost unsaid. */
const losesDates = (tree: Component, { timing, rdates }: Series): boolean =>
  decodeKeys(findMain(tree)!, 'RDATE', timing).filter((wall) => wall !== timing.startWall).length > rdates.length

/** Without the edits that another stands for. Undefined when one of them cannot be read. */
function withOneEditEach(tree: Component, { timing, overrides, exclusions }: Series): Component | undefined {
  const main = findMain(tree)
  const edits = listComponents(tree, 'VEVENT').filter((event) => event !== main)
  if (edits.length === 0) return tree
  const known = new Set<LocalMs | undefined>([...overrides.map(({ key }) => key), ...exclusions])
  if (edits.some((event) => !known.has(overrideKey(event, timing)))) return undefined
  const kept = new Set(editsByKey(edits, timing).values())
  const left = new Set<Property | Component>(edits.filter((event) => !kept.has(event)))
  return { ...tree, children: tree.children.filter((node) => !left.has(node)) }
}

function reasonOf({ problem }: DecodeProblem, main: Component): SkipReason {
  if (problem === 'DTSTART or DTEND cannot be read') return 'times_unreadable'
  const rule = parseRule(findProperty(main, 'RRULE')?.value.trim() ?? '')
  return typeof rule === 'string' && findProperty(main, 'RRULE') ? rule : 'unreadable'
}
