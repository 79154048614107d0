// Parses the VEVENTs of one UID: finds the main one, its overrides, and those that are skipped.
import { MAX_EDITED } from '../../domain/calendar/event-limits.ts'
import type { SkipReason } from '../../domain/calendar/skip-reasons.ts'
import type { Steps } from '../../domain/steps.ts'
import { isParseProblem, MAX_PARAM_VALUES, parseInSteps } from '../text/parse.ts'
import type { FileEvent, FilePart } from '../text/split.ts'
import { type Component, findProperty, isComponent, type Property, paramOf, upperCaseAscii } from '../text/tree.ts'

/** A VEVENT of the file, parsed. */
export interface ParsedPart {
  part: FilePart
  event: Component
}

/** A VEVENT that is not imported. */
export interface UnimportedPart {
  part: FilePart
  reason: SkipReason
  /** The line where it begins, or the line of it that cannot be parsed. */
  line: number
}

export interface EventParts {
  main: ParsedPart
  overrides: ParsedPart[]
  /** True for overrides without their series: one, or several of which the first is used as the main VEVENT. */
  wasOccurrence: boolean
  /** Earlier events of the file with the same UID, which this one replaces. */
  left: UnimportedPart[]
  others: FileEvent['others']
}

/** Overrides of a skipped event are skipped with it, and not reported one by one. */
export function* readPartsInSteps({ parts, others }: FileEvent): Steps<EventParts | UnimportedPart[]> {
  if (parts.length > MAX_EDITED + 1) return [skipPart(parts[0]!, 'too_many_exceptions')]
  const mains: (ParsedPart | UnimportedPart)[] = []
  const edits: (ParsedPart | UnimportedPart)[] = []
  for (const part of parts) {
    const one = yield* readPart(part)
    yield
    if (isEdit(one)) edits.push(one)
    else mains.push(one)
  }
  const main = mains.pop()
  if (!main) return orphanParts(edits, others)
  const left = mains.map((one) => (isLeft(one) ? one : skipPart(one.part, 'uid_repeated')))
  if (isLeft(main)) return [...left, main]
  const unreadable = edits.filter(isLeft)
  if (unreadable.length > 0) return [...left, ...unreadable, skipPart(main.part, 'occurrence_unreadable')]
  return { main, overrides: edits as ParsedPart[], wasOccurrence: false, left, others }
}

export const skipPart = (part: FilePart, reason: SkipReason, line = part.line): UnimportedPart => ({
  part,
  reason,
  line,
})

/** Properties that only a series may have. */
export const SERIES_LINES = ['RRULE', 'EXRULE', 'RDATE', 'EXDATE']

export const hasAny = (event: Component, names: readonly string[]): boolean =>
  event.children.some((node) => !isComponent(node) && names.includes(node.name))

const isLeft = (one: ParsedPart | UnimportedPart): one is UnimportedPart => 'reason' in one

const isEdit = (one: ParsedPart | UnimportedPart): boolean =>
  isLeft(one) ? /\nRECURRENCE-ID[;:]/i.test(one.part.text) : findProperty(one.event, 'RECURRENCE-ID') !== undefined

function* readPart(part: FilePart): Steps<ParsedPart | UnimportedPart> {
  const event = part.parsed ?? (yield* parseInSteps(part.text))
  if (isParseProblem(event)) return skipPart(part, 'unreadable', part.line + event.line - 1)
  // An event found by one UID must not be stored under another.
  if (findProperty(event, 'UID')?.value.trim() !== part.uid) return skipPart(part, 'unreadable')
  if (holdsObject(event)) return skipPart(part, 'nested')
  if (event.children.some(isFull)) return skipPart(part, 'unreadable')
  return event.children.some(isEncoded) ? skipPart(part, 'encoded') : { part, event }
}

/** A nested object has no defined meaning. */
const holdsObject = (event: Component): boolean =>
  event.children.some((node) => isComponent(node) && (['VEVENT', 'VCALENDAR'].includes(node.name) || holdsObject(node)))

/** Normalising may add a TZID to a time, and the line must stay parseable with it. */
const isFull = (node: Property | Component): boolean =>
  !isComponent(node) && node.params.reduce((sum, { values }) => sum + values.length, 0) >= MAX_PARAM_VALUES

const WORDS = ['SUMMARY', 'DESCRIPTION', 'LOCATION', 'CATEGORIES', 'URL']

/** Text encoded as in vCalendar 1.0; read as plain text, people would see the encoding. */
const isEncoded = (node: Property | Component): boolean =>
  !isComponent(node) &&
  WORDS.includes(node.name) &&
  !['8BIT', '7BIT'].includes(upperCaseAscii(paramOf(node, 'ENCODING') ?? '8BIT'))

/** One override by itself is an event, unless it has recurrence properties; several are a series of just these. */
function orphanParts(
  edits: (ParsedPart | UnimportedPart)[],
  others: FileEvent['others'],
): EventParts | UnimportedPart[] {
  const [main, ...rest] = edits
  const read = edits.filter((edit): edit is ParsedPart => !isLeft(edit))
  const isUnclear = rest.length === 0 && read.some(({ event }) => hasAny(event, SERIES_LINES))
  if (read.length < edits.length || isUnclear)
    return edits.map((edit) => (isLeft(edit) ? edit : skipPart(edit.part, 'occurrence_without_series')))
  return { main: main as ParsedPart, overrides: rest.length > 0 ? read : [], wasOccurrence: true, left: [], others }
}
