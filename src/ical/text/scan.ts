// Scans iCalendar text for component boundaries in windows, so that a file need not fit in memory.
import type { SkipReason } from '../../domain/calendar/skip-reasons.ts'
import { runSteps, type Steps } from '../../domain/steps.ts'
import type { ParseProblem } from './parse.ts'
import { type Boundary, byteOrderMarkLength, isFold, readBoundary, readValue } from './scan-lines.ts'
import { unescapeText, upperCaseAscii } from './tree.ts'

/** The properties of a VCALENDAR that apply to all of its events. Complete only when its END was scanned. */
export interface FileCalendar {
  /** Zone of floating times (X-WR-TIMEZONE), as many programs write it. */
  zoneName: string | undefined
  /** The text of each VTIMEZONE under its TZID as `plainTzid` has it, and under that in lower case. */
  definitions: Map<string, string>
  definitionsInAnyCase: Map<string, string>
  /** METHOD (RFC 5546): absent or PUBLISH for a list of events, otherwise a scheduling message. */
  method: string | undefined
  /** X-CALENDARSERVER-ACCESS: who may see its events, as servers wrote it before CLASS was common. Of several the first that is not open. */
  access: string | undefined
}

/** A component directly inside a VCALENDAR, by its position. */
export interface ScannedPart {
  name: string
  uid: string | undefined
  at: number
  length: number
  /** The line it begins on, from 1. */
  line: number
  calendar: FileCalendar
  /** Why it cannot be parsed, when its BEGIN and END do not match. */
  fault: SkipReason | undefined
  /** Its text; empty when it is longer than `MAX_KEPT` and its beginning is no longer in the window. */
  text(): string
}

export interface ScanOptions {
  maxLines: number
  /** Decodes a piece of a window to text; identity if windows are text already. */
  decode: (raw: string) => string
  onPart: (part: ScannedPart) => void
  onCalendarEnd?: (calendar: FileCalendar) => void
}

export interface CalendarScanner {
  /** Scans the window that begins at `base`. Returns where the next window must begin: after the last one, its end. */
  scan(window: string, base: number, isLast: boolean): number | ParseProblem
  /** The same in steps: a window can have a million lines, and lines of skipped components are scanned again. */
  scanInSteps(window: string, base: number, isLast: boolean): Steps<number | ParseProblem>
}

const MAX_PART_LINES = 50_000
/**
 * Characters of one line with its folds. Ten thousand dates take 170,000 as Daybook writes them, and a picture of 190
 * KiB fits as base64; larger attachments should be links.
 */
const MAX_LINE_CHARS = 262_144
const MAX_PART_LENGTH = 16 * 1_024 * 1_024
const MAX_DEPTH = 16

/** A character is at most four bytes, so a logical line that is not too long ends within this many. */
const LOOKAHEAD = 4 * MAX_LINE_CHARS + 4_096

/** Components up to this length are never split between two windows. */
const MAX_KEPT = 256 * 1_024

/** Windows must be longer than a kept component and the lookahead together, or the scan would not advance. */
export const WINDOW_LENGTH = 2 * (MAX_KEPT + LOOKAHEAD)

/** A TZID in comparable form: some programs escape it as text in the definition, or quote it where they use it. */
export const plainTzid = (text: string): string => unescapeText(text).replaceAll('"', '').trim()

interface OpenComponent {
  name: string
  at: number
  /** Start of the line after its BEGIN. */
  next: number
  line: number
}

interface Scan extends ScanOptions {
  window: string
  base: number
  line: number
  /** The open components, from the VCALENDAR inwards. */
  stack: OpenComponent[]
  calendar: FileCalendar | undefined
  /** The UID, or the TZID, of the open component inside the VCALENDAR. */
  name: string | undefined
  /** A component was skipped, and no other has begun since. */
  isSkipping: boolean
  hasFaults: boolean
  /** The window ended inside a skipped line: the next one does not begin with a new line. */
  isInsideLine: boolean
  /** Start of the logical line, and its characters counted so far. */
  logicalFrom: number
  logicalChars: { from: number; to: number; count: number }
}

/** Problems of one component alone; any other is a problem of the file. */
const FAULTS = new Map<string, SkipReason>([
  ['a line is too long', 'line_too_long'],
  ['a component has too many lines', 'too_many_lines'],
  ['a component is too large', 'too_large'],
  ['components are nested too deeply', 'nested'],
  ['END does not match BEGIN', 'end_missing'],
])

