// Header and end of a feed's VCALENDAR: name, zone and refresh interval.
import { HEADER } from '../encode.ts'
import { foldLine, onOneLine } from './print.ts'
import { escapeText } from './tree.ts'

export interface FeedFrame {
  /** The name subscribers see in their list of calendars. */
  name: string
  /** The IANA name of the calendar's own zone. */
  zone: string
  method?: 'PUBLISH' | undefined
}

/** Suggested refresh interval: RFC 7986 §5.7, and the older property that Outlook reads. */
const REFRESH = 'PT1H'

export function feedHead({ name, zone, method = 'PUBLISH' }: FeedFrame): string {
  const lines = [
    'BEGIN:VCALENDAR',
    ...HEADER.map((line) => `${line.name}:${line.value}`),
    `METHOD:${method}`,
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `X-WR-TIMEZONE:${zone}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
  ]
  return lines.map((line) => `${foldLine(onOneLine(line))}\r\n`).join('')
}

export const FEED_END = 'END:VCALENDAR\r\n'
