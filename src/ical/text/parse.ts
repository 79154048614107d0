// Parses iCalendar text into a tree, within limits on lines, length and depth.
import { runSteps, type Steps } from '../../domain/steps.ts'
import { foldLine } from './print.ts'
import { isFold } from './scan-lines.ts'
import { type Component, type Param, type Property, upperCaseAscii } from './tree.ts'

export interface ParseProblem {
  problem: string
  line: number
}

export const MAX_LINES = 500_000
/** Four times what an import accepts: a line may grow when it is normalised, and must stay parseable. */
const MAX_LINE_CHARS = 1_048_576
/** Of all parameters on one line. Real lines have some dozens; each is an entry of the tree. */
export const MAX_PARAM_VALUES = 1_000
const MAX_DEPTH = 16

interface UnfinishedComponent {
  name: string
  children: (Property | Component)[]
}

/** Lines per step: a few milliseconds. */
const LINES_AT_ONCE = 1_000

/**
 * Reads the lines of a text one after another: the text is not split at once, because it can have a million of them.
 */
interface LineCursor {
  text: string
  /** Start of the next line; beyond the end of the text when there is none. */
  at: number
  /** Lines read so far. */
  count: number
  /** Line count at the next pause; each parameter value counts as a line. */
  pauseAt: number
}

/** Parses one component, normally a VCALENDAR. Line ends may be CRLF or LF; a leading byte order mark is skipped. */
export const parseCalendar = (text: string): Component | ParseProblem => runSteps(parseInSteps(text))

export function* parseInSteps(text: string): Steps<Component | ParseProblem> {
  if (yield* hasTooManyLines(text)) return { problem: 'too many lines', line: MAX_LINES }
  const cursor: LineCursor = { text, at: text.startsWith('\uFEFF') ? 1 : 0, count: 0, pauseAt: LINES_AT_ONCE }
  const stack: UnfinishedComponent[] = []
  let finished: Component | undefined
  while (cursor.at <= text.length) {
    if (isPauseDue(cursor)) yield
    const line = cursor.count + 1
    const first = readLine(cursor)
    const isFolded = isFold(text.charCodeAt(cursor.at))
    if (!isFolded && first.trim() === '') continue
    if (finished) return { problem: 'text after the end', line }
    const { logical, raw } = isFolded ? yield* readFolds(cursor, first) : { logical: first, raw: first }
    if (logical.length > MAX_LINE_CHARS) return { problem: 'a line is too long', line }
    const property = parseLine(logical, raw)
    if (!property) return { problem: 'a line has no name, no value or too many parameters', line }
    cursor.pauseAt -= countParamValues(property)
    if (property.name === 'BEGIN') {
      if (stack.length >= MAX_DEPTH) return { problem: 'components are nested too deeply', line }
      stack.push({ name: upperCaseAscii(property.value.trim()), children: [] })
      continue
    }
    const open = stack.at(-1)
    if (!open) return { problem: 'a line outside any component', line }
    if (property.name !== 'END') {
      open.children.push(property)
      continue
    }
    if (upperCaseAscii(property.value.trim()) !== open.name) return { problem: 'END does not match BEGIN', line }
    stack.pop()
    const parent = stack.at(-1)
    if (parent) parent.children.push(open)
    else finished = open
  }
  return finished ?? { problem: 'the end is missing', line: cursor.count }
}

/** A shorter text cannot have that many, and counting stops at the limit. */
function* hasTooManyLines(text: string): Steps<boolean> {
  if (text.length < MAX_LINES) return false
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0 && count <= MAX_LINES; at = text.indexOf('\n', at + 1))
    if (++count % LINES_AT_ONCE === 0) yield
  return count > MAX_LINES
}

function isPauseDue(cursor: LineCursor): boolean {
  if (cursor.count < cursor.pauseAt) return false
  cursor.pauseAt = cursor.count + LINES_AT_ONCE
  return true
}

/** The next line without its LF or CRLF. */
function readLine(cursor: LineCursor): string {
  const { text, at } = cursor
  const end = text.indexOf('\n', at)
  cursor.count += 1
  cursor.at = (end < 0 ? text.length : end) + 1
  if (end < 0) return text.slice(at)
  return text.slice(at, text[end - 1] === '\r' ? end - 1 : end)
}

