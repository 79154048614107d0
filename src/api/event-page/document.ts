// HTML of the page of one event; complete without JavaScript.
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import type { Language } from '../../domain/languages.ts'
import type { FullEvent, OpenEvent, ShownEvent } from '../../domain/privacy/mask.ts'
import { formatInstant } from '../../domain/time/text.ts'
import { formatTimes } from '../../words/format-times.ts'
import { splitAddresses } from '../../words/linked-text.ts'
import { ruleInWords } from '../../words/rule-in-words.ts'
import { type SharedWords, wordsFor } from '../../words/words.ts'
import { type Html, html, verbatim } from '../docs-page/html.ts'
import { presentPlace } from '../events/present.ts'
import { alternateLinks, languageLinks } from '../page-language.ts'
import { googleLink, outlookLink } from './calendar-links.ts'
import {
  datePathOf,
  type EventPageFacts,
  isCancelled,
  pagePathOf,
  type SitePlace,
  shownAt,
  titleOf,
} from './page-facts.ts'
import { structuredData } from './structured-data.ts'
import { style } from './style.ts'

type Open = OpenEvent | FullEvent

/** The facts with the words of the reader's language. */
type WrittenFacts = EventPageFacts & { words: SharedWords }

const whenOf = (event: ShownEvent, { zone }: SitePlace, { times }: SharedWords): string =>
  formatTimes(presentPlace(event, zone), zone.name, times)

