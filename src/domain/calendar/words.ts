// The words of an event, cleaned: one form of Unicode, no control characters, no address that could run as script.
import type { Steps } from '../steps.ts'
import { normalizeText } from '../unicode.ts'
import type { Details } from './event.ts'
import { type EventFields, LONGEST, type Problems } from './fields.ts'

type WordFields = Pick<EventFields, 'title' | 'description' | 'location' | 'category' | 'url' | 'status'>

export function readDetails(fields: WordFields, problems: Problems): Details {
  return {
    title: readTitle(fields.title, problems),
    description: readText('description', fields.description, problems),
    location: readText('location', fields.location, problems),
    category: readText('category', fields.category, problems),
    url: readUrl(fields.url, problems),
    status: fields.status ?? 'confirmed',
  }
}

function readTitle(text: string, problems: Problems): string {
  const title = cleanText(text)
  if (title === undefined || /\n|\t/.test(title)) problems.add('/title', 'invalid_format')
  else if (title === '') problems.add('/title', 'too_short')
  else if (isLonger(title, LONGEST.title)) problems.add('/title', 'too_long')
  return title ?? ''
}

type TextField = 'description' | 'location' | 'category'

function readText(field: TextField, text: string | null | undefined, problems: Problems): string | null {
  if (text === null || text === undefined) return null
  const cleaned = cleanText(text)
  if (cleaned === undefined) problems.add(`/${field}`, 'invalid_format')
  else if (isLonger(cleaned, LONGEST[field])) problems.add(`/${field}`, 'too_long')
  return cleaned || null
}

/** In characters. Normalisation makes some texts longer than they were sent: NFC has up to three characters for one. */
export const isLonger = (text: string, most: number): boolean => text.length > most && [...text].length > most

/** Undefined when the text holds control characters or half a surrogate pair, which no database or feed could carry. */
export function cleanText(text: string): string | undefined {
  const cleaned = normalizeText(text, 'NFC').replace(/\r\n?/g, '\n').trim()
  return cleaned.isWellFormed() && !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/.test(cleaned)
    ? cleaned
    : undefined
}

/** Text that came by another way than JSON, where nobody can be asked to send it again: what JSON refuses is not in it. */
export const stripControlCharacters = (text: string, lineBreak: ' ' | '\n'): string =>
  text
    .toWellFormed()
    .replace(/[\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/g, lineBreak)
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '')

function readUrl(text: string | null | undefined, problems: Problems): string | null {
  if (!text) return null
  const url = cleanText(text)
  if (url === undefined || /\s/.test(url) || !URL.canParse(url)) problems.add('/url', 'invalid_format')
  else if (!/^https?:\/\//i.test(url)) problems.add('/url', 'url_scheme')
  else if (isLonger(url, LONGEST.url)) problems.add('/url', 'too_long')
  return url ?? null
}

/** Text folded for searching: case, accents and compatibility forms do not matter. */
export const foldText = (text: string): string =>
  normalizeText(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** Scripts that put no space between words: each sign is taken for one. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu

/** Letters and digits that stand together. Very long ones come in pieces, in what is looked for alike. */
const WORD = /[\p{L}\p{N}]{1,40}/gu

/** The words of a text, folded, each once. */
export function wordsOf(text: string): string[] {
  // A sigma is another letter at the end of a word, which is where a word that is still being typed ends.
  const folded = foldText(text).replaceAll('ς', 'σ').replace(UNSPACED, ' $& ')
  return [...new Set(folded.match(WORD))]
}

const foldedWords = new WeakMap<Details, readonly string[]>()

/** Folded once: the limit of words, the search text and the words of the public all need them. */
export function wordsOfDetails(details: Details): readonly string[] {
  const known = foldedWords.get(details)
  if (known) return known
  const { title, description, location, category } = details
  const words = wordsOf([title, description, location, category].filter(Boolean).join('\n'))
  foldedWords.set(details, words)
  return words
}

/** Compatibility forms hold up to six signs that are words by themselves (U+3316). */
const MAX_WORDS_OF_SIGN = 6

/** Stops as soon as it knows; a short text cannot have so many words, so most are not even looked into. */
export function* haveMoreWordsInSteps(all: readonly Details[], most: number): Steps<boolean> {
  const signs = all.reduce((sum, details) => sum + lengthOfDetails(details), 0)
  if (signs * MAX_WORDS_OF_SIGN <= most) return false
  let count = 0
  for (const details of all) {
    count += wordsOfDetails(details).length
    if (count > most) return true
    yield
  }
  return false
}

export function* countWordsInSteps(all: readonly Details[]): Steps<number> {
  let count = 0
  for (const details of all) {
    count += wordsOfDetails(details).length
    yield
  }
  return count
}

const lengthOfDetails = ({ title, description, location, category }: Details): number =>
  [title, description, location, category].reduce((sum, text) => sum + (text?.length ?? 0), 0)

/** Each word after a space, so that what begins a word is found by a space and its letters. */
export const searchTextOf = (details: Details): string =>
  wordsOfDetails(details)
    .map((word) => ` ${word}`)
    .join('')

/** So many words of a question are looked for; those after them are not. */
export const MAX_SOUGHT_WORDS = 8
