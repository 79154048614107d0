// Extracts the VEVENTs of a stored calendar object as text, unchanged, and the TZIDs they use.
import type { Steps } from '../../domain/steps.ts'
import { parseLine } from './parse.ts'
import { paramOf } from './tree.ts'

/**
 * All VEVENTs of an object, found by counting BEGIN and END. Lines end in CRLF only: other characters that some
 * programs take for line ends may be part of a text.
 */
export function eventBlocks(ical: string): string {
  let blocks = ''
  let depth = 0
  let from = -1
  for (let at = 0, next: number; at < ical.length; at = next) {
    const end = ical.indexOf('\r\n', at)
    next = end < 0 ? ical.length : end + 2
    if (ical.startsWith('BEGIN:', at)) {
      if (depth === 1) from = ical.startsWith('BEGIN:VEVENT\r\n', at) ? at : -1
      depth += 1
    } else if (ical.startsWith('END:', at)) {
      depth -= 1
      if (depth === 1 && from >= 0) blocks += ical.slice(from, next)
    }
  }
  return blocks
}

/** Properties whose time may have a TZID (RFC 5545 §3.2.19). */
const IN_A_ZONE = /^(?:DTSTART|DTEND|DUE|RECURRENCE-ID|EXDATE|RDATE);/i

/** Lines per step: a few milliseconds. */
const LINES_AT_ONCE = 500

/** The TZIDs on the time lines of a text, in steps. */
export function* findZoneNames(text: string): Steps<Set<string>> {
  const names = new Set<string>()
  const unfolded = /\r\n[ \t]/.test(text) ? text.replace(/\r\n[ \t]/g, '') : text
  const parameter = /;TZID=/gi
  let count = 0
  for (let found = parameter.exec(unfolded); found; found = parameter.exec(unfolded)) {
    count += 1
    if (count % LINES_AT_ONCE === 0) yield
    const from = unfolded.lastIndexOf('\r\n', found.index)
    const end = unfolded.indexOf('\r\n', found.index)
    const line = unfolded.slice(from < 0 ? 0 : from + 2, end < 0 ? undefined : end)
    const name = IN_A_ZONE.test(line) ? zoneNameOn(line) : undefined
    if (name !== undefined) names.add(name)
    if (end < 0) break
    parameter.lastIndex = end
  }
  return names
}

/** Parsed as a whole line, because a quoted parameter before it may contain any character. */
function zoneNameOn(text: string): string | undefined {
  const line = parseLine(text, text)
  return line && paramOf(line, 'TZID')
}
