// HTML of one event on the calendar page: its time, title and place, as a link to its page.

import type { Language } from '../../domain/languages.ts'
import type { Day } from '../../domain/time/instant.ts'
import { formatClocks, formatEnd, isOneNight, isOverMidnight } from '../../words/calendar-times.ts'
import type { SharedWords } from '../../words/words.ts'
import { type Html, html } from '../docs-page/html.ts'
import { withLanguage } from '../page-language.ts'
import type { CalendarEntry } from './calendar-facts.ts'

/** The lock of a private event, as the web app draws it. */
export const LOCK = html`<svg class="cal-lock" viewBox="0 0 16 16" aria-hidden="true"><path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2" fill="none" stroke="currentColor" stroke-width="1.8"/><rect x="2.5" y="7" width="11" height="7.5" rx="1.5"/></svg>`

/** Words and language of the page that an event is written on. */
export interface EntryWriting {
  words: SharedWords
  asked: { language: Language | undefined }
}

/** Of a private event the words for one, in place of those that programs get. */
export const titleOf = ({ title, isMasked }: CalendarEntry, { eventPage }: SharedWords): string =>
  isMasked ? eventPage.privateEvent : title

const nameOf = (entry: CalendarEntry, words: SharedWords): Html =>
  html`<span class="cal-name">${entry.isMasked ? LOCK : undefined}${titleOf(entry, words)}${entry.isCancelled ? html`<span class="cal-unseen"> (${words.calendarPage.cancelled})</span>` : undefined}</span>`

const timeOf = (text: string): Html | undefined =>
  text === '' ? undefined : html`<span class="cal-time">${text}</span> `

/** In the month table. An event over midnight has a label on each of its two days. */
export function writeChip(entry: CalendarEntry, span: number, isContinued: boolean, page: EntryWriting): Html {
  const { times } = entry
  const { words } = page
  const end = isOneNight(times) ? formatEnd(times, words.calendarPage, words.times) : ''
  const isNight = isOneNight(times)
  const text = times.all_day ? '' : isNight && isContinued ? end : formatClocks(times, true, words.times)
  const second =
    isNight && span > 1
      ? html`<span class="cal-chip" aria-hidden="true">${timeOf(end)}${nameOf(entry, words)}</span>`
      : undefined
  const isBlock = times.all_day || isOverMidnight(times)
  const shape = isNight ? 'cal-block cal-night' : isBlock ? 'cal-block' : 'cal-line'
  return linkTo(
    entry,
    page,
    shape,
    html`<span class="served-label"><span class="cal-chip">${timeOf(text)}${nameOf(entry, words)}</span>${second}</span>`,
  )
}

/** In a list, below the heading of that day. */
export function writeLine(entry: CalendarEntry, day: Day, page: EntryWriting): Html {
  const { times, location } = entry
  const { words } = page
  const isLater = day > entry.days[0]
  const text = times.all_day
    ? words.calendarPage.allDay
    : isOneNight(times) && isLater
      ? formatEnd(times, words.calendarPage, words.times)
      : formatClocks(times, false, words.times)
  const place = location ? html` <span class="cal-place">${location}</span>` : undefined
  return linkTo(
    entry,
    page,
    'cal-line',
    html`<span class="cal-chip">${timeOf(text)}${nameOf(entry, words)}${place}</span>`,
  )
}

function linkTo({ tone, isCancelled, path }: CalendarEntry, { asked }: EntryWriting, shape: string, label: Html): Html {
  const name = `cal-event ${tone}${isCancelled ? ' cancelled' : ''} ${shape}`
  return path === undefined
    ? html`<span class="${name}">${label}</span>`
    : html`<a class="${name}" href="${withLanguage(path, asked.language)}">${label}</a>`
}
