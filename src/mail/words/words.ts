// The words of mails by language.
import type { Language } from '../../domain/languages.ts'
import * as english from './english.ts'
import * as french from './french.ts'
import * as german from './german.ts'
import * as polish from './polish.ts'
import * as spanish from './spanish.ts'
import * as welsh from './welsh.ts'

export type MailWords = typeof english.mail

/** American spelling differs in none of these texts. */
const WORDS: Record<Language, MailWords> = {
  'en-GB': english.mail,
  'en-US': english.mail,
  de: german.mail,
  fr: french.mail,
  es: spanish.mail,
  cy: welsh.mail,
  pl: polish.mail,
}

export const mailWordsFor = (language: Language): MailWords => WORDS[language]
