// HTML of the toolbar: links to other periods and views, and the forms for a date and a search.
import { boundsAround, CALENDAR_VIEWS, MAX_Q } from '../../contract/calendar-link.ts'
import { formatDate } from '../../domain/time/text.ts'
import type { View } from '../../domain/time/window.ts'
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
${writeFilters(facts)}
</div>`
}

function writeSteps(facts: WrittenCalendar, view: View, linkTo: AddressWriter): Html {
  const { asked, today, site, search } = facts
  const { calendarPage: words } = facts.words
  const [first, last] = boundsAround(today)
  const step = (by: 1 | -1): Html => {
    const to = search ? undefined : neighbourOf(view, asked.day ?? today, by, facts)
    const [rel, label, sign] = by > 0 ? ['next', words.next[view], '›'] : ['prev', words.previous[view], '‹']
    return to
      ? html`<a class="button cal-step" rel="${rel}" href="${linkTo(to)}" aria-label="${label}">${sign}</a>`
      : html`<span class="button cal-step off" aria-hidden="true">${sign}</span>`
  }
  return html`<nav class="cal-steps" aria-label="${words.period}">${step(-1)}<a class="button" href="${linkTo({ view: asked.view, day: undefined })}">${words.today}</a>${step(1)}<form class="cal-pick" action="${site.root}/"><label><span class="cal-unseen">${words.goTo}</span><input type="date" name="date" value="${formatDate(asked.day ?? today)}" min="${formatDate(first)}" max="${formatDate(last)}"></label>${hidden({ view: asked.view, category: asked.category, lang: asked.language })}<noscript><button>${words.go}</button></noscript></form></nav>`
}

function writeViews(facts: WrittenCalendar, shown: View, linkTo: AddressWriter): Html {
  const { asked, search } = facts
  const { calendarPage: words } = facts.words
  const link = (view: View): Html =>
    html`<a href="${linkTo({ view, day: asked.day })}"${view === shown && !search ? html` aria-current="true"` : undefined}>${words.views[view]}</a>`
  return html`<nav class="cal-views" aria-label="${words.view}">${CALENDAR_VIEWS.map(link)}</nav>`
}

/** Its place is kept where there are no categories, as in the web app. */
function writeFilters({ asked, categories, site, words: all }: WrittenCalendar): Html {
  const words = all.calendarPage
  const names = asked.category && !categories.includes(asked.category) ? [...categories, asked.category] : categories
  const option = (name: string): Html =>
    html`<option value="${name}"${name === asked.category ? html` selected` : undefined}>${name}</option>`
  return html`<form class="cal-filters" role="search" action="${site.root}/">
<div${names.length === 0 ? html` class="none"` : undefined}><div class="field"><label for="served-category">${words.category}</label><select id="served-category" name="category"><option value="">${words.allCategories}</option>${names.map(option)}</select></div></div>
<div class="field"><label for="served-q">${words.search}</label><input type="search" id="served-q" name="q" maxlength="${MAX_Q}" placeholder="${words.search}" value="${asked.q}"></div>
${hidden({ view: asked.view, date: asked.day === undefined ? undefined : formatDate(asked.day), lang: asked.language })}<noscript><button>${words.search}</button></noscript>
</form>`
}

const hidden = (fields: Record<string, string | undefined>): Html[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value ? [html`<input type="hidden" name="${name}" value="${value}">`] : [],
  )

/** The first for wide screens and the second for narrow ones: the service does not know the width. */
export function byWidth(forms: readonly Html[], element: 'span' | 'div'): Html {
  const [wide, narrow] = forms
  if (!wide || !narrow) return wide ?? html``
  return element === 'span'
    ? html`<span class="on-wide">${wide}</span><span class="on-narrow">${narrow}</span>`
    : html`<div class="on-wide">${wide}</div><div class="on-narrow">${narrow}</div>`
}
