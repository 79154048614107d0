// HTML of lists: the days of a period with their events, and the months of a year.
import { DAY_MS, type Day, dateFromDay, dayFromDate } from '../../domain/time/instant.ts'
import { isOneNight } from '../../words/calendar-times.ts'
import { dateFormat, formatTimes, type TimeWords } from '../../words/format-times.ts'
import { type Html, html } from '../docs-page/html.ts'
import {
  type AddressWriter,
  byStart,
  type CalendarEntry,
  type ShownPeriod,
  type WrittenCalendar,
} from './calendar-facts.ts'
import { writeLine } from './entry-label.ts'

/** Days without events are left out. */
export function writeDays(facts: WrittenCalendar, { period, entries }: ShownPeriod, linkTo: AddressWriter): Html {
  const sorted = entries.toSorted(byStart)
  const days: Html[] = []
  for (let day = period[0]; day < period[1]; day++) {
    const own = sorted.filter(({ days: [first, last] }) => first <= day && day <= last)
    if (own.length === 0) continue
    days.push(html`<section class="cal-list-day">
<h2 class="cal-list-head"><a class="cal-link" href="${linkTo({ view: 'day', day })}">${longDay(day, facts.words.times)}</a></h2>
<ul>
${own.map((entry) => writeItem(entry, day, period[0], facts))}</ul>
</section>
`)
  }
  return html`<div class="cal-view cal-list">${days.length > 0 ? days : html`<div class="cal-none"></div>`}</div>`
}

/** On paper, an event of several days is on the first of them alone, with its span. */
function writeItem(entry: CalendarEntry, day: Day, first: Day, facts: WrittenCalendar): Html {
  const { times, days } = entry
  const line = writeLine(entry, day, facts)
  if (days[0] === days[1] || isOneNight(times)) return html`<li>${line}</li>\n`
  if (day > Math.max(days[0], first)) return html`<li class="served-again">${line}</li>\n`
  const span = formatTimes(times, facts.site.zone.name, facts.words.times)
  return html`<li>${line} <span class="served-span">${span}</span></li>\n`
}

/** Such as “Tuesday 14 July”. */
const longDay = (day: Day, words: TimeWords): string =>
  dateFormat(words, 'UTC', { weekday: 'long', day: 'numeric', month: 'long' }).format(day * DAY_MS)

export function writeYear({ words }: WrittenCalendar, { period, entries }: ShownPeriod, linkTo: AddressWriter): Html {
  const { year } = dateFromDay(period[0])
  const months = words.rule.months.map((name, i) => {
    const [first, next] = [dayFromDate(year, i + 1, 1), i === 11 ? period[1] : dayFromDate(year, i + 2, 1)]
    const count = entries.filter(({ days }) => days[0] < next && days[1] >= first).length
    return html`<li><h2><a href="${linkTo({ view: 'month', day: first })}">${name}</a></h2><p>${count === 0 ? '–' : words.calendarPage.events(count)}</p></li>\n`
  })
  return html`<ul class="cal-view served-months">
${months}</ul>`
}
