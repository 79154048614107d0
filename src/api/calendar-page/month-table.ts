// HTML of a month: a table of weeks, each day a cell with its number and its events.
import { DAY_MS, type Day, dateFromDay } from '../../domain/time/instant.ts'
import { formatPeriod, formatShortDay } from '../../words/calendar-times.ts'
import { dateFormat, type TimeWords } from '../../words/format-times.ts'
import type { SharedWords } from '../../words/words.ts'
import { type Html, html } from '../docs-page/html.ts'
import type { AddressWriter, WrittenCalendar } from './calendar-facts.ts'
import { byStart, type ShownPeriod, wholeWeeks } from './calendar-facts.ts'
import { type EntryWriting, titleOf, writeChip } from './entry-label.ts'
import { type DayCell, layOutWeek } from './week-rows.ts'

type MonthCell = DayCell<ShownPeriod['entries'][number]>

export function writeMonth(facts: WrittenCalendar, { period, entries }: ShownPeriod, linkTo: AddressWriter): Html {
  const { today, weekStart, words } = facts
  const [first, next] = wholeWeeks(period, weekStart)
  const sorted = entries.toSorted(byStart)
  const weeks = Array.from({ length: (next - first) / 7 }, (_, i) => layOutWeek(first + 7 * i, sorted))
  const cellOf = (cell: MonthCell): Html => {
    const isOther = cell.day < period[0] || cell.day >= period[1]
    const isToday = cell.day === today
    return html`<td role="cell" class="cal-cell${isToday ? ' today' : ''}${isOther ? ' other' : ''}"${isToday ? html` aria-current="date"` : undefined}><div class="cal-cell-top">${dayLink(cell.day, words.times, linkTo)}</div>${eventsOf(cell, first, linkTo, facts)}</td>`
  }
  // The roles hold where a style sheet lays the table out as rows of equal cells, whose height it knows before the last.
  return html`<div class="cal-view dayGridMonth"><table role="table" class="weeks-${weeks.length}">
<caption class="cal-unseen">${formatPeriod('month', period[0], weekStart, words.times)}</caption>
<thead role="rowgroup" class="cal-head"><tr role="row">${headsOf(weekStart, words)}</tr></thead>
<tbody role="rowgroup">
${weeks.map((week) => html`<tr role="row" class="cal-row">${week.map(cellOf)}</tr>\n`)}</tbody>
</table></div>`
}

const headsOf = (weekStart: number, { rule }: SharedWords): Html[] =>
  Array.from({ length: 7 }, (_, i) => {
    const name = rule.days[(weekStart + i) % 7]!
    const short = rule.shortDays[(weekStart + i) % 7]!
    return html`<th role="columnheader" scope="col" abbr="${name}" class="cal-day-head"><span class="cal-day-head-in">${short.slice(0, 1)}<span class="served-rest">${short.slice(1)}</span></span></th>`
  })

/** The number, with the month for those who do not see the table. */
function dayLink(day: Day, words: TimeWords, linkTo: AddressWriter): Html {
  const number = `${dateFromDay(day).day}`
  const date = formatShortDay(day, words)
  const month = date.startsWith(number)
    ? date.slice(number.length)
    : ` ${dateFormat(words, 'UTC', { month: 'long', year: 'numeric' }).format(day * DAY_MS)}`
  return html`<a class="cal-link" href="${linkTo({ view: 'day', day })}">${number}<span class="cal-unseen">${month}</span></a>`
}

function eventsOf(
  { day, placed, continued, hidden }: MonthCell,
  first: Day,
  linkTo: AddressWriter,
  page: EntryWriting,
): Html | undefined {
  if (placed.length + continued.length + hidden.length === 0) return undefined
  const isFirst = (day - first) % 7 === 0
  return html`<ul>${continued.map((entry) => html`<li class="cal-unseen">${titleOf(entry, page.words)}</li>`)}${placed.map(
    ({ entry, gap, span, needs }) =>
      html`<li${classOf({ gap, span, needs })}>${writeChip(entry, span, isFirst && entry.days[0] < day, page)}</li>`,
  )}${hidden.map(
    ({ capacity, count, gap }) =>
      html`<li${classOf({ at: capacity, gap })}>${moreLink(day, count, linkTo, page.words)}</li>`,
  )}</ul>`
}

/** The usual numbers have no class. */
const USUAL: Record<string, number> = { gap: 0, span: 1, needs: 2 }

function classOf(numbers: Record<string, number>): Html | undefined {
  const names = Object.entries(numbers)
    .filter(([name, number]) => number > (USUAL[name] ?? 0))
    .map(([name, number]) => `${name}-${number}`)
  return names.length === 0 ? undefined : html` class="${names.join(' ')}"`
}

const moreLink = (day: Day, count: number, linkTo: AddressWriter, { calendarPage: words }: SharedWords): Html =>
  html`<a class="cal-more" href="${linkTo({ view: 'day', day })}" aria-label="${words.moreHint(count)}">${words.more(count)}</a>`
