// HTML of search results: a list of dates with marks, and links to more of them and to past ones.
import { formatTimes } from '../../words/format-times.ts'
import { excerptOf, markParts, searchedWords } from '../../words/search-marks.ts'
import { type Html, html } from '../docs-page/html.ts'
import { withLanguage } from '../page-language.ts'
import { MAX_FOUND_PAGES } from './asked.ts'
import {
  type AddressWriter,
  type CalendarEntry,
  FOUND_PER_PAGE,
  type SearchPage,
  type WrittenCalendar,
} from './calendar-facts.ts'
import { LOCK, titleOf } from './entry-label.ts'

export function writeFound(
  facts: WrittenCalendar,
  { direction, entries, total }: SearchPage,
  linkTo: AddressWriter,
): Html {
  const { asked } = facts
  const { calendarPage: words } = facts.words
  const other = direction === 'ahead' ? 'past' : 'ahead'
  const shown = (asked.page - 1) * FOUND_PER_PAGE + entries.length
  const isMore = shown < total && asked.page < MAX_FOUND_PAGES && entries.length > 0
  const searched = searchedWords(asked.q)
  return html`<div class="found">
<div class="found-head"><p>${words.found[direction](total)}</p><a class="button plain" href="${linkTo({ q: asked.q, found: other })}">${words.searchIn[other]}</a></div>
<ul>
${entries.map((entry) => foundLine(entry, searched, facts))}</ul>
${isMore ? html`<p><a class="button" rel="next" href="${linkTo({ q: asked.q, found: direction, page: asked.page + 1 })}">${words.moreFound(shown, total)}</a></p>` : undefined}
</div>`
}

/** Of the description only what was found is shown, and only if no other text shows why it is a result. */
function foundLine(entry: CalendarEntry, searched: readonly string[], { words, asked, site }: WrittenCalendar): Html {
  const title = titleOf(entry, words)
  const { tone, isCancelled, isMasked, path, times, location, category, description } = entry
  const isFoundIn = (text: string | null): boolean => markParts(text ?? '', searched).some(({ isFound }) => isFound)
  const excerpt = [title, location, category].some(isFoundIn) ? undefined : excerptOf(description ?? '', searched)
  const more = [location, isFoundIn(category) ? category : undefined, excerpt]
  const name =
    path === undefined
      ? html`<b>${isMasked ? LOCK : undefined}${title}</b>`
      : html`<a href="${withLanguage(path, asked.language)}"${isCancelled ? html` class="cancelled"` : undefined}>${marked(title, searched)}${isCancelled ? html`<span class="cal-unseen"> (${words.calendarPage.cancelled})</span>` : undefined}</a>`
  return html`<li class="${tone}">${name}<span>${formatTimes(times, site.zone.name, words.times)}</span>${more.map(
    (text) => (text ? html`<span class="quiet">${marked(text, searched)}</span>` : undefined),
  )}</li>\n`
}

const marked = (text: string, searched: readonly string[]): Html[] =>
  markParts(text, searched).map((part) => (part.isFound ? html`<mark>${part.text}</mark>` : html`${part.text}`))
