// The words by which the public finds an event: those it can read there, and no others.
import type { Details, Series } from '../calendar/event.ts'
import { wordsOf, wordsOfDetails } from '../calendar/words.ts'
import type { Steps } from '../steps.ts'
import type { LocalMs } from '../time/instant.ts'
import { MASKED_TITLE } from './mask.ts'

export interface PublicWord {
  /** The edited occurrence it stands in; undefined for the series itself. */
  key: LocalMs | undefined
  word: string
}

/** The edited occurrences of a private series have no words of their own: their number is not for the public. */
export function* publicWordsInSteps(series: Series): Steps<PublicWord[]> {
  if (series.visibility !== 'public') return maskedWords(series.details).map((word) => ({ key: undefined, word }))
  const places = [{ key: undefined, details: series.details }, ...series.overrides]
  const words: PublicWord[] = []
  for (const { key, details } of places) {
    for (const word of wordsOfDetails(details)) words.push({ key, word })
    yield
  }
  return words
}

/** What is cancelled is not there. */
const maskedWords = ({ status }: Details): string[] => (status === 'cancelled' ? [] : wordsOf(MASKED_TITLE))
