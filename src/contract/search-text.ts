// The longest text of a search, and how longer ones in addresses are cut.
import { stripControlCharacters } from '../domain/plain-text.ts'

/** The API’s limit for a search text. */
export const MAX_Q = 100

export const cutSearchText = (text: string, longest: number): string =>
  [...stripControlCharacters(text, ' ')].slice(0, longest).join('').trim()
