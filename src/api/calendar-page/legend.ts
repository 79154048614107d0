// HTML of the legend: categories with their colours, each a link that turns its filter on or off.
import { categoryClass } from '../../domain/calendar/tones.ts'
import { listLegend, turnCategory } from '../../domain/categories/legend.ts'
import { calendarPage as words } from '../../words/english.ts'
import { type Html, html } from '../docs-page/html.ts'
import type { PageAddress } from './asked.ts'
import type { AddressWriter, CalendarFacts, LegendCategory } from './calendar-facts.ts'

/** Robots do not follow: each choice of categories would be an address of its own. */
export function writeLegend({ asked, categories }: CalendarFacts, linkTo: AddressWriter): Html | undefined {
  const shown: readonly Pick<LegendCategory, 'name'>[] = listLegend(categories, asked.categories)
  if (shown.length === 0) return undefined
  const addressWith = (names: readonly string[]): string => linkTo({ ...keptOf(asked, names), categories: names })
  const entries = shown.map(({ name }) => {
    const description = categories.find((one) => one.name === name)?.description
    const address = addressWith(turnCategory(name, asked.categories))
    return html`<li><a class="button tone-plain ${categoryClass(name)}" rel="nofollow" href="${address}"${asked.categories.includes(name) ? html` aria-current="true"` : undefined}${description ? html` title="${description}"` : undefined}><span class="cal-mark" aria-hidden="true"></span>${name}</a></li>\n`
  })
  return html`<section class="cal-legend" aria-label="${words.legend}">
<ul>
${entries}</ul>${asked.categories.length > 0 ? html`<a class="button plain" rel="nofollow" href="${addressWith([])}">${words.showAll}</a>` : undefined}
</section>`
}

/** Without a text, other categories are another search, from today on. Without both there is none. */
function keptOf({ view, day, when, q, found }: CalendarFacts['asked'], names: readonly string[]): PageAddress {
  return { view, day, when, q, found: q !== '' ? found : found && names.length > 0 ? 'ahead' : undefined }
}
