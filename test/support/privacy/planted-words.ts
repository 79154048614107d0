// Words that nobody would write by chance, to be planted where only keepers may read, and a nose for them in any disguise.

/** Each place has its own, so that one knows from a word where it came from. */
export const planted = (place: string): string => `zQ${place}Qz`

const PLANTED = /zq[a-z]+qz/gi
/** The first two letters, each as a percent sign and two digits. */
const PERCENT = /%[57]a%[57]1/gi

export interface Nose {
  /** The words there are. */
  words: readonly string[]
  /** Where from, of every word in the text: as it is, in other letters, folded, percent-encoded or in base64. */
  find(text: string): string[]
}

export function makeNose(source: string): Nose {
  const words = [...new Set(source.match(PLANTED))]
  // Whole words only: in thousands of tags, two rare letters twice are not rare.
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

/** What base64 makes of a word wherever it begins, without the letters that depend on its neighbours. */
const cores = (word: string): string[] =>
  [word, word.toLowerCase()].flatMap((text) =>
    [0, 1, 2].flatMap((before) => {
      const bytes = Buffer.from('\0'.repeat(before) + text)
      const [first, last] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
      return (['base64', 'base64url'] as const).map((form) => bytes.toString(form).slice(first, last))
    }),
  )

const escaped = (text: string): string => text.replace(/[+/]/g, '\\$&')
