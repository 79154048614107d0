// Splits iCalendar text into events by UID without parsing them: a broken event stops no other.
import type { SkipReason } from '../../domain/calendar/skip-reasons.ts'
import { runSteps, type Steps } from '../../domain/steps.ts'
import type { ParseProblem } from './parse.ts'
import { createScanner, type FileCalendar } from './scan.ts'
import { type Component, type Property, upperCaseAscii } from './tree.ts'

/** One component of a calendar, as in the file. */
export interface FilePart {
  name: string
  uid: string | undefined
  text: string
  /** The line where it begins in the file, from 1. */
  line: number
  calendar: FileCalendar
  /** The same as a tree, if it was parsed before. */
  parsed?: Component
}

/** All VEVENTs of one UID, in the order of the file. */
export interface FileEvent {
  uid: string
  parts: FilePart[]
  /** What else its VCALENDAR has, to be stored with it. */
  others?: readonly (Property | Component)[]
}

export interface SkippedPart {
  part: FilePart
  reason: SkipReason
}

export interface Split {
  events: FileEvent[]
  skipped: SkippedPart[]
}

/** More lines than a real file of 10 MiB has. */
export const MAX_FILE_LINES = 500_000

const MAX_UID_CHARS = 255

export const splitCalendar = (text: string, maxLines = MAX_FILE_LINES): Split | ParseProblem =>
  runSteps(splitInSteps(text, maxLines))

export function* splitInSteps(text: string, maxLines = MAX_FILE_LINES): Steps<Split | ParseProblem> {
  const parts: FilePart[] = []
  const skipped: SkippedPart[] = []
  const scanner = createScanner({
    maxLines,
    decode: (raw) => raw,
    onPart({ name, uid, line, calendar, fault, text: textOf }) {
      const part = { name, uid, text: textOf(), line, calendar }
      if (fault) skipped.push({ part, reason: fault })
      else parts.push(part)
    },
  })
  const end = yield* scanner.scanInSteps(text, 0, true)
  if (typeof end !== 'number') return end
  const events = new Map<string, FileEvent>()
  for (const part of parts) {
    const reason = skipReasonOf(part)
    if (reason) skipped.push({ part, reason })
    else addPart(events, part)
  }
  return { events: [...events.values()], skipped }
}

export const isSplitProblem = (result: Split | ParseProblem): result is ParseProblem => 'problem' in result

/** The parts of one UID belong together anywhere in the file. */
export function addPart(events: Map<string, FileEvent>, part: FilePart): void {
  const uid = part.uid!
  const event = events.get(uid) ?? { uid, parts: [] }
  event.parts.push(part)
  events.set(uid, event)
}

const OTHER_COMPONENTS = new Map<string, SkipReason>([
  ['VTODO', 'todo'],
  ['VJOURNAL', 'journal'],
  ['VFREEBUSY', 'free_busy'],
])

/** Methods of scheduling messages, which contain part of an event or its cancellation and not the event itself. */
const MESSAGES = ['ADD', 'REPLY', 'CANCEL', 'COUNTER', 'DECLINECOUNTER', 'REFRESH']

/** Call after the whole calendar was scanned: METHOD may follow its events. */
export function skipReasonOf({
  name,
  uid,
  calendar,
}: Pick<FilePart, 'name' | 'uid' | 'calendar'>): SkipReason | undefined {
  if (name !== 'VEVENT') return OTHER_COMPONENTS.get(name) ?? 'unknown_component'
  if (MESSAGES.includes(upperCaseAscii(calendar.method ?? ''))) return 'message'
  if (!uid) return 'uid_missing'
  return uid.length > MAX_UID_CHARS ? 'uid_too_long' : undefined
}
