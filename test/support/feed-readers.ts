// Two feed readers of other projects: the occurrences in a window as they understand them.
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'

export interface FeedReaderEvent {
  /** Instants in UTC; dates unchanged. */
  start: string
  end: string
  title: string
}

export interface FeedReader {
  name: string
  read(text: string, from: number, to: number): FeedReaderEvent[]
}

/** An edited occurrence may have been moved into the window from outside it. */
const SLACK_MS = 100 * 86_400_000

export const icalJs: FeedReader = {
  name: 'ical.js',
  read(text, from, to) {
    const components = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
    const edits = Map.groupBy(
      components.filter((component) => component.hasProperty('recurrence-id')),
      (component) => String(component.getFirstPropertyValue('uid')),
    )
    const found: FeedReaderEvent[] = []
    for (const component of components) {
      if (component.hasProperty('recurrence-id')) continue
      const exceptions = edits.get(String(component.getFirstPropertyValue('uid'))) ?? []
      const event = new ICAL.Event(component, { exceptions: exceptions.map((edit) => new ICAL.Event(edit)) })
      if (!event.isRecurring()) {
        found.push({ start: icalTime(event.startDate), end: icalTime(event.endDate), title: event.summary })
        continue
      }
      const times = event.iterator()
      for (let next = times.next(); next && next.toUnixTime() * 1_000 < to + SLACK_MS; next = times.next()) {
        const { startDate, endDate, item } = event.getOccurrenceDetails(next)
        found.push({ start: icalTime(startDate), end: icalTime(endDate), title: item.summary })
      }
    }
    return inWindow(found, from, to)
  },
}

const icalTime = (time: ICAL.Time): string =>
  time.isDate ? time.toString() : new Date(time.toUnixTime() * 1_000).toISOString()

/** Supports no RDATE; not used for feeds with some. */
export const nodeIcalReader: FeedReader = {
  name: 'node-ical',
  read(text, from, to) {
    const found: FeedReaderEvent[] = []
    for (const event of Object.values(nodeIcal.sync.parseICS(text))) {
      if (event?.type !== 'VEVENT') continue
      const range = { from: new Date(from - SLACK_MS), to: new Date(to + SLACK_MS), expandOngoing: true }
      for (const { start, end, summary, isFullDay } of nodeIcal.expandRecurringEvent(event, range)) {
        const show = (time: Date): string => (isFullDay ? localDate(time) : time.toISOString())
        found.push({ start: show(start), end: show(end), title: String(summary) })
      }
    }
    return inWindow(found, from, to)
  },
}

/** It takes a date for midnight in the zone of the machine. */
const localDate = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

export const inWindow = (found: readonly FeedReaderEvent[], from: number, to: number): FeedReaderEvent[] =>
  found.filter(({ start, end }) => {
    const [startAt, endAt] = [Date.parse(start), Date.parse(end)]
    return startAt < to && (endAt > from || startAt >= from)
  })
