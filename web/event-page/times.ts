// Words for dates and times by language; nothing else of a language is in the script of event pages.
import { findLanguage, type Language } from '../../src/domain/languages.ts'
import { times as american } from '../../src/words/american.ts'
import { times as english } from '../../src/words/english.ts'
import type { TimeWords } from '../../src/words/format-times.ts'
import { times as french } from '../../src/words/french.ts'
import { times as german } from '../../src/words/german.ts'
import { times as polish } from '../../src/words/polish.ts'
import { times as spanish } from '../../src/words/spanish.ts'
import { times as welsh } from '../../src/words/welsh.ts'

const TIMES: Record<Language, TimeWords> = {
  'en-GB': english,
  'en-US': american,
  de: german,
  fr: french,
  es: spanish,
  cy: welsh,
  pl: polish,
}

/** Of the language that the page is written in. */
export const pageTimes = TIMES[findLanguage(document.documentElement.lang) ?? 'en-GB']
