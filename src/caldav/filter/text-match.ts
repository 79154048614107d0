// Text as a filter compares it: part of a value, under a collation. RFC 4791 §7.5 and §9.7.5, RFC 4790, RFC 5051.

import { normalizeText } from '../../domain/unicode.ts'
import { upperCaseAscii } from '../../ical/tree.ts'

/** More than is ever typed into a search; each is compared with every value of every object. */
export const MAX_SOUGHT_CHARACTERS = 1_000

export interface TextMatch {
  fold: Fold
  /** What is looked for, folded already. */
  folded: string
  isNegated: boolean
}

/** Two texts are the same under a collation when they fold to the same. */
type Fold = (text: string) => string

const foldAscii: Fold = upperCaseAscii

/** One character at a time, as RFC 5051 has it: what grows when it is made large (ß) stays as it is. */
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

/** What `default` means, and what is meant where nothing is said (RFC 4791 §7.5). */
export const DEFAULT_FOLD: Fold = foldAscii

export const matchesText = ({ fold, folded, isNegated }: TextMatch, value: string): boolean =>
  fold(value).includes(folded) !== isNegated
