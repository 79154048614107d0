// CALDAV:text-match: substring under a collation. RFC 4791 §7.5, §9.7.5, RFC 4790, RFC 5051.

import type { Steps } from '../../domain/steps.ts'
import { normalizeText } from '../../domain/unicode.ts'
import { upperCaseAscii } from '../../ical/text/tree.ts'

/** Longer than any text typed into a search; it is compared with every value of every object. */
export const MAX_SOUGHT_CHARACTERS = 1_000

export interface TextMatch {
  fold: Fold
  /** The searched text, already folded. */
  folded: string
  /** KMP table: for each prefix of `folded`, the length of its longest proper prefix that is also a suffix. */
  borders: Uint16Array
  isNegated: boolean
}

/** Two texts are equal under a collation when they fold to the same text. */
type Fold = (text: string) => string

const foldAscii: Fold = upperCaseAscii

/** One character at a time, as RFC 5051 requires: a character that gets longer in upper case (ß) is unchanged. */
const foldUnicode: Fold = (text) => normalizeText(text.replace(/\p{Changes_When_Uppercased}+/gu, foldLetters), 'NFKD')

function foldLetters(letters: string): string {
  const large = letters.toUpperCase()
  if (large.length === letters.length) return large
  return [...letters]
    .map((letter) => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter))
    .join('')
}

export const COLLATIONS: ReadonlyMap<string, Fold> = new Map([
  ['i;ascii-casemap', foldAscii],
  ['i;octet', (text: string) => text],
  ['i;unicode-casemap', foldUnicode],
])

/** Used for `default` and where no collation is named (RFC 4791 §7.5). */
export const DEFAULT_FOLD: Fold = foldAscii

export function createTextMatch(fold: Fold, sought: string, isNegated: boolean): TextMatch {
  const folded = fold(sought)
  return { fold, folded, borders: listBorders(folded), isNegated }
}

/** The texts of one object in pieces, each folded once for all conditions. */
export type FoldedTexts = Map<Fold, Map<string, string[]>>

/** Yields between steps: a line has up to 262,144 characters, and one character may fold to 18. */
export function* matchTextInSteps(match: TextMatch, value: string, known: FoldedTexts): Steps<boolean> {
  const { fold, folded, isNegated } = match
  if (folded === '') return !isNegated
  const pieces = yield* foldInSteps(fold, value, known)
  const find = createSearch(match)
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) yield
    if (find(piece)) return !isNegated
  }
  return isNegated
}

function* foldInSteps(fold: Fold, text: string, known: FoldedTexts): Steps<string[]> {
  const texts = known.get(fold) ?? new Map<string, string[]>()
  known.set(fold, texts)
  const found = texts.get(text)
  if (found) return found
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    if (from > 0) yield
    const to = endOfPiece(text, from)
    pieces.push(fold(text.slice(from, to)))
    from = to
  }
  texts.set(text, pieces)
  return pieces
}

/** Characters folded before yielding. */
const PIECE_CHARACTERS = 4_096

/** More combining marks than any language puts on one letter. */
const MOST_MARKS = 64

const IS_MARK = /[\p{M}\uff9e\uff9f]/u

/** Cuts between two letters, because normalisation reorders the marks of one. */
function endOfPiece(text: string, from: number): number {
  const end = from + PIECE_CHARACTERS
  if (end >= text.length) return text.length
  for (let at = end; at > end - MOST_MARKS; at--) {
    const isLowSurrogate = (text.charCodeAt(at) & 0xfc00) === 0xdc00
    if (!isLowSurrogate && !IS_MARK.test(String.fromCodePoint(text.codePointAt(at)!))) return at
  }
  return end
}

/**
 * Knuth–Morris–Pratt, across the pieces: for a long text that nearly matches everywhere, `String.includes` compares it
 * at every position, 0.3 s for 1,000 characters in one line.
 */
function createSearch({ folded, borders }: TextMatch): (piece: string) => boolean {
  let matched = 0
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at)
      while (matched > 0 && folded.charCodeAt(matched) !== unit) matched = borders[matched - 1]!
      if (folded.charCodeAt(matched) === unit) matched += 1
      if (matched === folded.length) return true
    }
    return false
  }
}

function listBorders(text: string): Uint16Array {
  const borders = new Uint16Array(text.length)
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1]!
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1
    borders[at] = length
  }
  return borders
}
