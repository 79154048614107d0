// A list as an answer: items presented, meta filled in, pages linked.
import { makeBreather } from '../actions/breathe.ts'
import type { Listing, Page } from '../actions/list-events.ts'
import type { ListQueryValues } from '../contract/event-queries.ts'
import { formatInstant } from '../domain/time/text.ts'
import type { Range } from '../domain/time/window.ts'
import type { Zone } from '../domain/time/zone.ts'
import type { Answer } from '../http/answer-cache.ts'
import { answerOfText, pageLinks } from './answer.ts'
import { presentListed } from './present.ts'

export interface ListFrame {
  path: string
  /** What was asked, without the page. */
  query: URLSearchParams
  view: string | undefined
  range: Range | undefined
  zone: Zone
  page: Page | undefined
}

/** A long list is written bit by bit: to present ten thousand at once would keep everyone else waiting. */
export async function listAnswer(listing: Listing, frame: ListFrame): Promise<Answer> {
  const { path, query, view, range, zone, page } = frame
  const total = listing.total ?? 0
  const totalPages = page ? Math.ceil(total / page.perPage) : 0
  const meta = {
    ...(range ? { range: { from: formatInstant(range.from, zone), to: formatInstant(range.to, zone) } } : {}),
    timezone: zone.name,
    ...(view ? { view } : {}),
    ...(page ? { pagination: { page: page.page, per_page: page.perPage, total, total_pages: totalPages } } : {}),
  }
  const items: string[] = []
  const breathe = makeBreather()
  for (const item of listing.items) {
    items.push(JSON.stringify(presentListed(item, zone)))
    await breathe()
  }
  const link = page ? { link: pageLinks(path, query, page.page, page.perPage, totalPages) } : undefined
  return answerOfText(`{"data":[${items.join()}],"meta":${JSON.stringify(meta)}}`, link)
}

const ASKED = ['from', 'to', 'view', 'timezone', 'q', 'category', 'expand'] as const

/** The parameters a list depends on, in one order: the base of its links. */
export function askedOf(query: ListQueryValues): URLSearchParams {
  const asked = new URLSearchParams()
  for (const name of ASKED) if (query[name] !== undefined) asked.set(name, `${query[name]}`)
  return asked
}
