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
