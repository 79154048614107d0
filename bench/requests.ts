// The measured requests as bytes on the wire. Each kind builds the next request of one connection.
import { DAY_MS } from '../src/domain/time/instant.ts'
import { formatDate, formatLocal } from '../src/domain/time/text.ts'
import type { Month } from './make-events.ts'
import { AUTHORISATION, EVENTS_PATH } from './service.ts'

export type RequestKind =
  | 'same'
  | 'unchanged'
  | 'month-uncached'
  | 'create'
  | 'patch'
  | 'delete-occurrence'
  | 'put-object'
  | 'report'

export interface BenchRequest {
  kind: RequestKind
  /** For reads: the path that is requested repeatedly, or where an uncached month is read. */
  path?: string
  /** For `unchanged`: the ETag that the reader already has. */
  etag?: string
  /** For reports. */
  body?: string
  depth?: number
  /** The same bytes each time, which are answered from the cache; otherwise each body ends in blanks of its own. */
  isRepeated?: boolean
  /** A caller has one permit for costly reads; further requests wait, and too many of them are refused. */
  maxConnections?: number
  isAnonymous?: boolean
  /** With what browsers say they accept, so that the response is compressed. */
  isByBrowser?: boolean
  month?: Month
  /** Makes this slice's windows and titles differ from those of every other slice. */
  slice?: number
  /** One event or series for each connection, fresh: at version 1. */
  ids?: string[]
  /** Two sessions of those series. */
  keys?: string[]
}

export interface WireRequest {
  bytes: Buffer
  status: number
}

export type NextRequest = (connection: number, i: number) => WireRequest

export function requestsFor(asked: BenchRequest): NextRequest {
  const credentials = asked.isAnonymous ? '' : `authorization: ${AUTHORISATION}\r\n`
  const headers = asked.isByBrowser ? `${credentials}${linesOf(BROWSER_HEADERS)}` : credentials
  const get = (path: string): WireRequest => ({ bytes: onTheWire('GET', path, headers), status: 200 })
  switch (asked.kind) {
    case 'same': {
      const request = get(asked.path!)
      return () => request
    }
    case 'unchanged': {
      const bytes = onTheWire('GET', asked.path!, `${headers}if-none-match: ${asked.etag}\r\n`)
      return () => ({ bytes, status: 304 })
    }
    case 'month-uncached':
      return (connection, i) => get(uncachedMonthPath(asked, connection, i))
    case 'create':
      return (connection, i) => ({
        bytes: onTheWire('POST', EVENTS_PATH, headers, newEvent(asked.slice!, connection, i)),
        status: 201,
      })
    case 'patch':
      return (connection, i) => ({
        bytes: onTheWire('PATCH', `${EVENTS_PATH}/${asked.ids![connection]}`, headers, {
          title: `Meeting, changed ${i} times`,
          version: i + 1,
        }),
        status: 200,
      })
    case 'report': {
      const more = `${headers}depth: ${asked.depth}\r\ncontent-type: application/xml\r\n`
      const withBody = (body: string): WireRequest => ({
        bytes: withText('REPORT', asked.path!, more, body),
        status: 207,
      })
      const repeated = withBody(asked.body!)
      if (asked.isRepeated) return () => repeated
      return (connection, i) => withBody(asked.body! + blanksOf((asked.slice! * 16 + connection) * 100_000 + i))
    }
    case 'put-object':
      return (connection, i) => {
        const name = `${asked.slice}-${connection}-${i}`
        const more = `${headers}if-none-match: *\r\ncontent-type: text/calendar\r\n`
        return { bytes: withText('PUT', `/caldav/calendars/main/${name}.ics`, more, objectText(name)), status: 201 }
      }
    case 'delete-occurrence':
      return (connection, i) => ({
        bytes: onTheWire('DELETE', occurrencePath(asked, connection, i), headers),
        status: 204,
      })
  }
}

export const BROWSER_HEADERS = {
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.8',
}

const linesOf = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

export const monthQuery = (month: Month): string => `view=month&from=${formatDate(month.from)}`

/**
 * The month, less some seconds of its first morning and its last night in which nothing begins: the response has the
 * same occurrences, but this window was never requested before, so no cached response fits.
 */
function uncachedMonthPath({ path, month, slice }: BenchRequest, connection: number, i: number): string {
  const number = (slice! * 16 + connection) * 100_000 + i
  const from = month!.from * DAY_MS + (number % 21_600) * 1_000
  const to = month!.to * DAY_MS - 1_000 - (Math.floor(number / 21_600) % 10_800) * 1_000
  return `${path!.split('?')[0]}?view=month&from=${formatLocal(from)}&to=${formatLocal(to)}`
}

/** Spaces and line ends behind the document, different for each number: no cached response fits, nothing more is parsed. */
const blanksOf = (number: number): string => number.toString(2).replaceAll('0', ' ').replaceAll('1', '\n')

/** Far from every measured month, on its own day. */
const newEvent = (slice: number, connection: number, i: number) => {
  const date = formatDate(47_500 + ((slice * 16 + connection + i) % 10_000))
  return {
    title: `Meeting ${slice}-${connection}-${i}`,
    description: 'Everyone is welcome, whether you have been before or not.',
    location: 'Small hall',
    category: 'Council',
    visibility: 'public',
    start: `${date}T18:00`,
    end: `${date}T19:30`,
  }
}

/** An occurrence is deleted, then restored, so that the series keeps its length: both are the same kind of write. */
function occurrencePath({ ids, keys }: BenchRequest, connection: number, i: number): string {
  const key = keys![Math.floor(i / 2) % keys!.length]!
  return `${EVENTS_PATH}/${ids![connection]}/${i % 2 === 0 ? 'occurrences' : 'exceptions'}/${key}`
}

/** Far from every measured month. */
const objectText = (name: string): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Daybook//Bench//EN',
    'BEGIN:VEVENT',
    `UID:${name}@bench.example.org`,
    'DTSTAMP:20990101T000000Z',
    'DTSTART;TZID=Europe/London:20990105T180000',
    'DTEND;TZID=Europe/London:20990105T193000',
    `SUMMARY:Meeting ${name}`,
    'LOCATION:Small hall',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT15M',
    'DESCRIPTION:Soon',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const withText = (method: string, path: string, headers: string, text: string): Buffer =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )

function onTheWire(method: string, path: string, headers: string, body?: object): Buffer {
  const text = body ? JSON.stringify(body) : ''
  const type = body
    ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
    : method === 'DELETE'
      ? 'content-length: 0\r\n'
      : ''
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}${type}\r\n${text}`)
}
