// Finds a run of equal plain elements at the end of a document, such as the hrefs of a multiget.

export interface RepeatedElements {
  /** The document with the first of them alone. */
  text: string
  /** The texts of the others, in order. */
  rest: string[]
}

/** With fewer it does not pay; a parser takes ten microseconds for each. */
const MIN_ELEMENTS = 8

/** Longer documents are parsed in parts, between which other requests are served. */
const MAX_CHARACTERS = 65_536

/**
 * The last children of the root that have the same tag without attributes, and plain text: no markup, no references, no
 * line ends that a parser would change, no characters that XML forbids. Their namespace is that of the first one,
 * because nothing between them could declare another. Undefined if there are few.
 */
export function findRepeated(document: string): RepeatedElements | undefined {
  if (document.length > MAX_CHARACTERS) return undefined
  const root = closingTagBefore(document, document.length)
  const last = root && closingTagBefore(document, root.at)
  if (!last) return undefined
  const { at: end } = root
  const [opening, closing] = [`<${last.name}>`, `</${last.name}>`]
  const texts: string[] = []
  let firstEnd = 0
  for (let at = document.indexOf(opening); at < end; at = skipBlanks(document, at)) {
    if (!document.startsWith(opening, at)) return undefined
    const close = document.indexOf(closing, at)
    const text = document.slice(at + opening.length, close)
    if (!PLAIN.test(text)) return undefined
    texts.push(text)
    at = close + closing.length
    firstEnd ||= at
  }
  if (texts.length < MIN_ELEMENTS) return undefined
  return { text: document.slice(0, firstEnd) + document.slice(end), rest: texts.slice(1) }
}

/** A `]` could begin `]]>`, which is not allowed in text. */
const PLAIN = /^[^<>&\]\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]+$/

/** The closing tag that ends, but for blanks, at `end`. */
function closingTagBefore(document: string, end: number): { name: string; at: number } | undefined {
  const at = document.lastIndexOf('</', end - 1)
  const name = at < 0 ? undefined : /^<\/([^<>\s/]+)>\s*$/.exec(document.slice(at, end))?.[1]
  return name === undefined ? undefined : { name, at }
}

function skipBlanks(document: string, from: number): number {
  let at = from
  while (' \t\n\r'.includes(document.charAt(at)) && at < document.length) at++
  return at
}
