// HTML of lists: the days of a period with their events, the months of a year, and search results.
import { DAY_MS, type Day, dateFromDay, dayFromDate } from '../../domain/time/instant.ts'
import { rule, calendarPage as words } from '../../words/english.ts'
import { dateFormat, formatTimes } from '../../words/format-times.ts'
import { type Html, html } from '../docs-page/html.ts'
import { MAX_FOUND_PAGES } from './asked.ts'
import {
  type AddressWriter,
  byStart,
  type CalendarEntry,
  type CalendarFacts,
  FOUND_PER_PAGE,
  type SearchPage,
  type ShownPeriod,
} from './calendar-facts.ts'
import { writeLine } from './entry-label.ts'

/** Days without events are left out. */
export function writeDays({ period, entries }: ShownPeriod, linkTo: AddressWriter): Html {
  const sorted = entries.toSorted(byStart)
  const days: Html[] = []
  for (let day = period[0]; day < period[1]; day++) {
    const own = sorted.filter(({ days: [first, last] }) => first <= day && day <= last)
    if (own.length === 0) continue
    days.push(html`<section class="cal-list-day">
<h2 class="cal-list-head"><a class="cal-link" href="${linkTo({ view: 'day', day })}">${longDay(day)}</a></h2>
<ul>
${own.map((entry) => html`<li>${writeLine(entry, day)}</li>\n`)}</ul>
</section>
`)
  }
  return html`<div class="cal-view cal-list">${days.length > 0 ? days : html`<div class="cal-none"></div>`}</div>`
}

/** Such as “Tuesday 14 July”. */
const longDay = (day: Day): string =>
  dateFormat('UTC', { weekday: 'long', day: 'numeric', month: 'long' })
    .format(day * DAY_MS)
    .replace(',', '')

export function writeYear({ period, entries }: ShownPeriod, linkTo: AddressWriter): Html {
  const { year } = dateFromDay(period[0])
  const months = rule.months.map((name, i) => {
    const [first, next] = [dayFromDate(year, i + 1, 1), i === 11 ? period[1] : dayFromDate(year, i + 2, 1)]
    const count = entries.filter(({ days }) => days[0] < next && days[1] >= first).length
    return html`<li><h2><a href="${linkTo({ view: 'month', day: first })}">${name}</a></h2><p>${count === 0 ? '–' : words.events(count)}</p></li>\n`
  })
  return html`<ul class="cal-view served-year">
${months}</ul>`
}

export function writeFound({ asked, site }: CalendarFacts, { direction, entries, total }: SearchPage): Html {
  const other = direction === 'ahead' ? 'past' : 'ahead'
  const texts = { ...(asked.q && { q: asked.q }), ...(asked.category && { category: asked.category }) }
  const address = (more: Record<string, string>): string =>
    `${site.root}/?${new URLSearchParams({ ...texts, ...more })}`
  const shown = (asked.page - 1) * FOUND_PER_PAGE + entries.length
  const isMore = shown < total && asked.page < MAX_FOUND_PAGES && entries.length > 0
  return html`<div class="found">
<div class="found-head"><p>${words.found[direction](total)}</p><a class="button plain" href="${address({ found: other })}">${words.searchIn[other]}</a></div>
<ul>
${entries.map((entry) => foundLine(entry, site.zone.name))}</ul>
${isMore ? html`<p><a class="button" rel="next" href="${address({ found: direction, page: `${asked.page + 1}` })}">${words.moreFound(shown, total)}</a></p>` : undefined}
</div>`
}

function foundLine({ tone, isCancelled, path, title, times, location }: CalendarEntry, zone: string): Html {
  const name =
    path === undefined
      ? html`<b>${title}</b>`
      : html`<a href="${path}"${isCancelled ? html` class="cancelled"` : undefined}>${title}</a>`
  return html`<li class="${tone}">${name}<span>${formatTimes(times, zone)}</span>${location ? html`<span class="quiet">${location}</span>` : undefined}</li>\n`
}
