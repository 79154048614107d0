// Decodes UTF-8 strictly: malformed bytes give undefined, never replacement characters.

const decoder = new TextDecoder('utf-8', { fatal: true })
const markDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** `keepsMark` keeps a byte order mark, for a text that must be stored as it was sent. */
export function decodeUtf8(bytes: Uint8Array, keepsMark = false): string | undefined {
  try {
    return (keepsMark ? markDecoder : decoder).decode(bytes)
  } catch {
    return undefined
  }
}

/** A fold before a byte that cannot begin a character: RFC 5545 §3.1 allows a fold between any two bytes. */
const FOLD_IN_CHARACTER = /\r?\n[ \t](?=[\u0080-\u00bf])/g

/** Bytes, one for each character of a Latin-1 string, without the line folds that lie inside a UTF-8 character. */
export const joinSplitCharacters = (latin1: string): string => latin1.replace(FOLD_IN_CHARACTER, '')

/** Decodes iCalendar text strictly; line folds inside a character are removed if it is malformed with them. */
export function decodeFoldedUtf8(bytes: Buffer, keepsMark = false): { text: string; isUnfolded: boolean } | undefined {
  const text = decodeUtf8(bytes, keepsMark)
  if (text !== undefined) return { text, isUnfolded: false }
  const joined = decodeUtf8(Buffer.from(joinSplitCharacters(bytes.toString('latin1')), 'latin1'), keepsMark)
  return joined === undefined ? undefined : { text: joined, isUnfolded: true }
}
