// Cleans, sanitises and folds text that people send.
import { normalizeText } from './unicode.ts'

/** Counts characters. NFC makes some texts longer than they were sent: up to three characters for one. */
export const isLonger = (text: string, most: number): boolean => text.length > most && [...text].length > most

/** The first characters of a text. */
export const cutText = (text: string, most: number): string =>
  text.length > most ? [...text.slice(0, 2 * most)].slice(0, most).join('') : text

/**
 * Undefined if the text contains control characters or an unpaired surrogate, which no database or feed could carry.
 * Empty if nothing of it can be seen, such as zero-width spaces.
 */
export function cleanText(text: string): string | undefined {
  const cleaned = normalizeText(text, 'NFC').replace(/\r\n?/g, '\n').trim()
  if (!cleaned.isWellFormed() || /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/.test(cleaned)) return undefined
  return VISIBLE.test(cleaned) ? cleaned : ''
}

/** A character that is neither a space nor ignored in display; the blank Braille pattern has no dots. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u

/** Sanitises text that did not come as JSON, so that no client can be asked to correct it: drops what JSON refuses. */
export const stripControlCharacters = (text: string, lineBreak: ' ' | '\n'): string =>
  text
    .toWellFormed()
    .replace(/[\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/g, lineBreak)
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '')

/** XML 1.0 §2.2 has no way to write these characters; JSON and iCalendar can carry the last two. */
export const stripXmlRefused = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')

/** Text folded for searching: without case, accents and compatibility forms. */
export const foldText = (text: string): string =>
  normalizeText(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
