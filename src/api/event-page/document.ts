// HTML of the page of one event; complete without JavaScript.
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import { categoryClass } from '../../domain/calendar/tones.ts'
import type { Language } from '../../domain/languages.ts'
import type { FullEvent, OpenEvent, ShownEvent } from '../../domain/privacy/mask.ts'
import { formatInstant } from '../../domain/time/text.ts'
import { formatTimes } from '../../words/format-times.ts'
import { splitAddresses } from '../../words/linked-text.ts'
import { ruleInWords } from '../../words/rule-in-words.ts'
import { type SharedWords, wordsFor } from '../../words/words.ts'
import { type Html, html, verbatim } from '../docs-page/html.ts'
import { presentPlace } from '../events/present.ts'
import { languageLinks, withLanguage } from '../page-language.ts'
import { googleLink, outlookLink } from './calendar-links.ts'
import { headOf } from './head.ts'
import {
  datePathOf,
  type EventPageFacts,
  isCancelled,
  movedFrom,
  nameOfDate,
  pagePathOf,
  pathOf,
  shownAt,
  shownDateOf,
  titleOf,
  type WrittenFacts,
  whenOf,
} from './page-facts.ts'
import { lastChange, ownZone, scriptedChoices } from './scripted-parts.ts'

type Open = OpenEvent | FullEvent

export function writeEventPage(
  shownFacts: EventPageFacts,
  style: string,
  language: Language,
  chosen?: Language,
): string {
  const facts = { ...shownFacts, words: wordsFor(language), language, chosen }
  const { site, words } = facts
  const shown = shownAt(facts)
  const title = titleOf(shown, words)
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${site.name}</title>
${headOf(facts)}
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#content">${words.eventPage.skip}</a>
<header><p><a href="${withLanguage(`${site.root}/`, chosen)}">${site.name}</a></p></header>
<main id="content">
<h1>${title}</h1>
${bodyOf(facts, shown)}
</main>
${languageLinks(language, words.eventPage.languages)}
</body>
</html>
`.markup
}

function bodyOf(facts: WrittenFacts, shown: ShownEvent): Html {
  const { site, event, date } = facts
  const words = facts.words.eventPage
  const { startAt, allDay } = shown.timing
  const start = presentPlace(shown, site.zone)
  const moved = movedFrom(shownDateOf(facts))
  return html`${isCancelled(shown) ? html`<p class="note">${words.cancelled}</p>` : undefined}
<p class="when"><time datetime="${allDay ? start.start_date : formatInstant(startAt, site.zone)}">${whenOf(shown, site, facts.words)}</time></p>
${moved && html`<p class="quiet">${words.movedFrom(formatTimes(presentPlace({ timing: { ...event.timing, startAt: moved.at } }, site.zone), site.zone.name, facts.words.times))}</p>`}
${allDay ? undefined : html`<p class="quiet">${words.timesIn(site.zone.name)}</p>\n${ownZone(start, site, words)}`}
${date ? html`<p class="quiet">${words.partOf} <a href="${withLanguage(pagePathOf(site, event), facts.chosen)}">${words.allDates}</a></p>` : repeatsOf(event, facts.words)}
${shown.level === 'masked' ? html`<p class="note">${words.masked}</p>` : detailsOf(shown, words)}
${event.isRecurring && !date ? datesOf(facts) : undefined}
${additionsOf(facts, shown)}
<p class="choices apart"><a href="${calendarLink(facts, shown)}">${words.open}</a>
${scriptedChoices(facts)}
</p>
<p class="address">${site.origin}${pathOf(facts)}</p>
${lastChange(words)}`
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
${location ? html`<h2>${words.where}</h2>\n<p>${location}<br><a class="map" href="${mapOf(location)}" ${OUTWARD}>${words.map}</a></p>` : undefined}
${category ? html`<h2>${words.category}</h2>\n<p><span class="tone ${categoryClass(category)}">${category}</span></p>` : undefined}
${url ? html`<h2>${words.link}</h2>\n<p>${outLink(url)}</p>` : undefined}`
}

const OUTWARD = verbatim('target="_blank" rel="noopener noreferrer nofollow ugc"')

const outLink = (address: string): Html => html`<a href="${address}" ${OUTWARD}>${address}</a>`

const textWithLinks = (text: string): Html[] =>
  splitAddresses(text).map((part) => (part.isAddress ? outLink(part.text) : html`${part.text}`))

const mapOf = (location: string): string =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(location.replace(/\s+/g, ' '))}`

function datesOf(facts: WrittenFacts): Html {
  const { next } = facts
  const words = facts.words.eventPage
  if (next.length === 0) return html`<h2>${words.nextDates}</h2>\n<p>${words.noMoreDates}</p>`
  return html`<h2>${words.nextDates}</h2>
<ul>
${next.map((one) => html`<li>${dateLine(facts, one)}</li>\n`)}</ul>`
}

function dateLine({ site, words, chosen }: WrittenFacts, one: ShownOccurrence): Html {
  const when = whenOf(one.event, site, words)
  // The page of a private date would say no more.
  if (one.event.level === 'masked') return html`${when}`
  const link = html`<a href="${withLanguage(datePathOf(site, one), chosen)}">${when}</a>`
  return isCancelled(one.event) ? html`<del>${link}</del> (${words.eventPage.isCancelled})` : link
}

function additionsOf(facts: WrittenFacts, shown: ShownEvent): Html {
  const { site, event, date } = facts
  const words = facts.words.eventPage
  const series = `${site.base}/public/events/${event.id}`
  const all = `${series}/event.ics`
  const isOne = date !== undefined
  const single = isOne ? `${series}/occurrences/${nameOfDate(date)}/event.ics` : all
  const address = `${site.origin}${pathOf(facts)}`
  const subscribe = html`<p class="add"><a href="${site.base}/public/calendar.ics">${words.subscribe}</a></p>`
  if (shown.level === 'masked') return subscribe
  return html`<h2 class="add">${words.add}</h2>
<ul class="choices">
<li><a class="main" href="${single}" download>${isOne ? words.fileOfDate : words.file}</a></li>
${isOne ? html`<li><a href="${all}" download>${words.fileOfAll}</a></li>\n` : undefined}<li><a href="${googleLink(shown, site, address)}" ${OUTWARD}>${words.google}</a></li>
<li><a href="${outlookLink(shown, site, address)}" ${OUTWARD}>${words.outlook}</a></li>
</ul>
${subscribe}`
}

/** The calendar at that day, with the event open: there its writers edit it. */
function calendarLink({ site, date, event, chosen }: WrittenFacts, shown: ShownEvent): string {
  const place = presentPlace(shown, site.zone)
  const day = place.start_date ?? place.start.slice(0, 10)
  const at = date ? nameOfDate(date) : ''
  const query = new URLSearchParams({ date: day, event: event.id, ...(at && { at }) })
  return withLanguage(`${site.root}/?${query}`, chosen)
}