export function writeEventPage(shownFacts: EventPageFacts, language: Language): string {
  const facts = { ...shownFacts, words: wordsFor(language) }
  const { site, event, date, words } = facts
  const shown = shownAt(facts)
  const path = date ? datePathOf(site, date) : pagePathOf(site, event)
  const title = titleOf(shown, words)
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${site.name}</title>
${headOf(facts, shown, `${site.origin}${path}`)}
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#content">${words.eventPage.skip}</a>
<header><p><a href="${site.root}/">${site.name}</a></p></header>
<main id="content">
<h1>${title}</h1>
${bodyOf(facts, shown, `${site.origin}${path}`)}
</main>
${languageLinks(language, words.eventPage.languages)}
</body>
</html>
`.markup
}

function headOf(facts: WrittenFacts, shown: ShownEvent, address: string): Html {
  const { site, words } = facts
  if (shown.level === 'masked')
    return html`<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="${site.root}/favicon.svg">`
  const summary = [whenOf(shown, site, words), shown.details.location].filter(Boolean).join(' · ')
  return html`<meta name="description" content="${summary}">
<link rel="canonical" href="${address}">
${alternateLinks(address)}
<meta property="og:type" content="website">
<meta property="og:site_name" content="${site.name}">
<meta property="og:title" content="${shown.details.title}">
<meta property="og:description" content="${summary}">
<meta property="og:url" content="${address}">
<meta name="twitter:card" content="summary">
<link rel="icon" type="image/svg+xml" href="${site.root}/favicon.svg">
<script type="application/ld+json">${verbatim(jsonInMarkup(structuredData(facts) ?? {}))}</script>`
}

function bodyOf(facts: WrittenFacts, shown: ShownEvent, address: string): Html {
  const { site, event, date } = facts
  const words = facts.words.eventPage
  const { startAt, allDay } = shown.timing
  const start = presentPlace(shown, site.zone)
  return html`${isCancelled(shown) ? html`<p class="note">${words.cancelled}</p>` : undefined}
<p class="when"><time datetime="${allDay ? start.start_date : formatInstant(startAt, site.zone)}">${whenOf(shown, site, facts.words)}</time></p>
${allDay ? undefined : html`<p class="quiet">${words.timesIn(site.zone.name)}</p>`}
${date ? html`<p class="quiet">${words.partOf} <a href="${pagePathOf(site, event)}">${words.allDates}</a></p>` : repeatsOf(event, facts.words)}
${shown.level === 'masked' ? html`<p class="note">${words.masked}</p>` : detailsOf(shown, words)}
${event.isRecurring && !date ? datesOf(facts) : undefined}
${shown.level === 'masked' ? undefined : additionsOf(facts, shown, address)}
<p class="choices"><a href="${calendarLink(facts, shown)}">${words.open}</a></p>`
}

function repeatsOf(
  { isRecurring, repetition, timing }: ShownEvent,
  { rule: ruleWords, eventPage: words }: SharedWords,
): Html | undefined {
  if (!isRecurring || !repetition) return undefined
  const { rrule } = repetition
  const rule = rrule === null ? ruleWords.custom : ruleInWords(rrule, ruleWords, timing.zone)
  return html`<p class="quiet">${rule === ruleWords.custom ? words.severalDates : words.repeats(rule)}</p>`
}

function detailsOf({ details }: Open, words: SharedWords['eventPage']): Html {
  const { location, description, category, url, status } = details
  return html`${status === 'tentative' ? html`<p class="quiet">${words.tentative}</p>` : undefined}
${description ? html`<p class="text">${textWithLinks(description)}</p>` : undefined}
${location ? html`<h2>${words.where}</h2>\n<p>${location}<br><a href="${mapOf(location)}" ${OUTWARD}>${words.map}</a></p>` : undefined}
${category ? html`<h2>${words.category}</h2>\n<p>${category}</p>` : undefined}
${url ? html`<h2>${words.link}</h2>\n<p>${outLink(url)}</p>` : undefined}`
}

const OUTWARD = verbatim('target="_blank" rel="noopener noreferrer nofollow ugc"')

const outLink = (address: string): Html => html`<a href="${address}" ${OUTWARD}>${address}</a>`

const textWithLinks = (text: string): Html[] =>
  splitAddresses(text).map((part) => (part.isAddress ? outLink(part.text) : html`${part.text}`))

const mapOf = (location: string): string =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(location.replace(/\s+/g, ' '))}`

function datesOf({ site, next, words: all }: WrittenFacts): Html {
  const words = all.eventPage
  if (next.length === 0) return html`<h2>${words.nextDates}</h2>\n<p>${words.noMoreDates}</p>`
  return html`<h2>${words.nextDates}</h2>
<ul>
${next.map((one) => html`<li>${dateLine(site, one, all)}</li>\n`)}</ul>`
}

function dateLine(site: SitePlace, one: ShownOccurrence, words: SharedWords): Html {
  const when = whenOf(one.event, site, words)
  // The page of a private date would say no more.
  if (one.event.level === 'masked') return html`${when}`
  const link = html`<a href="${datePathOf(site, one)}">${when}</a>`
  return isCancelled(one.event) ? html`<del>${link}</del> (${words.eventPage.isCancelled})` : link
}

function additionsOf({ site, event, words: all }: WrittenFacts, shown: Open, address: string): Html {
  const words = all.eventPage
  return html`<h2 class="add">${words.add}</h2>
<ul class="choices">
<li><a class="main" href="${site.base}/public/events/${event.id}/event.ics" download>${words.file}</a></li>
<li><a href="${googleLink(shown, site, address)}" ${OUTWARD}>${words.google}</a></li>
<li><a href="${outlookLink(shown, site, address)}" ${OUTWARD}>${words.outlook}</a></li>
</ul>
<p class="add"><a href="${site.base}/public/calendar.ics">${words.subscribe}</a></p>`
}

/** The calendar at that day, with the event open: there its writers edit it. */
function calendarLink({ site, date, event }: EventPageFacts, shown: ShownEvent): string {
  const place = presentPlace(shown, site.zone)
  const day = place.start_date ?? place.start.slice(0, 10)
  const at = date ? datePathOf(site, date).split('/').at(-1)! : ''
  const query = new URLSearchParams({ date: day, event: event.id, ...(at && { at }) })
  return `${site.root}/?${query}`
}

/** Escapes `<`, so that no text can end the script element. */
const jsonInMarkup = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')
