// The language in use: the reader's choice in this browser, else the one in which the page was sent.
import { findLanguage, LANGUAGES, type Language } from '../../src/domain/languages.ts'

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

/** False where the browser stores nothing: then the choice is in the address. */
export function storeChoice(root: string, language: Language): boolean {
  try {
    localStorage.setItem(keyOf(root), language)
    return true
  } catch {
    return false
  }
}

/** `?lang=de` in the address comes first: the reader has just chosen it, or followed a link to it. */
export function findChoice(root: string, search: string): Language | undefined {
  const asked = new URLSearchParams(search).get('lang')
  return (asked && findLanguage(asked)) || readChoice(root)
}
