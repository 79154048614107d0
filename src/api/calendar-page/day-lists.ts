// HTML of lists: the days of a period with their events, the months of a year, and search results.
import { DAY_MS, type Day, dateFromDay, dayFromDate } from '../../domain/time/instant.ts'
import { dateFormat, formatTimes, type TimeWords } from '../../words/format-times.ts'
import { type Html, html } from '../docs-page/html.ts'
import { withLanguage } from '../page-language.ts'
import { MAX_FOUND_PAGES } from './asked.ts'
import {
  type AddressWriter,
  byStart,
  type CalendarEntry,
  FOUND_PER_PAGE,
  type SearchPage,
  type ShownPeriod,
  type WrittenCalendar,
} from './calendar-facts.ts'
import { titleOf, writeLine } from './entry-label.ts'

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
${own.map((entry) => html`<li>${writeLine(entry, day, facts)}</li>\n`)}</ul>
</section>
`)
  }
  return html`<div class="cal-view cal-list">${days.length > 0 ? days : html`<div class="cal-none"></div>`}</div>`
}

/** Such as “Tuesday 14 July”. */
const longDay = (day: Day, words: TimeWords): string =>
  words.day(dateFormat(words, 'UTC', { weekday: 'long', day: 'numeric', month: 'long' }).format(day * DAY_MS))

export function writeYear({ words }: WrittenCalendar, { period, entries }: ShownPeriod, linkTo: AddressWriter): Html {
  const { year } = dateFromDay(period[0])
  const months = words.rule.months.map((name, i) => {
    const [first, next] = [dayFromDate(year, i + 1, 1), i === 11 ? period[1] : dayFromDate(year, i + 2, 1)]
    const count = entries.filter(({ days }) => days[0] < next && days[1] >= first).length
    return html`<li><h2><a href="${linkTo({ view: 'month', day: first })}">${name}</a></h2><p>${count === 0 ? '–' : words.calendarPage.events(count)}</p></li>\n`
  })
  return html`<ul class="cal-view served-year">
${months}</ul>`
}

export function writeFound(facts: WrittenCalendar, { direction, entries, total }: SearchPage): Html {
  const { asked, site } = facts
  const { calendarPage: words } = facts.words
  const other = direction === 'ahead' ? 'past' : 'ahead'
  const texts = { ...(asked.q && { q: asked.q }), ...(asked.category && { category: asked.category }) }
  const address = (more: Record<string, string>): string =>
    withLanguage(`${site.root}/?${new URLSearchParams({ ...texts, ...more })}`, asked.language)
  const shown = (asked.page - 1) * FOUND_PER_PAGE + entries.length
  const isMore = shown < total && asked.page < MAX_FOUND_PAGES && entries.length > 0
  return html`<div class="found">
<div class="found-head"><p>${words.found[direction](total)}</p><a class="button plain" href="${address({ found: other })}">${words.searchIn[other]}</a></div>
<ul>
${entries.map((entry) => foundLine(entry, facts))}</ul>
${isMore ? html`<p><a class="button" rel="next" href="${address({ found: direction, page: `${asked.page + 1}` })}">${words.moreFound(shown, total)}</a></p>` : undefined}
</div>`
}

function foundLine(entry: CalendarEntry, { words, asked, site }: WrittenCalendar): Html {
  const { tone, isCancelled, path, times, location } = entry
  const title = titleOf(entry, words)
  const name =
    path === undefined
      ? html`<b>${title}</b>`
      : html`<a href="${withLanguage(path, asked.language)}"${isCancelled ? html` class="cancelled"` : undefined}>${title}</a>`
  return html`<li class="${tone}">${name}<span>${formatTimes(times, site.zone.name, words.times)}</span>${location ? html`<span class="quiet">${location}</span>` : undefined}</li>\n`
}
