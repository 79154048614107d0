// Links that add one date of an event to Google Calendar or Outlook.
import { cutText } from '../../domain/plain-text.ts'
import type { OpenEvent } from '../../domain/privacy/mask.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { presentPlace } from '../events/present.ts'
import type { SitePlace } from './page-facts.ts'

/** Longer descriptions make addresses that these services refuse. */
const MAX_DESCRIPTION = 1_000

type DatedEvent = Pick<OpenEvent, 'details' | 'timing'>

export function googleLink(event: DatedEvent, { zone }: SitePlace, page: string): string {
  const { title, location } = event.details
  const dates = timesOf(event, zone).map((text) => text.replace(/[-:]/g, ''))
  const query = { action: 'TEMPLATE', text: title, dates: dates.join('/'), details: describe(event, page) }
  return `https://calendar.google.com/calendar/render?${encode({ ...query, location: location ?? '' })}`
}

export function outlookLink(event: DatedEvent, { zone }: SitePlace, page: string): string {
  const { title, location } = event.details
  const [startdt, enddt] = timesOf(event, zone)
  const query = {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt,
    enddt,
    allday: String(event.timing.allDay),
    body: describe(event, page),
    location: location ?? '',
  }
  return `https://outlook.live.com/calendar/0/deeplink/compose?${encode(query)}`
}

/** The start and the end, as dates for whole days. */
function timesOf(event: DatedEvent, zone: SitePlace['zone']): [string, string] {
  const place = presentPlace(event, zone)
  if ('start_date' in place) return [place.start_date!, place.end_date!]
  const { startAt, durationMs } = event.timing
  return [formatUtc(startAt), formatUtc(startAt + durationMs)]
}

const describe = ({ details: { description } }: DatedEvent, page: string): string =>
  description ? `${cutText(description, MAX_DESCRIPTION)}\n\n${page}` : page

/** Outlook shows a plus sign as it is. */
const encode = (query: Record<string, string>): string => `${new URLSearchParams(query)}`.replaceAll('+', '%20')
