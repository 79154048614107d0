// Size limit of one event's stored text, checked by every write before the text is stored.
import { MAX_LINES } from './parse.ts'

/**
 * In octets, with all overrides. An object of 1 MiB still fits when it is printed anew, and texts of this length are
 * read and written in a few milliseconds.
 */
export const MAX_EVENT_OCTETS = 1_572_864

/**
 * Whether a text is too large to be stored, or could not be parsed again. If it replaces a text that is already too
 * large, as older versions stored it, it may have as many octets as that one.
 */
export const isOversized = (text: string, before = ''): boolean =>
  (Buffer.byteLength(text) > MAX_EVENT_OCTETS && !isLargeBefore(text, before)) ||
  (text.length > MAX_LINES && countLines(text) > MAX_LINES)

function isLargeBefore(text: string, before: string): boolean {
  const most = Buffer.byteLength(before)
  return most > MAX_EVENT_OCTETS && (Buffer.byteLength(text) <= most || weightOf(text) <= weightOf(before))
}

/** The octets of all lines except those that every change by JSON writes: a file may have come without them. */
const weightOf = (text: string): number =>
  Buffer.byteLength(
    text.replace(/(?<=\n)(?:DTSTAMP|LAST-MODIFIED|SEQUENCE|TRANSP)[:;][^\n]*\n(?:[ \t][^\n]*\n)*/gi, ''),
  )

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
