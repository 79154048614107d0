// Canary words to plant where only full readers may read, and a search that finds them in any encoding.

/** Each place has its own word, so that a word shows where it came from. */
export const planted = (place: string): string => `zQ${place}Qz`

/** The words of shorter tests. Random tokens contain the first two letters alone now and then. */
export const SHORT_WORD =
  /zq(?:title|description|location|category|url|uid|moved|other|edit|excluded|hidden|reworded|off|room|sent|series|half|nonsense)/

const PLANTED = /zq[a-z]+qz/gi
/** The first two letters, each percent-encoded. */
const PERCENT = /%[57]a%[57]1/gi

export interface Nose {
  /** The planted words. */
  words: readonly string[]
  /** The origin of every word in the text: plain, in another case, folded, percent-encoded or in base64. */
  find(text: string): string[]
}

export function makeNose(source: string): Nose {
  const words = [...new Set(source.match(PLANTED))]
  // Whole words only: in thousands of ETags, two pairs of rare letters are not rare.
  const plain = new RegExp(words.join('|'), 'gi')
  const encoded = new RegExp(words.flatMap(cores).map(escaped).join('|'), 'g')
  return {
    words,
    find(text) {
      const unfolded = text.replace(/\r?\n[ \t]/g, '')
      return [...(unfolded.match(plain) ?? []), ...(unfolded.match(PERCENT) ?? []), ...(unfolded.match(encoded) ?? [])]
    },
  }
}

/** The base64 of a word at any offset, without the letters that depend on its neighbours. */
const cores = (word: string): string[] =>
  [word, word.toLowerCase()].flatMap((text) =>
    [0, 1, 2].flatMap((before) => {
      const bytes = Buffer.from('\0'.repeat(before) + text)
      const [first, last] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
      return (['base64', 'base64url'] as const).map((form) => bytes.toString(form).slice(first, last))
    }),
  )

const escaped = (text: string): string => text.replace(/[+/]/g, '\\$&')
