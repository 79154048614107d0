// Search words of an event for the public: only those it can read.
import type { Details, Series } from '../calendar/event.ts'
import { wordsOf, wordsOfDetails } from '../calendar/words.ts'
import type { Steps } from '../steps.ts'
import type { LocalMs } from '../time/instant.ts'
import { MASKED_TITLE } from './mask.ts'

export interface PublicWord {
  /** The override that the word is in; undefined for the series itself. */
  key: LocalMs | undefined
  word: string
}

/** Overrides of a private series have no words: their number must not be disclosed. */
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

/** A cancelled private event has no words: the public does not see it. */
const maskedWords = ({ status }: Details): string[] => (status === 'cancelled' ? [] : wordsOf(MASKED_TITLE))
