// Calendar objects of the simulation: writes them as clients do, and reads what they say.
import { lines } from '../../ical/objects.ts'
import { BEGIN_AT } from '../nodes/nodes.ts'
import type { EventContent } from './model.ts'

const DAY_MS = 86_400_000

/** Of an occurrence of a series that begins on this day. */
export const dateOf = (day: number, n = 0): string =>
  new Date(BEGIN_AT + (day + 7 * n) * DAY_MS).toISOString().slice(0, 10)

export const keyOf = (day: number, n: number): string => `${dateOf(day, n).replaceAll('-', '')}T090000`

/** The same with the `Z` of a time in UTC. */
const timeOf = (day: number, n: number): string => `${keyOf(day, n)}Z`

export interface WrittenObject extends Omit<EventContent, 'text'> {
  /** A word that JSON does not show, to tell texts apart. */
  mark: string
}

export function writeObject(uid: string, object: WrittenObject): string {
  return lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//Simulation//EN',
    ...eventLines(uid, object),
    'END:VCALENDAR',
  )
}

/** Several events in one file, as an import takes them. */
export function writeFile(objects: readonly { uid: string; object: WrittenObject }[]): string {
  const all = objects.flatMap(({ uid, object }) => eventLines(uid, object))
  return lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//Simulation//EN', ...all, 'END:VCALENDAR')
}

function eventLines(
  uid: string,
  { title, isPublic, day, count, repeats, excluded, edited, mark }: WrittenObject,
): string[] {
  const common = (n: number, summary: string, more: string[]): string[] => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260701T000000Z',
    `DTSTART:${timeOf(day, n)}`,
    `DTEND:${timeOf(day, n).replace('T09', 'T10')}`,
    `CLASS:${isPublic ? 'PUBLIC' : 'PRIVATE'}`,
    `SUMMARY:${summary}`,
    `X-MARK:${mark}`,
    ...more,
    'END:VEVENT',
  ]
  const rule = repeats ? [`RRULE:FREQ=WEEKLY;COUNT=${count}`] : []
  const exdates = excluded.length > 0 ? [`EXDATE:${excluded.map((n) => timeOf(day, n)).join(',')}`] : []
  const overrides = Object.entries(edited).flatMap(([n, summary]) =>
    common(Number(n), summary, [`RECURRENCE-ID:${timeOf(day, Number(n))}`]),
  )
  return [...common(0, title, [...rule, ...exdates]), ...overrides]
}

/** What a calendar object says, as a text to compare; the order of its lines does not matter. */
export function summarizeObject(text: string): string {
  const events = text
    .replace(/\r\n[ \t]/g, '')
    .split(/^BEGIN:VEVENT\r\n/m)
    .slice(1)
  const lineOf = (event: string, name: string): string =>
    new RegExp(`^${name}(?:;[^:\r\n]*)?:([^\r\n]*)`, 'm').exec(event)?.[1] ?? ''
  const dates = (value: string): string[] => [...value.matchAll(/\d{8}T\d{6}/g)].map(([date]) => date)
  const parts = events.map((event) => {
    const [recurrence] = dates(lineOf(event, 'RECURRENCE-ID'))
    if (recurrence) return `${recurrence} ${lineOf(event, 'SUMMARY')}`
    const excluded = [...event.matchAll(/^EXDATE[^\r\n]*/gm)].flatMap(([line]) => dates(line)).sort()
    const [, count = 'once'] = /COUNT=(\d+)/.exec(lineOf(event, 'RRULE')) ?? []
    const visibility = lineOf(event, 'CLASS') === 'PUBLIC' ? 'public' : 'private'
    const [start] = dates(lineOf(event, 'DTSTART'))
    return [lineOf(event, 'SUMMARY'), visibility, start, count, ...excluded].join(' ')
  })
  return parts.sort().join('; ')
}

/** The same of the model. */
export function summarizeContent({ title, isPublic, day, count, repeats, excluded, edited }: EventContent): string {
  const keys = excluded.map((n) => keyOf(day, n)).sort()
  const main = [title, isPublic ? 'public' : 'private', keyOf(day, 0), repeats ? `${count}` : 'once', ...keys].join(' ')
  const overrides = Object.entries(edited).map(([n, summary]) => `${keyOf(day, Number(n))} ${summary}`)
  return [main, ...overrides].sort().join('; ')
}

export interface ExpectedOccurrence {
  day: string
  title: string
}

/** The occurrences that a reader sees. */
export function listOccurrences({ title, day, count, excluded, edited }: EventContent): ExpectedOccurrence[] {
  const numbers = Array.from({ length: count }, (_, n) => n).filter((n) => !excluded.includes(n))
  return numbers.map((n) => ({ day: dateOf(day, n), title: edited[n] ?? title }))
}
