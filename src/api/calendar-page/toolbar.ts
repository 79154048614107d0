// HTML of the controls: links to periods, views and quick choices, forms for a date and a search.
import { boundsAround, CALENDAR_VIEWS, MAX_Q, WHATS_ON } from '../../contract/calendar-link.ts'
import { formatDate } from '../../domain/time/text.ts'
import type { View } from '../../domain/time/window.ts'
import type { SharedWords } from '../../words/words.ts'
import { type Html, html } from '../docs-page/html.ts'
import { neighbourOf } from './asked.ts'
import type { AddressWriter, WrittenCalendar } from './calendar-facts.ts'

export function writeBar(facts: WrittenCalendar, linkTo: AddressWriter): Html {
  const views: View[] = facts.search ? [facts.asked.view ?? 'month'] : facts.periods.map(({ view }) => view)
  return html`<div class="cal-bar">
${byWidth(
  views.map((view) => writeSteps(facts, view, linkTo)),
  'div',
)}
${byWidth(
  views.map((view) => writeViews(facts, view, linkTo)),
  'div',
)}
<div id="${FILTERS}" class="cal-filter-box${facts.asked.q || facts.asked.categories.length > 0 ? ' open' : ''}">${writeFilters(facts)}</div>
</div>`
}

/** Of the search and the filter, which are behind a link on a phone. */
const FILTERS = 'served-filters'

/** As the button of the web app draws it. */
export const writeFindLink = ({ calendarPage: words }: SharedWords): Html =>
  html`<a class="button cal-find" href="#${FILTERS}">${MAGNIFIER}<span class="spoken">${words.searchAndFilter}</span></a>`

const MAGNIFIER = html`<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Zm3.4 7.9 3.6 3.6" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>`

function writeSteps(facts: WrittenCalendar, view: View, linkTo: AddressWriter): Html {
  const { asked, today, day, site, search } = facts
  const { calendarPage: words } = facts.words
  const [first, last] = boundsAround(today)
  const step = (by: 1 | -1): Html => {
    const to = search ? undefined : neighbourOf(view, day, by, facts)
    const [rel, label, sign] = by > 0 ? ['next', words.next[view], '›'] : ['prev', words.previous[view], '‹']
    return to
      ? html`<a class="button cal-step" rel="${rel}" href="${linkTo(to)}" aria-label="${label}">${sign}</a>`
      : html`<span class="button cal-step off" aria-hidden="true">${sign}</span>`
  }
  const kept = asked.when ? view : asked.view
  return html`<nav class="cal-steps" aria-label="${words.period}">${step(-1)}<a class="button" href="${linkTo({ view: kept })}">${words.today}</a>${step(1)}<form class="cal-pick" action="${site.root}/"><label><span class="cal-unseen">${words.goTo}</span><input type="date" name="date" value="${formatDate(day)}" min="${formatDate(first)}" max="${formatDate(last)}"></label>${hidden({ view: kept, category: asked.categories, lang: asked.language })}<noscript><button>${words.go}</button></noscript></form></nav>`
}

function writeViews(facts: WrittenCalendar, shown: View, linkTo: AddressWriter): Html {
  const { asked, search } = facts
  const { calendarPage: words } = facts.words
  const link = (view: View): Html =>
    html`<a class="button" href="${linkTo({ view, day: asked.day })}"${view === shown && !search && !asked.when ? html` aria-current="true"` : undefined}>${words.views[view]}</a>`
  return html`<nav class="cal-views" aria-label="${words.view}">${CALENDAR_VIEWS.map(link)}</nav>`
}

/**
 * Its place is kept where there are no categories, as in the web app. Where several are chosen, they stay, and another
 * one is added to them: only a script could take them out of the form.
 */
function writeFilters(facts: WrittenCalendar): Html {
  const { asked, categories, site } = facts
  const { calendarPage: words } = facts.words
  const chosen = asked.categories
  const isSeveral = chosen.length > 1
  const names = [...new Set([...categories.map(({ name }) => name), ...chosen])]
  const option = (name: string): Html =>
    html`<option value="${name}"${name === chosen[0] ? html` selected` : undefined}>${name}</option>`
  const all = isSeveral ? words.severalCategories(chosen.length) : words.allCategories
  const offered = isSeveral ? names.filter((name) => !chosen.includes(name)) : names
  return html`<form class="cal-filters" role="search" action="${site.root}/">
<div${names.length === 0 ? html` class="none"` : undefined}><div class="field"><label for="served-category">${words.category}</label><select id="served-category" name="category"><option value="">${all}</option>${offered.map(option)}</select></div></div>
<div class="field"><label for="served-q">${words.search}</label><input type="search" id="served-q" name="q" maxlength="${MAX_Q}" placeholder="${words.search}" value="${asked.q}"></div>
${hidden({ view: asked.view, date: asked.day === undefined ? undefined : formatDate(asked.day), when: asked.when, category: isSeveral ? chosen : [], lang: asked.language })}<noscript><button>${MAGNIFIER}<span class="spoken">${words.search}</span></button></noscript>
</form>`
}

/** The line between the controls and the calendar. What needs a script keeps its place and is not offered. */
export function writeTools(facts: WrittenCalendar, linkTo: AddressWriter): Html {
  const { asked, site } = facts
  const { calendarPage: words } = facts.words
  const { label, names } = words.whatsOn
  const links = WHATS_ON.map(
    (when) =>
      html`<a href="${linkTo({ when })}"${when === asked.when ? html` aria-current="true"` : undefined}>${names[when]}</a>`,
  )
  return html`<div class="cal-tools">
<nav class="cal-whats-on" aria-label="${label}"><span aria-hidden="true">${label}</span>${links}</nav>
<button type="button" class="plain cal-print" disabled>${words.openPrint}</button>
<button type="button" class="plain cal-keys" disabled>${words.openShortcuts}</button>
<p class="cal-zone alone">${words.zone(site.zone.name)}</p>
</div>`
}

const hidden = (fields: Record<string, string | undefined | readonly string[]>): Html[] =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  )

/** The first for wide screens and the second for narrow ones: the service does not know the width. */
export function byWidth(forms: readonly Html[], element: 'span' | 'div'): Html {
  const [wide, narrow] = forms
  if (!wide || !narrow) return wide ?? html``
  return element === 'span'
    ? html`<span class="on-wide">${wide}</span><span class="on-narrow">${narrow}</span>`
    : html`<div class="on-wide">${wide}</div><div class="on-narrow">${narrow}</div>`
}
