// HTML of the calendar page: complete without JavaScript, in the shape that the web app gives it.

import { writeColorRules } from '../../domain/categories/color-rules.ts'
import type { Language } from '../../domain/languages.ts'
import type { View } from '../../domain/time/window.ts'
import { formatPeriod, formatWhatsOn } from '../../words/calendar-times.ts'
import { wordsFor } from '../../words/words.ts'
import { type Html, html } from '../docs-page/html.ts'
import { addressLinks, languageLinks, withLanguage } from '../page-language.ts'
import type { PageContent } from '../web-app/page.ts'
import { addressOf, canonicalOf, neighbourOf } from './asked.ts'
import type { AddressWriter, CalendarFacts, ShownPeriod, WrittenCalendar } from './calendar-facts.ts'
import { writeDays, writeYear } from './day-lists.ts'
import { writeFound } from './found-list.ts'
import { writeGridRoom } from './grid-room.ts'
import { writeLegend } from './legend.ts'
import { writeMonth } from './month-table.ts'
import { byWidth, writeBar, writeFindLink, writeTools } from './toolbar.ts'

export function writeCalendarPage(shownFacts: CalendarFacts, language: Language): PageContent {
  const facts = { ...shownFacts, words: wordsFor(language) }
  const { calendarPage: words, frame } = facts.words
  const { site, asked, categories } = facts
  const titles = titlesOf(facts)
  const linkTo: AddressWriter = (to) =>
    addressOf(site.root, { categories: asked.categories, language: asked.language, ...to })
  return {
    title: `${titles[0]} – ${site.name}`,
    view: facts.search ? undefined : asked.view,
    head: headOf(facts, linkTo),
    style: writeColorRules(categories) + facts.periods.map(writeGridRoom).join(''),
    body: html`<div id="served">
<a class="skip" href="#content">${frame.skip}</a>
<header class="site-head"><a href="${withLanguage(`${site.root}/`, asked.language)}" class="site-name">${site.name}</a><nav aria-label="${frame.ways}"><a href="${withLanguage(`${site.root}/sign-in`, asked.language)}">${frame.signIn}</a></nav></header>
<main id="content">
<div class="page wide">
<div class="page-head"><h1>${byWidth(
      titles.map((title) => html`${title}`),
      'span',
    )}</h1><div class="cal-ways">${writeFindLink(facts.words)}<a class="button" href="${feedOf(facts)}">${words.subscribe}</a></div></div>
${asked.isOdd ? html`<div class="notice plain"><p>${words.outside}</p></div>` : undefined}
${writeBar(facts, linkTo)}
${writeTools(facts, linkTo)}
${
  facts.search
    ? writeFound(facts, facts.search, linkTo)
    : byWidth(
        facts.periods.map((period) => writePeriod(facts, period, linkTo)),
        'div',
      )
}
<div class="served-below">
${writeLegend(facts, linkTo)}
<noscript><p class="cal-zone"><a href="${feedOf(facts)}">${words.feeds.calendar}</a> <a href="${site.root}/feed.xml">${words.feeds.news}</a></p>${languageLinks(language, facts.words.eventPage.languages, ownAddress(facts))}</noscript>
</div>
</div>
</main>
</div>`,
  }
}

function titlesOf({ asked, periods, search, today, day, weekStart, words: all }: WrittenCalendar): string[] {
  const { calendarPage: words, times } = all
  if (search) return [words.searchFor(asked.q || asked.categories.join(', '))]
  if (asked.when) return [formatWhatsOn(asked.when, today, words, times)]
  return periods.map(({ view }) => formatPeriod(view, day, weekStart, times))
}

function feedOf({ site, asked }: CalendarFacts): string {
  const query = new URLSearchParams(asked.categories.map((name) => ['category', name]))
  return `${site.base}/public/calendar.ics${query.size > 0 ? `?${query}` : ''}`
}

/** Of this page, without a language. */
const ownAddress = ({ site, asked }: CalendarFacts): string =>
  addressOf(site.root, { ...asked, page: asked.page > 1 ? asked.page : undefined, language: undefined })

function headOf(facts: CalendarFacts, linkTo: AddressWriter): Html {
  const { site, asked, day, weekStart } = facts
  if (facts.search) return html``
  const { view } = facts.periods[0]!
  const around = (by: 1 | -1) => (asked.when ? undefined : neighbourOf(view, day, by, facts))
  const [previous, next] = [around(-1), around(1)]
  const canonical = `${site.origin}${linkTo({ ...canonicalOf(asked, weekStart), language: undefined })}`
  return html`${addressLinks(canonical, asked.language)}
${previous && html`<link rel="prev" href="${linkTo(previous)}">`}
${next && html`<link rel="next" href="${linkTo(next)}">`}`
}

const WRITERS: Partial<Record<View, (facts: WrittenCalendar, period: ShownPeriod, linkTo: AddressWriter) => Html>> = {
  month: writeMonth,
  year: writeYear,
}

function writePeriod(facts: WrittenCalendar, period: ShownPeriod, linkTo: AddressWriter): Html {
  const { entries, total, view } = period
  const { calendarPage: words } = facts.words
  const write = WRITERS[view] ?? writeDays
  const isCut = total > entries.length
  const isFiltered = facts.asked.categories.length > 0
  const nothing = isFiltered
    ? html`${words.nothingFound}<a class="button plain" rel="nofollow" href="${linkTo({ view: facts.asked.view, found: 'ahead' })}">${words.searchAll}</a>`
    : html`${words.nothing}`
  const status = entries.length === 0 ? nothing : isCut ? html`${words.cut(entries.length, total)}` : undefined
  return html`<div class="cal-frame">
<p class="cal-status${isCut ? ' cut' : ''}">${status}</p>
<div class="cal ${view === 'month' ? 'cal-fitted' : `served-${view}`}">${write(facts, period, linkTo)}</div>
</div>`
}
