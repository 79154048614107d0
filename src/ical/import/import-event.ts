// Imports an event of a foreign file: normalises and validates it, keeps other lines unchanged.

import { isRecurring, type Series } from '../../domain/calendar/event.ts'
import { findBreachInSteps, MAX_EXCEPTIONS } from '../../domain/calendar/event-limits.ts'
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
import { type Component, findProperty, listComponents, listProperties, type Property, splitList } from '../text/tree.ts'
import { hasTooManyRules } from './combined-rules.ts'
import { type ImportDefaults, normalizeInSteps } from './normalize.ts'
import { isPeriod, isPeriodLine } from './periods.ts'
import { type EventParts, hasAny, readPartsInSteps, skipPart, type UnimportedPart } from './read-parts.ts'
import { withoutExclusions } from './sanitize-text.ts'
import { hasUnknownRange } from './this-and-future.ts'

export interface ImportedObject {
  tree: Component
  series: Series
  /** The line in the file where it begins. */
  line: number
  /** It came as overrides without their series, and is stored as an event of its own. */
  wasOccurrence: boolean
  /** Earlier events of the file with the same UID, which this one replaces. */
  left: UnimportedPart[]
}

export interface RefusedObject {
  left: UnimportedPart[]
}

export const importEvent = (event: FileEvent, adoption: ImportDefaults): ImportedObject | RefusedObject =>
  runSteps(importEventInSteps(event, adoption))

export function* importEventInSteps(event: FileEvent, adoption: ImportDefaults): Steps<ImportedObject | RefusedObject> {
  const found = yield* readPartsInSteps(event)
  if (!('main' in found)) return { left: found }
  const { main, wasOccurrence, left } = found
  yield
  const adopted = yield* adoptFound(found, adoption)
  if (typeof adopted === 'string') return { left: [...left, skipPart(main.part, adopted)] }
  return { ...adopted, line: main.part.line, wasOccurrence, left }
}

export const isImported = (result: ImportedObject | RefusedObject): result is ImportedObject => 'tree' in result

function* adoptFound(found: EventParts, adoption: ImportDefaults): Steps<OpenObject | SkipReason> {
  const reason = findSkipReason(found)
  if (reason) return reason
  yield
  const tree = yield* normalizeInSteps(found, adoption)
  if (typeof tree === 'string') return tree
  yield
  const series = yield* decodeInSteps(tree, adoption.zone.name)
  if (isDecodeProblem(series)) return reasonOf(series, findMain(tree)!)
  yield
  if (losesDates(tree, series)) return 'dates_out_of_range'
  yield
  if (series.overrides.length > 0 && !isRecurring(series)) return 'occurrence_without_series'
  const kept = withoutDuplicateEdits(tree, series)
  if (!kept) return 'occurrence_unreadable'
  yield
  const breach = yield* findBreachInSteps(series)
  if (breach) return breach
  if (isRecurring(series) || series.exclusions.length === 0) return { tree: kept, series }
  return { tree: withoutExclusions(kept), series: { ...series, exclusions: [] } }
}

function findSkipReason({ main, overrides, wasOccurrence }: EventParts): SkipReason | undefined {
  const { event } = main
  if ([main, ...overrides].some((part) => hasUnknownRange(part.event))) return 'range_unsupported'
  if (!wasOccurrence && overrides.length > 0 && !hasAny(event, ['RRULE', 'RDATE'])) return 'occurrence_without_series'
  if (hasTooManyRules(event)) return 'rules_combined'
  const dates = DATE_LISTS.flatMap((name) => listProperties(event, name))
  // Counted by their commas, before any of them is parsed.
  if (dates.reduce((sum, { value }) => sum + value.split(',').length, 0) > MAX_EXCEPTIONS) return 'too_many_exceptions'
  return dates.some(isUnreadable) ? 'dates_unreadable' : undefined
}

const DATE_LISTS = ['EXDATE', 'RDATE']

/** Ignoring such a date would silently add or remove an occurrence. */
const isUnreadable = (line: Property): boolean => {
  const reads = isPeriodLine(line) ? isPeriod : (text: string) => parseTimeText(text.trim()) !== undefined
  return splitList(line.value).some((text) => text.trim() !== '' && !reads(text))
}

/** RDATEs before the start or outside the supported years would be dropped silently. */
const losesDates = (tree: Component, { timing, rdates }: Series): boolean =>
  decodeKeys(findMain(tree)!, 'RDATE', timing).filter((wall) => wall !== timing.startWall).length > rdates.length

/** Without duplicates of one override. Undefined when one of them cannot be decoded. */
function withoutDuplicateEdits(tree: Component, { timing, overrides, exclusions }: Series): Component | undefined {
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
