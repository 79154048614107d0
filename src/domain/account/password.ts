// Password policy: a minimum length, and not easy to guess from common passwords or known names.

import { foldText } from '../plain-text.ts'
import type { Problems } from '../problems.ts'
import { normalizeText } from '../unicode.ts'

/** What a password is compared with. */
export interface Guesses {
  /** Folded passwords that many people use. */
  common: ReadonlySet<string>
  /** Public facts about the site and the person, as they write them. */
  context: readonly string[]
}

const MIN_PASSWORD = 12
const MAX_PASSWORD = 128

/** Any characters are allowed, and nothing is cut off; the length is counted in code points after normalisation. */
export function checkPassword(password: string, guesses: Guesses, problems: Problems, field = '/password'): void {
  const length = [...normalizeText(password, 'NFC')].length
  if (length < MIN_PASSWORD) problems.add(field, 'too_short')
  else if (length > MAX_PASSWORD) problems.add(field, 'too_long')
  else if (isEasyToGuess(password, guesses)) problems.add(field, 'password_common')
}

function isEasyToGuess(password: string, { common, context }: Guesses): boolean {
  const signs = [...foldText(password)]
  return (
    coresOf(signs).some((core) => common.has(core.join('')) || isRepetition(core)) ||
    context.flatMap(wordsOf).some((word) => isWordWithTrimmings(signs, word))
  )
}

const MAX_TRIMMINGS = 6

/** The password itself, and what is left without some of the digits and signs around it. */
function coresOf(signs: string[]): string[][] {
  const before = edgeLength(signs)
  const after = edgeLength(signs.toReversed())
  const cores: string[][] = []
  for (let start = 0; start <= before; start++)
    for (let end = 0; end <= after && start + end <= MAX_TRIMMINGS; end++)
      cores.push(signs.slice(start, Math.max(start, signs.length - end)))
  return cores
}

function edgeLength(signs: string[]): number {
  const letter = signs.findIndex((sign) => /\p{L}/u.test(sign))
  return Math.min(letter < 0 ? signs.length : letter, MAX_TRIMMINGS)
}

/** Detects a repeated unit that is too short for a password; the last repetition may lack its separator. */
function isRepetition(signs: string[]): boolean {
  const longest = Math.min(MIN_PASSWORD - 1, Math.floor((signs.length + 1) / 2))
  for (let unit = 1; unit <= longest; unit++)
    if (signs.every((sign, i) => i < unit || sign === signs[i - unit])) return true
  return signs.length === 0
}

const MIN_WORD = 4
const MIN_OTHERS = 8

/** The whole name, and each of its parts that is long enough to count. */
const wordsOf = (text: string): string[] => {
  const parts = foldText(text).split(/[^\p{L}\p{N}]+/u)
  return [...new Set([parts.join(''), ...parts])].filter((word) => word.length >= MIN_WORD)
}

const isWordWithTrimmings = (signs: string[], word: string): boolean =>
  signs.length - [...word].length < MIN_OTHERS &&
  signs
    .filter((sign) => /[\p{L}\p{N}]/u.test(sign))
    .join('')
    .includes(word)
