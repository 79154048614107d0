// HTML of the calendar page: complete without JavaScript, in the shape that the web app gives it.
import type { View } from '../../domain/time/window.ts'
import { formatPeriod } from '../../words/calendar-times.ts'
import { frame, calendarPage as words } from '../../words/english.ts'
import { type Html, html } from '../docs-page/html.ts'
import type { PageContent } from '../web-app/page.ts'
import { addressOf, canonicalOf, neighbourOf } from './asked.ts'
import type { AddressWriter, CalendarFacts, ShownPeriod } from './calendar-facts.ts'
import { writeDays, writeFound, writeYear } from './day-lists.ts'
import { writeMonth } from './month-table.ts'
import { byWidth, writeBar } from './toolbar.ts'

export function writeCalendarPage(facts: CalendarFacts): PageContent {
  const { site, asked } = facts
  const titles = facts.search ? [words.searchFor(asked.q || asked.category)] : facts.periods.map(titleOf(facts))
  const linkTo: AddressWriter = (to) => addressOf(site.root, to, asked.category ? { category: asked.category } : {})
  return {
    title: `${titles[0]} – ${site.name}`,
    head: headOf(facts, linkTo),
    body: html`<div id="served">
<a class="skip" href="#content">${frame.skip}</a>
<header class="site-head"><a href="${site.root}/" class="site-name">${site.name}</a><nav aria-label="${frame.ways}"><a href="${site.root}/sign-in">${frame.signIn}</a></nav></header>
<main id="content">
<div class="page wide">
<div class="page-head"><h1>${byWidth(
      titles.map((title) => html`${title}`),
      'span',
    )}</h1><div class="cal-ways"><a class="button" href="${feedOf(facts)}">${words.subscribe}</a></div></div>
${asked.isOdd ? html`<div class="notice plain"><p>${words.outside}</p></div>` : undefined}
${writeBar(facts, linkTo)}
${
  facts.search
    ? writeFound(facts, facts.search)
    : byWidth(
        facts.periods.map((period) => writePeriod(facts, period, linkTo)),
        'div',
      )
}
<p class="cal-zone">${words.zone(site.zone.name)}</p>
<noscript><p class="cal-zone"><a href="${feedOf(facts)}">${words.feeds.calendar}</a> <a href="${site.root}/feed.xml">${words.feeds.news}</a></p></noscript>
</div>
</main>
</div>`,
  }
}

const titleOf =
  ({ asked, today, weekStart }: CalendarFacts) =>
  ({ view }: ShownPeriod): string =>
    formatPeriod(view, asked.day ?? today, weekStart)

const feedOf = ({ site, asked }: CalendarFacts): string =>
  `${site.base}/public/calendar.ics${asked.category ? `?${new URLSearchParams({ category: asked.category })}` : ''}`

function headOf(facts: CalendarFacts, linkTo: AddressWriter): Html {
  const { site, asked, today, weekStart } = facts
  if (facts.search) return html``
  const { view } = facts.periods[0]!
  const around = (by: 1 | -1) => neighbourOf(view, asked.day ?? today, by, facts)
  const [previous, next] = [around(-1), around(1)]
  return html`<link rel="canonical" href="${site.origin}${linkTo(canonicalOf(asked, weekStart))}">
${previous && html`<link rel="prev" href="${linkTo(previous)}">`}
${next && html`<link rel="next" href="${linkTo(next)}">`}`
}

const WRITERS: Partial<Record<View, (facts: CalendarFacts, period: ShownPeriod, linkTo: AddressWriter) => Html>> = {
  month: writeMonth,
  year: (_, period, linkTo) => writeYear(period, linkTo),
}

function writePeriod(facts: CalendarFacts, period: ShownPeriod, linkTo: AddressWriter): Html {
  const { entries, total, view } = period
  const write = WRITERS[view] ?? ((_, listed) => writeDays(listed, linkTo))
  const isCut = total > entries.length
  const nothing = facts.asked.category ? words.nothingFound : words.nothing
  const status = entries.length === 0 ? nothing : isCut ? words.cut(entries.length, total) : ''
  return html`<div class="cal-frame">
<p class="cal-status${isCut ? ' cut' : ''}">${status}</p>
<div class="cal">${write(facts, period, linkTo)}</div>
</div>`
}
