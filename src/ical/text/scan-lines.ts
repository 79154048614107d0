// Reads BEGIN, END and single property values at a position of an iCalendar text window.
import { upperCaseAscii } from './tree.ts'

interface ScanWindow {
  window: string
  /** Decodes a piece of the window to text. */
  decode: (raw: string) => string
}

/** Concatenated files contain their byte order marks: U+FEFF, or its three bytes. */
export function byteOrderMarkLength(window: string, at: number): number {
  if (window.charCodeAt(at) === 0xfeff) return 1
  return window.startsWith('\u00ef\u00bb\u00bf', at) ? 3 : 0
}

const [SPACE, TAB] = [32, 9]

export const isFold = (code: number): boolean => code === SPACE || code === TAB

const isLetter = (code: number, letter: string): boolean => (code | 32) === letter.charCodeAt(0)

export interface Boundary {
  isBegin: boolean
  name: string
}

/** `BEGIN:NAME` or `END:NAME`; the first letter excludes most lines. */
export function readBoundary({ window, decode }: ScanWindow, at: number, next: number): Boundary | undefined {
  const first = window.charCodeAt(at)
  const isBegin = isLetter(first, 'b')
  if ((!isBegin && !isLetter(first, 'e')) || next - at > 100) return undefined
  const match = /^(?:BEGIN|END)[ \t]*:([^\r\n]*)/i.exec(window.slice(at, next))
  return match ? { isBegin, name: upperCaseAscii(decode(match[1]!).trim()) } : undefined
}

const FOLD = /\r?\n[ \t]/g

/**
 * The value of the line at this position if it has this name, unfolded and trimmed. If `isLenient`, the name may be
 * folded, or followed by a blank.
 */
export function readValue(
  { window, decode }: ScanWindow,
  at: number,
  name: string,
  isLenient = false,
): string | undefined {
  if (!isLetter(window.charCodeAt(at), name[0]!.toLowerCase())) return undefined
  const start = window.slice(at, at + (isLenient ? 4 : 1) * name.length)
  if (!upperCaseAscii(isLenient ? start.replace(FOLD, '') : start).startsWith(name)) return undefined
  let end = at
  do {
    const found = window.indexOf('\n', end)
    end = found < 0 ? window.length : found + 1
  } while (isFold(window.charCodeAt(end)))
  const logical = decode(window.slice(at, end).replace(FOLD, ''))
  const rest = logical.slice(name.length)
  if (!/^[:;]/.test(isLenient ? rest.trimStart() : rest)) return undefined
  return /^[^:"]*(?:"[^"]*"[^:"]*)*:([\s\S]*)$/.exec(logical)?.[1]?.trim() || undefined
}
