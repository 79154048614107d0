// Parses request bodies strictly: UTF-8, JSON objects of bounded depth and size, no prototype keys.
import { decodeUtf8 } from '../domain/utf8.ts'
import { fail } from '../errors.ts'

export const JSON_LIMIT_BYTES = 256 * 1_024
/**
 * Limit for requests sent before sign-in (address, password, link): some limits can refuse only after the body is read.
 */
export const ACCOUNT_LIMIT_BYTES = 16 * 1_024

/** Several events in one request, with the objects and arrays in them. */
export const BULK_LIMIT_BYTES = 2 * 1_024 * 1_024
export const BULK_MAX_CONTAINERS = 5_000

/** Decoding and parsing a longer body takes a few milliseconds. */
export const LONG_BODY_BYTES = 16 * 1_024

const MAX_DEPTH = 32
const MAX_KEYS = 200
/** Different names in the whole body; requests have some thirty. */
const MAX_NAMES = 400
/** As many as the edited occurrences of a series that is sent back have. */
const MAX_SHORT_STRINGS = 5_000
/** Before sign-in, where any client can send bodies. */
export const ACCOUNT_MAX_STRINGS = 100
/** Of a string that V8's JSON parser keeps in that table. */
const MAX_KEPT_CHARS = 10
/** More than all extra and excluded dates that a series may have. */
const MAX_VALUES = 25_000
/** Objects and arrays: the largest request has few of them, and each costs far more than a string or a number. */
const MAX_CONTAINERS = 1_000

export interface BodyBounds {
  /** Of the different names, and of the different short strings among the values. */
  maxStrings?: number
  maxContainers?: number
}

export function parseJsonBody(
  bytes: Uint8Array,
  { maxStrings = MAX_SHORT_STRINGS, maxContainers = MAX_CONTAINERS }: BodyBounds = {},
): Record<string, unknown> {
  const text = requireUtf8Text(bytes)
  requireBounded(text, maxStrings, maxContainers)
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

/** `keepsMark` keeps a byte order mark, for bodies that must be returned unchanged. */
export const requireUtf8Text = (bytes: Uint8Array, keepsMark = false): string =>
  decodeUtf8(bytes, keepsMark) ?? fail('invalid_encoding')

/**
 * Counts on the text, before the parser recurses into it. V8 keeps the names of a body, and its values of up to ten
 * characters, in the table of property names (see `connections/request-headers.ts`), so each different one counts.
 */
function requireBounded(text: string, maxStrings: number, maxContainers: number): void {
  let [depth, containers, separators] = [0, 0, 0]
  let lastString = ''
  const names = new Set<string>()
  const shortStrings = new Set<string>()
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === QUOTE) {
      const from = i + 1
      i = endOfString(text, i)
      lastString = text.slice(from, i)
      if (isKeptByParser(lastString)) shortStrings.add(lastString)
    } else if (sign === COLON) names.add(lastString)
    else if (sign === COMMA) separators += 1
    else if (sign === OPEN_BRACE || sign === OPEN_BRACKET) {
      depth += 1
      containers += 1
      if (depth > MAX_DEPTH) fail('invalid_json')
    } else if (sign === CLOSE_BRACE || sign === CLOSE_BRACKET) depth -= 1
    if (containers > maxContainers || separators >= MAX_VALUES) fail('too_many_values')
    if (names.size > Math.min(MAX_NAMES, maxStrings)) fail('invalid_body')
    if (shortStrings.size > maxStrings) fail('too_many_values')
  }
}

/** An escape has up to six characters for one. Dates are let through: there are only so many, and long lists of them. */
const isKeptByParser = (text: string): boolean =>
  text.length <= (text.includes('\\') ? 6 * MAX_KEPT_CHARS : MAX_KEPT_CHARS) && !/^\d{4}-?\d\d-?\d\d$/.test(text)

/** Index of the closing quote of the string that begins here, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === BACKSLASH) i += 1
    else if (sign === QUOTE) return i
  }
  return text.length
}

const [COMMA, COLON] = [44, 58]
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93]

/** The depth is bounded at this point, so the recursion is too. */
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
