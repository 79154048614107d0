// The words that the service writes itself, by language.
import type { Language } from '../domain/languages.ts'
import * as american from './american.ts'
import * as english from './english.ts'
import * as french from './french.ts'
import * as german from './german.ts'
import * as polish from './polish.ts'
import * as spanish from './spanish.ts'
import * as welsh from './welsh.ts'

export type SharedWords = typeof english

const WORDS: Record<Language, SharedWords> = {
  'en-GB': english,
  'en-US': american,
  de: german,
  fr: french,
  es: spanish,
  cy: welsh,
  pl: polish,
}

export const wordsFor = (language: Language): SharedWords => WORDS[language]