interface FoldedLine {
  logical: string
  /** As in the text, with CRLF. */
  raw: string
}

function* readFolds(cursor: LineCursor, first: string): Steps<FoldedLine> {
  let logical = first
  let raw = first
  let folds: string[] = []
  const append = (): void => {
    logical += folds.map((fold) => fold.slice(1)).join('')
    raw += `\r\n${folds.join('\r\n')}`
    folds = []
  }
  do {
    folds.push(readLine(cursor))
    if (!isPauseDue(cursor)) continue
    append()
    yield
  } while (isFold(cursor.text.charCodeAt(cursor.at)))
  if (folds.length > 0) append()
  return { logical, raw }
}

export const isParseProblem = (result: Component | ParseProblem): result is ParseProblem => 'problem' in result

/** Removed from every line but BEGIN and END, where they are refused, as NUL is everywhere. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000a-\u001f\u007f]/g
/** Those that stand for a line break in the text of some programs. */
const LINE_BREAKS = /[\u000a-\u000d\u001c-\u001e]/g

/** Some clients do not quote the parameters of these. The service does not read them, and keeps the line as text. */
const KEPT_AS_TEXT = /^(?:X-.+|ATTENDEE|ORGANIZER)$/

export function parseLine(text: string, raw: string): Property | undefined {
  const nameEnd = text.search(/[;:]/)
  if (nameEnd <= 0 || !/^[A-Za-z0-9-]+$/.test(text.slice(0, nameEnd))) return undefined
  const name = text.slice(0, nameEnd).toUpperCase()
  if (text.search(CONTROL_CHARACTERS) >= 0) {
    if (name === 'BEGIN' || name === 'END' || text.includes('\0')) return undefined
    const unbroken = text.replace(LINE_BREAKS, name === 'DESCRIPTION' ? '\\n' : ' ')
    const plain = unbroken.replace(CONTROL_CHARACTERS, '')
    if (!name.startsWith('X-')) return parseLine(plain, foldLine(plain))
    // Nothing reads it, so it stays as sent, unless a part of it would be a line of its own to another program.
    return parseLine(plain, unbroken === text ? raw : foldLine(unbroken))
  }
  const line = parseParams(text, nameEnd, name, raw)
  if (line || !KEPT_AS_TEXT.test(name)) return line
  const colon = text.indexOf(':')
  const isShort = text.split(/[;,]/, MAX_PARAM_VALUES + 1).length <= MAX_PARAM_VALUES
  return colon >= 0 && isShort ? { name, params: [], value: text.slice(colon + 1), raw } : undefined
}

/** A line kept as text may have as many as it has separators. */
const countParamValues = ({ params, value }: Property): number =>
  params.length > 0 ? params.reduce((sum, { values }) => sum + values.length, 0) : value.length / 64

/** `;PARAM=value;PARAM="quoted:value":the rest`, parsed by hand because quotes may contain any separator. */
function parseParams(text: string, nameEnd: number, name: string, raw: string): Property | undefined {
  const params: Param[] = []
  let count = 0
  let at = nameEnd
  while (text[at] === ';') {
    const equals = text.indexOf('=', at)
    if (equals < 0) return undefined
    const paramName = upperCaseAscii(text.slice(at + 1, equals))
    if (!/^[A-Z0-9-]+$/.test(paramName)) return undefined
    const values: string[] = []
    at = equals
    do {
      const [value, next] = readParamValue(text, at + 1)
      if (next > text.length || ++count > MAX_PARAM_VALUES) return undefined
      values.push(value)
      at = next
    } while (text[at] === ',')
    params.push({ name: paramName, values })
  }
  return text[at] === ':' ? { name, params, value: text.slice(at + 1), raw } : undefined
}

function readParamValue(text: string, from: number): [string, number] {
  if (text[from] === '"') {
    const close = text.indexOf('"', from + 1)
    return close < 0 ? ['', text.length + 1] : [text.slice(from + 1, close), close + 1]
  }
  let end = from
  while (end < text.length && text[end] !== ',' && text[end] !== ';' && text[end] !== ':') end += 1
  return [text.slice(from, end), end]
}
