// Parts of the event page that its script shows: hidden or in templates, so that nothing is offered without it.
import { eventPage as words } from '../../words/english.ts'
import { type Html, html } from '../docs-page/html.ts'
import type { PresentedPlace } from '../events/present.ts'
import { type EventPageFacts, nameOfDate, type SitePlace, shownAt } from './page-facts.ts'

/** The script fills these in. */
const [TIMES, ZONE, NAME, DATE] = ['{times}', '{zone}', '{name}', '{date}'] as const

export const ownZone = ({ start, end }: PresentedPlace, { zone }: SitePlace): Html =>
  html`<p class="quiet" id="own-zone" data-start="${start}" data-end="${end}" data-zone="${zone.name}" data-words="${words.inYourZone(TIMES, ZONE)}" hidden></p>`

/** The same for everyone: the script asks who reads, if there may be a session, and shows the second to writers. */
export function scriptedParts(facts: EventPageFacts): Html {
  const { site, event, date } = facts
  const at: Record<string, string> = date && shownAt(facts).level !== 'masked' ? { at: nameOfDate(date) } : {}
  const edit = `${site.root}/event/edit?${new URLSearchParams({ id: event.id, ...at })}`
  return html`<template id="sharing"><p class="choices"><button type="button" class="share">${words.share}</button><button type="button" class="copy">${words.copyLink}</button><span role="status" data-done="${words.linkCopied}"></span></p></template>
<template id="writing" data-root="${site.root}" data-api="${site.base}" data-event="${event.id}"><div class="writing"><p class="quiet" data-changed="${words.changed(DATE)}" data-changed-by="${words.changedBy(NAME, DATE)}"></p>
<p class="choices"><a href="${edit}">${words.edit}</a></p></div></template>`
}