/**
 * Reports every component directly inside a VCALENDAR except VTIMEZONEs. A file may contain several VCALENDARs in a
 * row. A component whose BEGIN and END do not match is skipped: the scan returns to its second line and looks for the
 * next component from there.
 */
export function createScanner(options: ScanOptions): CalendarScanner {
  const scan: Scan = {
    ...options,
    window: '',
    base: 0,
    line: 0,
    stack: [],
    calendar: undefined,
    name: undefined,
    isSkipping: false,
    hasFaults: false,
    isInsideLine: false,
    logicalFrom: 0,
    logicalChars: { from: -1, to: -1, count: 0 },
  }
  function* scanInSteps(window: string, base: number, isLast: boolean): Steps<number | ParseProblem> {
    if (window.includes('\0')) return { problem: 'it is not text', line: 1 }
    scan.window = window
    scan.base = base
    return yield* scanWindow(scan, isLast)
  }
  return { scan: (window, base, isLast) => runSteps(scanInSteps(window, base, isLast)), scanInSteps }
}

/** Lines per step, a few milliseconds, even if each of them ends a component. */
const LINES_AT_ONCE = 1_000

function* scanWindow(scan: Scan, isLast: boolean): Steps<number | ParseProblem> {
  const { window, base } = scan
  let lines = 0
  for (let at = 0, next: number; at < window.length; at = next) {
    if (++lines % LINES_AT_ONCE === 0) yield
    const part = scan.stack[1]
    if (scan.stack.length === 0 && !scan.isInsideLine) at += byteOrderMarkLength(window, at)
    const isFolded = scan.isInsideLine || isFold(window.charCodeAt(at))
    if (!isLast && window.length - at < LOOKAHEAD && (scan.isSkipping || !isFolded)) return stopAt(scan, base + at)
    const end = window.indexOf('\n', at)
    next = end < 0 ? window.length : end + 1
    if (!scan.isInsideLine) scan.line += 1
    scan.isInsideLine = end < 0 && !isLast
    if (scan.line > scan.maxLines) return { problem: 'too many lines', line: scan.line }
    if (!isFolded) scan.logicalFrom = base + at
    let problem: string | undefined
    if (!scan.isSkipping && isTooLong(scan, at, next)) problem = 'a line is too long'
    else if (part && scan.line - part.line > MAX_PART_LINES) problem = 'a component has too many lines'
    else if (part && base + next - part.at > MAX_PART_LENGTH) problem = 'a component is too large'
    else if (!isFolded) problem = applyLine(scan, at, next)
    if (!problem) continue
    const reason = FAULTS.get(problem)
    if (!part || !reason) return { problem, line: scan.line }
    skipComponent(scan, part, base + at, reason)
    if (part.next < base) return part.next
    next = part.next - base
  }
  if (!isLast) return base + window.length
  if (scan.stack.length > 0) return { problem: 'the end is missing', line: scan.line }
  return scan.calendar ? base + window.length : { problem: 'there is no calendar', line: 1 }
}

/** Start of the next window: at the open component, when it is short enough to be scanned as a whole. */
function stopAt(scan: Scan, at: number): number {
  const part = scan.stack[1]
  if (!part || at - part.at > MAX_KEPT) return at
  scan.stack.length = 1
  scan.line = part.line - 1
  return part.at
}

/** Each piece of a long line is decoded once, and only when the byte count alone does not decide. */
function isTooLong(scan: Scan, at: number, next: number): boolean {
  const { logicalFrom, logicalChars: counted, base } = scan
  if (base + next - logicalFrom <= MAX_LINE_CHARS) return false
  const isCounted = counted.from === logicalFrom && counted.to === base + at
  const from = isCounted ? at : Math.max(0, logicalFrom - base)
  const chars = scan.decode(scan.window.slice(from, next)).length
  scan.logicalChars = { from: logicalFrom, to: base + next, count: (isCounted ? counted.count : 0) + chars }
  return scan.logicalChars.count > MAX_LINE_CHARS
}

