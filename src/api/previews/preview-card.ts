// What a preview picture shows, as text: an event or one of its dates, or the calendar itself.
import { cutText, stripXmlRefused } from '../../domain/plain-text.ts'
import { normalizeText } from '../../domain/unicode.ts'
import { wordsFor } from '../../words/words.ts'
import { type EventPageFacts, isCancelled, type SitePlace, shownAt, whenOf } from '../event-page/page-facts.ts'

export interface PreviewCard {
  /** In small letters above the title; empty where the title is the name of the calendar. */
  site: string
  title: string
  /** The time and the place, or the address of the calendar. */
  lines: string[]
  /** Such as "Cancelled"; empty for none. */
  mark: string
}

/** Raised when the drawing changes: pictures that clients keep are then drawn again. */
const DRAWING = 1

/** More than any picture has room for. */
const MAX_LENGTH = 400

/** Undefined for a private event: there is nothing to draw besides its time. */
export function cardOfEvent(facts: EventPageFacts): PreviewCard | undefined {
  const shown = shownAt(facts)
  if (shown.level === 'masked') return undefined
  const { title, location } = shown.details
  const words = wordsFor(facts.site.language)
  return {
    site: prepare(facts.site.name),
    title: prepare(title),
    lines: [whenOf(shown, facts.site, words), location ?? ''].map(prepare).filter(Boolean),
    mark: isCancelled(shown) ? words.eventPage.cancelledMark : '',
  }
}

export const cardOfSite = ({ name, origin, root }: Pick<SitePlace, 'name' | 'origin' | 'root'>): PreviewCard => ({
  site: '',
  title: prepare(name),
  lines: [prepare(`${new URL(origin).host}${root}`)],
  mark: '',
})

/** Names the picture: another text is another picture. */
export const textOfCard = (card: PreviewCard): string => JSON.stringify([DRAWING, card])

/** Cut first: what is stored may be a thousand times as long, and each view of a page names its picture. */
const prepare = (text: string): string => {
  const beginning = normalizeText(cutText(text, 4 * MAX_LENGTH), 'NFC')
  return cutText(stripXmlRefused(beginning).replace(/\s+/gu, ' ').trim(), MAX_LENGTH)
}
