// Bodies, read strictly: valid UTF-8; JSON is one object of bounded depth and size, without keys that reach a prototype.
import { fail } from '../errors.ts'

export const JSON_LIMIT_BYTES = 256 * 1_024
/** What is sent without being signed in: an address, a password, a link. It is read before some limits can refuse it. */
export const ACCOUNT_LIMIT_BYTES = 16 * 1_024

/** To decode and parse a longer one takes some milliseconds. */
export const LONG_BODY_BYTES = 16 * 1_024

const MAX_DEPTH = 32
const MAX_KEYS = 200
/** All extra and excluded dates that a series may have, and some more. */
const MAX_VALUES = 25_000
/** Objects and arrays: those of the largest request are few, and each costs far more than a text or a number. */
const MAX_CONTAINERS = 1_000

const utf8 = new TextDecoder('utf-8', { fatal: true })
const utf8Whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function parseJsonBody(bytes: Uint8Array): Record<string, unknown> {
  const text = decodeUtf8(bytes)
  requireBounded(text)
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
function requireBounded(text: string): void {
  let [depth, containers, separators] = [0, 0, 0]
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === QUOTE) i = endOfString(text, i)
    else if (sign === COMMA) separators += 1
    else if (sign === OPEN_BRACE || sign === OPEN_BRACKET) {
      depth += 1
      containers += 1
      if (depth > MAX_DEPTH) fail('invalid_json')
    } else if (sign === CLOSE_BRACE || sign === CLOSE_BRACKET) depth -= 1
    if (containers > MAX_CONTAINERS || separators >= MAX_VALUES) fail('too_many_values')
  }
}

/** Where the string that begins here has its closing quote, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === BACKSLASH) i += 1
    else if (sign === QUOTE) return i
  }
  return text.length
}

const COMMA = 44
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93]

/** Depth is bounded by now, so this recursion is too. */
function checkKeys(value: object): void {
  if (Array.isArray(value)) {
    for (const item of value) if (isContainer(item)) checkKeys(item)
    return
  }
  const keys = Object.keys(value)
  if (keys.length > MAX_KEYS) fail('invalid_body')
  for (const key of keys) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') fail('invalid_body')
    const child = (value as Record<string, unknown>)[key]
    if (isContainer(child)) checkKeys(child)
  }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
