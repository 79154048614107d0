// A whole iCalendar file cut into its events by UID, found by their edges alone: each is read later, by itself, so one
// that cannot be read takes no other with it and no more than one is ever held as a tree.
import type { SkipReason } from '../domain/calendar/skip-reasons.ts'
import type { ParseProblem } from './parse.ts'
import { unescapeText } from './tree.ts'

/** What a VCALENDAR of the file says for all of its events. */
export interface FileCalendar {
  /** The zone of times that name none, as many programs write it. */
  zoneName: string | undefined
  /** The text of each VTIMEZONE under its TZID as `plainTzid` has it, and under that in lower case. */
  definitions: Map<string, string>
  definitionsInAnyCase: Map<string, string>
  /** What the file is for (RFC 5546): a list of events, or one step of an exchange between people. */
  method: string | undefined
  /** Who may see its events, as servers wrote it before CLASS was common. */
  access: string | undefined
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
/**
 * Of one line, folds and all. Ten thousand dates take 170,000 as we write them ourselves, and a picture of 190 KiB fits
 * as base64; what is larger belongs behind a link.
 */
const MAX_LINE_CHARS = 262_144
const MAX_DEPTH = 16
const MAX_UID_CHARS = 255

export function splitCalendar(text: string, maxLines = MAX_FILE_LINES): Split | ParseProblem {
  if (text.includes('\0')) return { problem: 'it is not text', line: 1 }
  const found = listParts(text, maxLines)
  if ('problem' in found) return found
  const events = new Map<string, FileEvent>()
  const { parts, skipped } = found
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

/** A TZID as it is compared: some programs escape it as text where they define it, or quote it where they name it. */
export const plainTzid = (text: string): string => unescapeText(text).replaceAll('"', '').trim()

const OTHER_COMPONENTS = new Map<string, SkipReason>([
  ['VTODO', 'todo'],
  ['VJOURNAL', 'journal'],
  ['VFREEBUSY', 'free_busy'],
])

/** Messages about events, which hold a part of one or its end and not the event as it is. */
const MESSAGES = ['ADD', 'REPLY', 'CANCEL', 'COUNTER', 'DECLINECOUNTER', 'REFRESH']

function reasonToSkip({ name, uid, calendar }: Part): SkipReason | undefined {
  if (name !== 'VEVENT') return OTHER_COMPONENTS.get(name) ?? 'unknown_component'
  if (MESSAGES.includes(calendar.method?.toUpperCase() ?? '')) return 'message'
  if (!uid) return 'uid_missing'
  return uid.length > MAX_UID_CHARS ? 'uid_too_long' : undefined
}

interface Open {
  name: string
  at: number
  /** Where the line after its BEGIN stands. */
  next: number
  line: number
}

interface Scan {
  text: string
  parts: Part[]
  skipped: SkippedPart[]
  /** What is open, from the VCALENDAR inwards. */
  stack: Open[]
  calendar: FileCalendar | undefined
  /** The UID, or the TZID, of the component that is open inside the VCALENDAR. */
  name: string | undefined
  /** A component was given up, and no other has begun since. */
  isLost: boolean
}

/** What can be wrong with one component alone; anything else is wrong with the file. */
const FAULTS = new Map<string, SkipReason>([
  ['a line is too long', 'line_too_long'],
  ['a component has too many lines', 'too_many_lines'],
  ['components are nested too deeply', 'nested'],
  ['END does not match BEGIN', 'end_missing'],
])

/**
 * Every component directly inside a VCALENDAR but the VTIMEZONEs. A file may hold several VCALENDARs, one after another.
 * A component whose edges do not fit is given up, and what follows its first line is looked through for the next one.
 */
function listParts(text: string, maxLines: number): Pick<Scan, 'parts' | 'skipped'> | ParseProblem {
  const scan: Scan = {
    text,
    parts: [],
    skipped: [],
    stack: [],
    calendar: undefined,
    name: undefined,
    isLost: false,
  }
  let logicalFrom = 0
  let line = 0
  for (let at = 0, next: number; at < text.length; at = next) {
    const part = scan.stack[1]
    // Files put behind one another bring their marks along.
    if (scan.stack.length === 0 && text.charCodeAt(at) === BYTE_ORDER_MARK) at += 1
    const end = text.indexOf('\n', at)
    next = end < 0 ? text.length : end + 1
    line += 1
    if (line > maxLines) return { problem: 'too many lines', line }
    const first = text.charCodeAt(at)
    const isFolded = first === SPACE || first === TAB
    if (!isFolded) logicalFrom = at
    let problem: string | undefined
    if (!scan.isLost && next - logicalFrom > MAX_LINE_CHARS) problem = 'a line is too long'
    else if (part && line - part.line > MAX_PART_LINES) problem = 'a component has too many lines'
    else if (!isFolded) problem = takeLine(scan, at, next, line)
    if (!problem) continue
    const reason = FAULTS.get(problem)
    if (!part || !reason) return { problem, line }
    giveUp(scan, part, at, reason)
    next = part.next
    line = part.line
  }
  if (scan.stack.length > 0) return { problem: 'the end is missing', line }
  return scan.calendar ? scan : { problem: 'there is no calendar', line: 1 }
}

function giveUp(scan: Scan, { name, at, line }: Open, until: number, reason: SkipReason): void {
  const { text, calendar, name: uid } = scan
  const part = { name, uid: name === 'VTIMEZONE' ? undefined : uid, text: text.slice(at, until), line }
  scan.skipped.push({ part: { ...part, calendar: calendar! }, reason })
  scan.stack.length = 1
  scan.isLost = true
}

/** None of these stands inside another, but where the end of the other is missing. */
const RESTARTS = ['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']

const isFirmGround = ({ isBegin, name }: Edge): boolean => (isBegin ? RESTARTS.includes(name) : name === 'VCALENDAR')

/** What a line changes; says what is wrong with it. */
function takeLine(scan: Scan, at: number, next: number, line: number): string | undefined {
  const { text, stack } = scan
  const depth = stack.length
  const edge = readEdge(text, at, next)
  if (scan.isLost) {
    if (!edge || !isFirmGround(edge)) return undefined
    scan.isLost = false
  }
  if (edge?.isBegin) {
    if (depth === 0 && edge.name !== 'VCALENDAR') return 'there is no calendar'
    if (depth >= MAX_DEPTH || isThirdOfItsKind(stack, edge.name)) return 'components are nested too deeply'
    if (depth === 0) scan.calendar = newCalendar()
    if (depth === 1) scan.name = undefined
    stack.push({ name: edge.name, at, next, line })
  } else if (edge) {
    // What was given up may have ended after all.
    if (depth === 1 && edge.name !== 'VCALENDAR' && scan.skipped.length > 0) return undefined
    const open = stack.pop()
    if (open?.name !== edge.name) return 'END does not match BEGIN'
    if (depth === 2) addPart(scan, open, text.slice(open.at, next))
  } else if (depth === 0) {
    return text.slice(at, next).trim() === '' ? undefined : 'there is no calendar'
  } else if (depth === 1) {
    takeCalendarLine(scan.calendar!, text, at)
  } else if (depth === 2) {
    scan.name ??= readValue(text, at, stack[1]!.name === 'VTIMEZONE' ? 'TZID' : 'UID')
  }
  return undefined
}

/** Events without an end lie in one another; two are enough to know, so that no line is looked at more than a few times. */
const isThirdOfItsKind = (stack: readonly Open[], name: string): boolean =>
  stack.length > 2 && RESTARTS.includes(name) && stack.slice(2).some((open) => RESTARTS.includes(open.name))

const newCalendar = (): FileCalendar => ({
  zoneName: undefined,
  definitions: new Map(),
  definitionsInAnyCase: new Map(),
  method: undefined,
  access: undefined,
})

function takeCalendarLine(calendar: FileCalendar, text: string, at: number): void {
  calendar.zoneName ??= readValue(text, at, 'X-WR-TIMEZONE')
  calendar.method ??= readValue(text, at, 'METHOD')
  calendar.access ??= readValue(text, at, 'X-CALENDARSERVER-ACCESS')
}

function addPart({ parts, calendar, name: found }: Scan, { name, line }: Open, text: string): void {
  if (name !== 'VTIMEZONE') parts.push({ name, uid: found, text, line, calendar: calendar! })
  else if (found) {
    const tzid = plainTzid(found)
    calendar!.definitions.set(tzid, text)
    calendar!.definitionsInAnyCase.set(tzid.toLowerCase(), text)
  }
}

const [BYTE_ORDER_MARK, SPACE, TAB] = [0xfeff, 32, 9]

const isLetter = (code: number, letter: string): boolean => (code | 32) === letter.charCodeAt(0)

interface Edge {
  isBegin: boolean
  name: string
}

/** `BEGIN:NAME` or `END:NAME`; most lines are told by their first letter. */
function readEdge(text: string, at: number, next: number): Edge | undefined {
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
