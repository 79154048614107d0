// Prints a tree as iCalendar text: CRLF, folded at 75 octets, unchanged lines exactly as received.

import { stripControlCharacters } from '../../domain/plain-text.ts'
import type { Steps } from '../../domain/steps.ts'
import { type Component, isComponent, type Property } from './tree.ts'

const MAX_OCTETS = 75

export function printCalendar(root: Component): string {
  const lines: string[] = []
  printInto(root, lines)
  return `${lines.join('\r\n')}\r\n`
}

function printInto(node: Component, lines: string[]): void {
  lines.push(`BEGIN:${node.name}`)
  for (const child of node.children) {
    if (isComponent(child)) printInto(child, lines)
    else lines.push(child.raw ?? foldLine(printLine(child)))
  }
  lines.push(`END:${node.name}`)
}

const LINES_AT_ONCE = 1_000
const CHARS_AT_ONCE = 64 * 1_024

/** The same in steps. */
export function* printCalendarInSteps(root: Component): Steps<string> {
  let text = ''
  for (const piece of printInPieces(root)) {
    text += piece
    yield
  }
  return text
}

/** The same text in pieces of whole lines, each of which takes a few milliseconds. */
export function* printInPieces(root: Component): Generator<string> {
  const pending: PendingLines = { lines: [], chars: 0 }
  yield* printPieces(root, pending)
  yield takeLines(pending)
}

interface PendingLines {
  lines: string[]
  chars: number
}

function* printPieces(node: Component, pending: PendingLines): Generator<string> {
  pending.lines.push(`BEGIN:${node.name}`)
  for (const child of node.children) {
    if (isComponent(child)) yield* printPieces(child, pending)
    else {
      const line = child.raw ?? foldLine(printLine(child))
      pending.lines.push(line)
      pending.chars += line.length
    }
    if (pending.lines.length >= LINES_AT_ONCE || pending.chars >= CHARS_AT_ONCE) yield takeLines(pending)
  }
  pending.lines.push(`END:${node.name}`)
}

function takeLines(pending: PendingLines): string {
  const text = `${pending.lines.join('\r\n')}\r\n`
  pending.lines = []
  pending.chars = 0
  return text
}

function printLine({ name, params, value }: Property): string {
  const text = params.map((param) => `;${param.name}=${param.values.map(quoteParam).join(',')}`)
  return `${name}${text.join('')}:${value}`
}

/** A quote cannot be written inside a parameter, so it becomes an apostrophe. */
const quoteParam = (value: string): string => {
  const plain = value.replaceAll('"', "'")
  return /[,;:]/.test(plain) ? `"${plain}"` : plain
}

/**
 * A value on a single line for every reader: some programs end a line at more characters than CR and LF, and would take
 * the rest for a line of its own.
 */
export const onOneLine = (value: string): string => stripControlCharacters(value.replace(/\r\n?|\n/g, ' '), ' ')

/** Folds by octets and never inside a character, because some readers unfold bytes. */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_OCTETS) return line
  const parts: string[] = []
  let start = 0
  let octets = 0
  for (let i = 0; i < line.length; ) {
    const point = line.codePointAt(i)!
    const size = octetsOf(point)
    if (octets + size > MAX_OCTETS) {
      parts.push(line.slice(start, i))
      start = i
      octets = 1
    }
    octets += size
    i += point > 0xffff ? 2 : 1
  }
  parts.push(line.slice(start))
  return parts.join('\r\n ')
}

/** In UTF-8. */
const octetsOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4)