function skipComponent(scan: Scan, open: OpenComponent, until: number, fault: SkipReason): void {
  report(scan, open, until, fault)
  scan.stack.length = 1
  scan.isSkipping = true
  scan.hasFaults = true
  scan.isInsideLine = false
  scan.line = open.line
}

function report(scan: Scan, { name, at, line }: OpenComponent, end: number, fault: SkipReason | undefined): void {
  const { window, base, decode, calendar } = scan
  scan.onPart({
    name,
    uid: name === 'VTIMEZONE' ? undefined : scan.name,
    at,
    length: end - at,
    line,
    calendar: calendar!,
    fault,
    text: () => (at < base ? '' : decode(window.slice(at - base, end - base))),
  })
}

/** None of these is nested in another, unless the END of the other is missing. */
const RESTARTS = ['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']

const endsSkipping = ({ isBegin, name }: Boundary): boolean =>
  isBegin ? RESTARTS.includes(name) : name === 'VCALENDAR'

/** Applies a line to the state; returns the problem, if any. */
function applyLine(scan: Scan, at: number, next: number): string | undefined {
  const { window, stack } = scan
  const depth = stack.length
  const boundary = readBoundary(scan, at, next)
  if (scan.isSkipping) {
    if (!boundary || !endsSkipping(boundary)) return undefined
    scan.isSkipping = false
  }
  if (boundary?.isBegin) return begin(scan, boundary.name, at, next)
  if (boundary) {
    // A skipped component may still have an END.
    if (depth === 1 && boundary.name !== 'VCALENDAR' && scan.hasFaults) return undefined
    const open = stack.pop()
    if (open?.name !== boundary.name) return 'END does not match BEGIN'
    if (depth === 2) endPart(scan, open, scan.base + next)
    if (depth === 1) scan.onCalendarEnd?.(scan.calendar!)
  } else if (depth === 0) {
    return scan.decode(window.slice(at, next)).trim() === '' ? undefined : 'there is no calendar'
  } else if (depth === 1) {
    applyCalendarLine(scan, at)
  } else if (depth === 2) {
    scan.name ??= readValue(scan, at, stack[1]!.name === 'VTIMEZONE' ? 'TZID' : 'UID')
  }
  return undefined
}

function begin(scan: Scan, name: string, at: number, next: number): string | undefined {
  const { stack, base, line } = scan
  const depth = stack.length
  if (depth === 0 && name !== 'VCALENDAR') return 'there is no calendar'
  if (depth >= MAX_DEPTH || isThirdOfItsKind(stack, name)) return 'components are nested too deeply'
  if (depth === 0) scan.calendar = newCalendar()
  if (depth === 1) scan.name = undefined
  stack.push({ name, at: base + at, next: base + next, line })
  return undefined
}

/**
 * Events without END nest in one another; two are enough to detect it, so that no line is scanned more than a few
 * times.
 */
const isThirdOfItsKind = (stack: readonly OpenComponent[], name: string): boolean =>
  stack.length > 2 && RESTARTS.includes(name) && stack.slice(2).some((open) => RESTARTS.includes(open.name))

export const OPEN_ACCESS = 'PUBLIC'

export const isOpenAccess = (word: string): boolean => upperCaseAscii(word.trim()) === OPEN_ACCESS

const newCalendar = (): FileCalendar => ({
  zoneName: undefined,
  definitions: new Map(),
  definitionsInAnyCase: new Map(),
  method: undefined,
  access: undefined,
})

function applyCalendarLine(scan: Scan, at: number): void {
  const calendar = scan.calendar!
  calendar.zoneName ??= readValue(scan, at, 'X-WR-TIMEZONE')
  calendar.method ??= readValue(scan, at, 'METHOD')
  const access = readValue(scan, at, 'X-CALENDARSERVER-ACCESS', true)
  if (access !== undefined && isOpenAccess(calendar.access ?? OPEN_ACCESS)) calendar.access = access
}

function endPart(scan: Scan, open: OpenComponent, end: number): void {
  const { window, base, calendar } = scan
  if (open.name !== 'VTIMEZONE') report(scan, open, end, undefined)
  else if (scan.name && open.at >= base) {
    const tzid = plainTzid(scan.name)
    const text = scan.decode(window.slice(open.at - base, end - base))
    calendar!.definitions.set(tzid, text)
    calendar!.definitionsInAnyCase.set(tzid.toLowerCase(), text)
  }
}
