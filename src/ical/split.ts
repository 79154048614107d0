// A whole iCalendar file cut into its events by UID, found by their edges alone: each is read later, by itself, so one
// that cannot be read takes no other with it and no more than one is ever held as a tree.
import type { SkipReason } from '../domain/calendar/skip-reasons.ts'
import type { ParseProblem } from './parse.ts'

/** What a VCALENDAR of the file says for all of its events. */
export interface FileCalendar {
  /** The zone of times that name none, as many programs write it. */
  zoneName: string | undefined
  /** The text of each VTIMEZONE under its TZID. */
  definitions: Map<string, string>
}

/** One component of a calendar, as it stands in the file. */
export interface Part {
  name: string
  uid: string | undefined
  text: string
  /** Where it begins in the file, from 1. */
  line: number
  calendar: FileCalendar
}

/** All VEVENTs of one UID, in the order of the file. */
export interface FileEvent {
  uid: string
  parts: Part[]
}

export interface SkippedPart {
  part: Part
  reason: SkipReason
}

export interface Split {
  events: FileEvent[]
  skipped: SkippedPart[]
}

/** As many lines as a file of 10 MiB can honestly have. */
export const MAX_FILE_LINES = 500_000

const MAX_PART_LINES = 50_000
const MAX_LINE_CHARS = 1_048_576
const MAX_DEPTH = 16
const MAX_UID_CHARS = 255

export function splitCalendar(text: string, maxLines = MAX_FILE_LINES): Split | ParseProblem {
  if (text.includes('\0')) return { problem: 'it is not text', line: 1 }
  const parts = listParts(text, maxLines)
  if (!Array.isArray(parts)) return parts
  const events = new Map<string, FileEvent>()
  const skipped: SkippedPart[] = []
  for (const part of parts) {
    const reason = reasonToSkip(part)
    if (reason) skipped.push({ part, reason })
    else {
      const uid = part.uid!
      const event = events.get(uid) ?? { uid, parts: [] }
      event.parts.push(part)
      events.set(uid, event)
    }
  }
  return { events: [...events.values()], skipped }
}

export const isSplitProblem = (result: Split | ParseProblem): result is ParseProblem => 'problem' in result

const OTHER_COMPONENTS = new Map<string, SkipReason>([
  ['VTODO', 'todo'],
  ['VJOURNAL', 'journal'],
  ['VFREEBUSY', 'free_busy'],
])

function reasonToSkip({ name, uid }: Part): SkipReason | undefined {
  if (name !== 'VEVENT') return OTHER_COMPONENTS.get(name) ?? 'unknown_component'
  if (!uid) return 'uid_missing'
  return uid.length > MAX_UID_CHARS ? 'uid_too_long' : undefined
}

interface Open {
  name: string
  at: number
  line: number
}

interface Scan {
  text: string
  parts: Part[]
  /** What is open, from the VCALENDAR inwards. */
  stack: Open[]
  calendar: FileCalendar | undefined
  /** The UID, or the TZID, of the component that is open inside the VCALENDAR. */
  name: string | undefined
}

/** Every component directly inside a VCALENDAR but the VTIMEZONEs. A file may hold several VCALENDARs, one after another. */
function listParts(text: string, maxLines: number): Part[] | ParseProblem {
  const scan: Scan = { text, parts: [], stack: [], calendar: undefined, name: undefined }
  let logicalFrom = 0
  let line = 0
  for (let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0, next: number; at < text.length; at = next) {
    const end = text.indexOf('\n', at)
    next = end < 0 ? text.length : end + 1
    line += 1
    const first = text.charCodeAt(at)
    const isFolded = first === SPACE || first === TAB
    if (!isFolded) logicalFrom = at
    const part = scan.stack[1]
    if (line > maxLines) return { problem: 'too many lines', line }
    if (next - logicalFrom > MAX_LINE_CHARS) return { problem: 'a line is too long', line }
    if (part && line - part.line > MAX_PART_LINES) return { problem: 'a component has too many lines', line }
    const problem = isFolded ? undefined : takeLine(scan, at, next, line)
    if (problem) return { problem, line }
  }
  if (scan.stack.length > 0) return { problem: 'the end is missing', line }
  return scan.calendar ? scan.parts : { problem: 'there is no calendar', line: 1 }
}

/** What a line changes; says what is wrong with it. */
function takeLine(scan: Scan, at: number, next: number, line: number): string | undefined {
  const { text, stack } = scan
  const depth = stack.length
  const edge = readEdge(text, at, next)
  if (edge?.isBegin) {
    if (depth === 0 && edge.name !== 'VCALENDAR') return 'there is no calendar'
    if (depth >= MAX_DEPTH) return 'components are nested too deeply'
    if (depth === 0) scan.calendar = { zoneName: undefined, definitions: new Map() }
    if (depth === 1) scan.name = undefined
    stack.push({ name: edge.name, at, line })
  } else if (edge) {
    const open = stack.pop()
    if (open?.name !== edge.name) return 'END does not match BEGIN'
    if (depth === 2) addPart(scan, open, text.slice(open.at, next))
  } else if (depth === 0) {
    return text.slice(at, next).trim() === '' ? undefined : 'there is no calendar'
  } else if (depth === 1) {
    scan.calendar!.zoneName ??= readValue(text, at, 'X-WR-TIMEZONE')
  } else if (depth === 2) {
    scan.name ??= readValue(text, at, stack[1]!.name === 'VTIMEZONE' ? 'TZID' : 'UID')
  }
  return undefined
}

function addPart({ parts, calendar, name: found }: Scan, { name, line }: Open, text: string): void {
  if (name !== 'VTIMEZONE') parts.push({ name, uid: found, text, line, calendar: calendar! })
  else if (found) calendar!.definitions.set(found, text)
}

const [BYTE_ORDER_MARK, SPACE, TAB] = [0xfeff, 32, 9]

const isLetter = (code: number, letter: string): boolean => (code | 32) === letter.charCodeAt(0)

/** `BEGIN:NAME` or `END:NAME`; most lines are told by their first letter. */
function readEdge(text: string, at: number, next: number): { isBegin: boolean; name: string } | undefined {
  const first = text.charCodeAt(at)
  const isBegin = isLetter(first, 'b')
  if ((!isBegin && !isLetter(first, 'e')) || next - at > 100) return undefined
  const match = /^(?:BEGIN|END)[ \t]*:([^\r\n]*)/i.exec(text.slice(at, next))
  return match ? { isBegin, name: match[1]!.trim().toUpperCase() } : undefined
}

/** The value of the line at this place if it has this name, unfolded and trimmed. */
function readValue(text: string, at: number, name: string): string | undefined {
  if (!isLetter(text.charCodeAt(at), name[0]!.toLowerCase())) return undefined
  const sign = text.charAt(at + name.length)
  if ((sign !== ':' && sign !== ';') || text.slice(at, at + name.length).toUpperCase() !== name) return undefined
  let end = at
  do {
    const found = text.indexOf('\n', end)
    end = found < 0 ? text.length : found + 1
  } while (text[end] === ' ' || text[end] === '\t')
  const logical = text.slice(at, end).replace(/\r?\n[ \t]/g, '')
  return /^[^:"]*(?:"[^"]*"[^:"]*)*:([\s\S]*)$/.exec(logical)?.[1]?.trim() || undefined
}
