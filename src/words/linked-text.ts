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
    let depth = depthOf(part)
    while (end > 0 && TRAILING.test(part[end - 1]!)) {
      // A bracket that was opened inside the address belongs to it.
      if (part[end - 1] === ')' && depth++ >= 0) break
      end -= 1
    }
    if (part.slice(0, end).endsWith('://')) return [{ text: part, isAddress: false }]
    const rest: TextPart[] = end < part.length ? [{ text: part.slice(end), isAddress: false }] : []
    return [{ text: part.slice(0, end), isAddress: true }, ...rest]
  })

/** How many brackets are open at the end; fewer than none where more were closed. */
const depthOf = (text: string): number => text.split('(').length - text.split(')').length
