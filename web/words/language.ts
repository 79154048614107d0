// The language in use: the reader's choice in this browser, else the one in which the page was sent.
import { findLanguage, LANGUAGES, type Language, negotiateLanguage } from '../../src/domain/languages.ts'

/** Not a cookie, so that reading the calendar stores nothing on the way to the server. */
const keyOf = (root: string): string => `daybook${root}:language`

/** Undefined without a choice, also where the browser stores nothing. */
export function readChoice(root: string): Language | undefined {
  try {
    const stored = localStorage.getItem(keyOf(root))
    return LANGUAGES.find((language) => language === stored)
  } catch {
    return undefined
  }
}

/** The stored choice, if it is not the language of the page and the address names none. */
export function findForeignChoice(root: string, query: URLSearchParams): Language | undefined {
  const chosen = query.has('lang') ? undefined : readChoice(root)
  return chosen === document.documentElement.lang ? undefined : chosen
}

/** Where the browser stores nothing, the choice is in the address alone. */
export function storeChoice(root: string, language: Language): void {
  try {
    localStorage.setItem(keyOf(root), language)
  } catch {
    // The storage is blocked.
  }
}

/** In which the service sends pages to this browser without a choice. */
export const browserLanguage = (ofCalendar: Language): Language =>
  negotiateLanguage(navigator.languages.join(','), ofCalendar)

/** `?lang=de` in the address comes first: the reader has just chosen it, or followed a link to it. */
export function findChoice(root: string, search: string): Language | undefined {
  const asked = new URLSearchParams(search).get('lang')
  return (asked && findLanguage(asked)) || readChoice(root)
}
