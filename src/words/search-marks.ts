// Marks the words of a search in the texts of its results, by the folding of the search.
import { wordsOf } from '../domain/calendar/words.ts'
import { foldText } from '../domain/plain-text.ts'

/** A part of a text; parts that were found are marked. */
export interface MarkedPart {
  text: string
  isFound: boolean
}

/** Scripts without spaces between words: the search takes each character as a word. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*|[\p{L}\p{N}\p{M}]+/gu

/** The words of the search, to be compared with the beginnings of words in a text. */
export const searchedWords = (q: string): readonly string[] => wordsOf(q)

/** Splits a text at the words that begin with a searched one; only that beginning is marked. */
export function markParts(text: string, searched: readonly string[]): MarkedPart[] {
  const parts: MarkedPart[] = []
  let done = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const length = foundLength(word, searched)
    if (length === 0) continue
    if (index > done) parts.push({ text: text.slice(done, index), isFound: false })
    parts.push({ text: word.slice(0, length), isFound: true })
    done = index + length
  }
  if (done < text.length) parts.push({ text: text.slice(done), isFound: false })
  return parts
}

/**
 * How much of the word is marked: folding may change the number of characters, so they are folded one by one. Folding
 * all from the beginning each time would take minutes for a word of 100,000 accents.
 */
function foundLength(word: string, searched: readonly string[]): number {
  const whole = folded(word)
  const wanted = searched.filter((one) => whole.startsWith(one)).sort((one, other) => other.length - one.length)[0]
  if (wanted === undefined) return 0
  let [length, seen] = [0, 0]
  for (const sign of word) {
    if (seen >= wanted.length) break
    length += sign.length
    seen += folded(sign).length
  }
  // An accent that is a character of its own belongs to the letter before it.
  return length + (/^\p{M}+/u.exec(word.slice(length))?.[0].length ?? 0)
}

const folded = (text: string): string => foldText(text).replaceAll('ς', 'σ')

/** Characters shown before and after the first word that was found. */
const CONTEXT = 70

/** The part of a long text around the first searched word, or undefined if it has none. */
export function excerptOf(text: string, searched: readonly string[]): string | undefined {
  const line = text.replace(/\s+/gu, ' ').trim()
  const parts = markParts(line, searched)
  const first = parts.findIndex(({ isFound }) => isFound)
  if (first < 0) return undefined
  const at = parts.slice(0, first).reduce((sum, part) => sum + part.text.length, 0)
  const from = at <= CONTEXT ? 0 : line.indexOf(' ', at - CONTEXT) + 1
  const end = at + CONTEXT >= line.length ? line.length : line.lastIndexOf(' ', at + CONTEXT)
  // A single word may be longer than all that is shown.
  const [start, stop] = [from > at ? at : from, end <= at ? at + CONTEXT : end]
  return `${start > 0 ? '… ' : ''}${line.slice(start, stop)}${stop < line.length ? ' …' : ''}`
}
