// Addresses of preview pictures, which change with the picture: chats keep what they have.
import { createHash } from 'node:crypto'
import { cardOfEvent, cardOfSite, textOfCard } from '../previews/preview-card.ts'
import { type EventPageFacts, pathOf, type SitePlace } from './page-facts.ts'

/** Undefined for a private event, which has none. */
export function picturePathOf(facts: EventPageFacts): string | undefined {
  const card = cardOfEvent(facts)
  return card && `${pathOf(facts)}/preview.png?v=${shortHash(textOfCard(card))}`
}

export const sitePicturePath = (site: Pick<SitePlace, 'name' | 'origin' | 'root'>): string =>
  `${site.root}/preview.png?v=${shortHash(textOfCard(cardOfSite(site)))}`

const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 8)
