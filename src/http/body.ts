// Bodies, read strictly: files must be UTF-8; JSON must be valid UTF-8, one object, bounded depth and width, and no key that reaches a prototype.
import { fail } from '../errors.ts'

export const JSON_LIMIT_BYTES = 256 * 1_024

const MAX_DEPTH = 32
const MAX_KEYS = 200

const utf8 = new TextDecoder('utf-8', { fatal: true })
const utf8Whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function parseJsonBody(bytes: Uint8Array): Record<string, unknown> {
  const text = decodeUtf8(bytes)
  if (isTooDeep(text)) fail('invalid_json')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    fail('invalid_json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail('invalid_body')
  checkKeys(value)
  return value as Record<string, unknown>
}

/** `isWhole` keeps a mark of the byte order, for what is to come back as it was. */
export function decodeUtf8(bytes: Uint8Array, isWhole = false): string {
  try {
    return (isWhole ? utf8Whole : utf8).decode(bytes)
  } catch {
    return fail('invalid_encoding')
  }
}

/** Counted on the text, before a parser has to follow it down. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (inString) {
      if (sign === BACKSLASH) i += 1
      else if (sign === QUOTE) inString = false
    } else if (sign === QUOTE) inString = true
    else if (sign === OPEN_BRACE || sign === OPEN_BRACKET) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (sign === CLOSE_BRACE || sign === CLOSE_BRACKET) depth -= 1
  }
  return false
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93]

/** Depth is bounded by now, so this recursion is too. */
function checkKeys(value: object): void {
  const keys = Object.keys(value)
  if (!Array.isArray(value) && keys.length > MAX_KEYS) fail('invalid_body')
  for (const key of keys) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') fail('invalid_body')
    const child = (value as Record<string, unknown>)[key]
    if (typeof child === 'object' && child !== null) checkKeys(child)
  }
}
