// Normalises event texts (NFC, no control characters, http URLs only) and folds words for search.

import { cleanText, cutText, foldText, isLonger } from '../plain-text.ts'
import type { Problems } from '../problems.ts'
import type { Steps } from '../steps.ts'
import type { Details } from './event.ts'
import { type EventFields, type FieldsPatch, MAX_TEXT_CHARS } from './fields.ts'

/** Landed migrations, which never change, import it from this path. */
export { foldText } from '../plain-text.ts'

type WordFields = Pick<EventFields, 'title' | 'description' | 'location' | 'category' | 'url' | 'status'>

/** A text that equals the current one is accepted as it is: calendar programs may store what JSON refuses. */
export function readDetails(fields: WordFields, problems: Problems, current?: Details): Details {
  const keepOr = <T>(field: keyof Details & keyof WordFields, read: () => T): T =>
    current && fields[field] === current[field] ? (current[field] as T) : read()
  return {
    title: keepOr('title', () => readTitle(fields.title, problems)),
    description: keepOr('description', () => readText('description', fields.description, problems)),
    location: keepOr('location', () => readText('location', fields.location, problems)),
    category: keepOr('category', () => readText('category', fields.category, problems)),
    url: keepOr('url', () => readUrl(fields.url, problems)),
    status: fields.status ?? 'confirmed',
  }
}

const LONG_FIELDS = ['title', 'description', 'location'] as const

/** Fields without the texts that are too long: only with the current event is known whether they were there before. */
export function withoutLongTexts<Fields extends FieldsPatch>(fields: Fields): Fields {
  const isLong = (field: (typeof LONG_FIELDS)[number]): boolean => isLonger(fields[field] ?? '', MAX_TEXT_CHARS[field])
  const long = LONG_FIELDS.filter(isLong)
  return { ...fields, ...Object.fromEntries(long.map((field) => [field, field === 'title' ? 'untouched' : undefined])) }
}

function readTitle(text: string, problems: Problems): string {
  const title = cleanText(text)
  if (title === undefined || /\n|\t/.test(title)) problems.add('/title', 'invalid_format')
  else if (title === '') problems.add('/title', 'too_short')
  else if (isLonger(title, MAX_TEXT_CHARS.title)) problems.add('/title', 'too_long')
  return title ?? ''
}

type TextField = 'description' | 'location' | 'category'

function readText(field: TextField, text: string | null | undefined, problems: Problems): string | null {
  if (text === null || text === undefined) return null
  const cleaned = cleanText(text)
  if (cleaned === undefined) problems.add(`/${field}`, 'invalid_format')
  else if (isLonger(cleaned, MAX_TEXT_CHARS[field])) problems.add(`/${field}`, 'too_long')
  return cleaned || null
}

function readUrl(text: string | null | undefined, problems: Problems): string | null {
  if (!text) return null
  const url = cleanText(text)
  if (url === undefined || /\s/.test(url) || !URL.canParse(url)) problems.add('/url', 'invalid_format')
  else if (!/^https?:\/\//i.test(url)) problems.add('/url', 'url_scheme')
  else if (isLonger(url, MAX_TEXT_CHARS.url)) problems.add('/url', 'too_long')
  return url ?? null
}

/** Scripts without spaces between words: each character counts as a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu

/** Runs of letters and digits. Very long ones are split, in the query as well. */
const WORD = /[\p{L}\p{N}]{1,40}/gu

/** The words of a text, folded, each once. */
export function wordsOf(text: string): string[] {
  // A final sigma is another letter, and a word that is still being typed ends there.
  const folded = foldText(text).replaceAll('ς', 'σ').replace(UNSPACED, ' $& ')
  return [...new Set(folded.match(WORD))]
}

const SEARCHED = ['title', 'description', 'location', 'category'] as const

/** Longer texts, which calendar programs may send, are found by their beginning: folding one takes long. */
const searchedPart = (details: Details, field: (typeof SEARCHED)[number]): string =>
  cutText(details[field] ?? '', MAX_TEXT_CHARS[field])

const foldedWords = new WeakMap<Details, readonly string[]>()

/** Cached: the word limit, the search text and the public words all need them. */
export function wordsOfDetails(details: Details): readonly string[] {
  const known = foldedWords.get(details)
  if (known) return known
  const words = wordsOf(SEARCHED.map((field) => searchedPart(details, field)).join('\n'))
  foldedWords.set(details, words)
  return words
}

/** Compatibility forms decompose to up to six characters that are words by themselves (U+3316). */
const MAX_WORDS_OF_SIGN = 6

/** Stops at the limit; a short text cannot have that many words, so most are not split. */
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

const lengthOfDetails = (details: Details): number =>
  SEARCHED.reduce((sum, field) => sum + searchedPart(details, field).length, 0)

/** Each word after a space, so that a prefix of a word is found by a space and its letters. */
export const searchTextOf = (details: Details): string =>
  wordsOfDetails(details)
    .map((word) => ` ${word}`)
    .join('')

/** Words of a query that are searched for; further ones are ignored. */
export const MAX_SOUGHT_WORDS = 8
