// Parts of the event page that its script shows: hidden or in templates without it.
import type { SharedWords } from '../../words/words.ts'
import { type Html, html } from '../docs-page/html.ts'
import type { PresentedPlace } from '../events/present.ts'
import { nameOfDate, type SitePlace, shownAt, type WrittenFacts } from './page-facts.ts'

/** The script fills these in. */
const [TIMES, ZONE, NAME, DATE] = ['{times}', '{zone}', '{name}', '{date}'] as const

export const ownZone = ({ start, end }: PresentedPlace, { zone }: SitePlace, words: SharedWords['eventPage']): Html =>
  html`<p class="quiet" id="own-zone" data-start="${start}" data-end="${end}" data-zone="${zone.name}" data-words="${words.inYourZone(TIMES, ZONE)}" hidden></p>`

/**
 * Buttons beside the link to the calendar, and a line below. The same for everyone: the script asks who reads, if there
 * may be a session, and shows writers the editor and the last change.
 */
export function scriptedChoices(facts: WrittenFacts): Html {
  const { site, event, date } = facts
  const words = facts.words.eventPage
  const isMasked = shownAt(facts).level === 'masked'
  const at: Record<string, string> = date && !isMasked ? { at: nameOfDate(date) } : {}
  const edit = `${site.root}/event/edit?${new URLSearchParams({ id: event.id, ...at })}`
  return html`<template id="writing" data-root="${site.root}" data-api="${site.base}" data-event="${event.id}"><a href="${edit}">${words.edit}</a></template>
<template id="sharing"><button type="button">${words.share}</button><button type="button">${words.copyLink}</button><span role="status" data-done="${words.linkCopied}"></span></template>`
}

export const lastChange = (words: SharedWords['eventPage']): Html =>
  html`<p class="quiet" id="changed" data-words="${words.changed(DATE)}" data-words-by="${words.changedBy(NAME, DATE)}" hidden></p>`
