// The words by which the public finds an event: those it can read there, and no others.
import type { Details, Series } from '../calendar/event.ts'
import { wordsOf, wordsOfDetails } from '../calendar/words.ts'
import type { Wall } from '../time/instant.ts'
import { MASKED_TITLE } from './mask.ts'

export interface PublicWord {
  /** The edited occurrence it stands in; undefined for the series itself. */
  key: Wall | undefined
  word: string
}

export function publicWordsOf(series: Series): PublicWord[] {
  const places = [{ key: undefined, details: series.details }, ...series.overrides]
  const read = series.visibility === 'public' ? wordsOfDetails : maskedWords(series)
  return places.flatMap(({ key, details }) => read(details).map((word) => ({ key, word })))
}

/** What is cancelled is not there, and with its series all of it. */
const maskedWords = (series: Series) => (details: Details) =>
  [series.details.status, details.status].includes('cancelled') ? [] : wordsOf(MASKED_TITLE)
