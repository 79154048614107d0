// HTML of search results: a list of dates with marks, and links to more of them and to past ones.
import { calendarPage as words } from '../../words/english.ts'
import { formatTimes } from '../../words/format-times.ts'
import { excerptOf, markParts, searchedWords } from '../../words/search-marks.ts'
import { type Html, html } from '../docs-page/html.ts'
import { MAX_FOUND_PAGES } from './asked.ts'
import {
  type AddressWriter,
  type CalendarEntry,
  type CalendarFacts,
  FOUND_PER_PAGE,
  type SearchPage,
} from './calendar-facts.ts'
import { LOCK } from './entry-label.ts'

export function writeFound(
  { asked, site }: CalendarFacts,
  { direction, entries, total }: SearchPage,
  linkTo: AddressWriter,
): Html {
  const other = direction === 'ahead' ? 'past' : 'ahead'
  const shown = (asked.page - 1) * FOUND_PER_PAGE + entries.length
  const isMore = shown < total && asked.page < MAX_FOUND_PAGES && entries.length > 0
  const searched = searchedWords(asked.q)
  return html`<div class="found">
<div class="found-head"><p>${words.found[direction](total)}</p><a class="button plain" href="${linkTo({ q: asked.q, found: other })}">${words.searchIn[other]}</a></div>
<ul>
${entries.map((entry) => foundLine(entry, searched, site.zone.name))}</ul>
${isMore ? html`<p><a class="button" rel="next" href="${linkTo({ q: asked.q, found: direction, page: asked.page + 1 })}">${words.moreFound(shown, total)}</a></p>` : undefined}
</div>`
}

/** Of the description only what was found is shown, and only if no other text shows why it is a result. */
function foundLine(entry: CalendarEntry, searched: readonly string[], zone: string): Html {
  const { tone, isCancelled, isMasked, path, title, times, location, category, description } = entry
  const isFoundIn = (text: string | null): boolean => markParts(text ?? '', searched).some(({ isFound }) => isFound)
  const excerpt = [title, location, category].some(isFoundIn) ? undefined : excerptOf(description ?? '', searched)
  const more = [location, isFoundIn(category) ? category : undefined, excerpt]
  const name =
    path === undefined
      ? html`<b>${isMasked ? LOCK : undefined}${title}</b>`
      : html`<a href="${path}"${isCancelled ? html` class="cancelled"` : undefined}>${marked(title, searched)}</a>`
  return html`<li class="${tone}">${name}<span>${formatTimes(times, zone)}</span>${more.map((text) =>
    text ? html`<span class="quiet">${marked(text, searched)}</span>` : undefined,
  )}</li>\n`
}

const marked = (text: string, searched: readonly string[]): Html[] =>
  markParts(text, searched).map((part) => (part.isFound ? html`<mark>${part.text}</mark>` : html`${part.text}`))
