// Finds the web addresses in plain text, which pages show as links.

const ADDRESS = /(https?:\/\/[^\s<>"]+)/
/** Punctuation at the end belongs to the sentence, not to the address. */
const TRAILING = /[.,;:!?)\]}’”]$/

export interface TextPart {
  text: string
  isAddress: boolean
}

export const splitAddresses = (text: string): TextPart[] =>
  text.split(ADDRESS).flatMap((part, i): TextPart[] => {
    if (i % 2 === 0) return part === '' ? [] : [{ text: part, isAddress: false }]
    let end = part.length
    while (end > 0 && TRAILING.test(part.slice(end - 1, end))) end -= 1
    const rest: TextPart[] = end < part.length ? [{ text: part.slice(end), isAddress: false }] : []
    return [{ text: part.slice(0, end), isAddress: true }, ...rest]
  })
