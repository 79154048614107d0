// Builds a list response: presents items, fills in meta, links pages.

import type { OccurrenceList, PageRequest } from '../../actions/lists/list-request.ts'
import type { ListQueryValues } from '../../contract/event-queries.ts'
import { formatInstant } from '../../domain/time/text.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { etagOfLongBytes } from '../../http/responses/conditional.ts'
import type { CachedResponse } from '../../http/responses/response-cache.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { pageLinks } from '../json-response.ts'
import { presentListed } from './present.ts'

export interface ListFrame {
  path: string
  /** The query without the page. */
  query: URLSearchParams
  view: string | undefined
  /** The setting, of a week. */
  weekStart?: string | undefined
  range: Range | undefined
  zone: Zone
  page: PageRequest | undefined
  /** Read before the list: the change feed repeats what changed meanwhile. */
  syncToken: string
  /** The fields that each entry has; undefined for all. */
  fields?: ReadonlySet<string> | undefined
}

/** A long list is serialised in steps: presenting ten thousand items at once would block other requests. */
export async function createListResponse(listing: OccurrenceList, frame: ListFrame): Promise<CachedResponse> {
  const { path, query, view, weekStart, range, zone, page, syncToken, fields } = frame
  const total = listing.total ?? 0
  const totalPages = page ? Math.ceil(total / page.perPage) : 0
  const meta = {
    ...(range ? { range: { from: formatInstant(range.from, zone), to: formatInstant(range.to, zone) } } : {}),
    timezone: zone.name,
    ...(view ? { view } : {}),
    ...(weekStart ? { week_start: weekStart } : {}),
    ...(page ? { pagination: { page: page.page, per_page: page.perPage, total, total_pages: totalPages } } : {}),
    sync_token: syncToken,
  }
  const headers: Record<string, string> = page
    ? { link: pageLinks(path, query, page.page, page.perPage, totalPages) }
    : {}
  const items = listing.items.map((item) => () => chosen(presentListed(item, zone), fields))
  return { ...(await joinInSteps(items, meta)), headers }
}

function* writeItems(items: readonly (() => object)[], meta: object): Generator<string> {
  yield '{"data":['
  for (const [i, present] of items.entries()) yield `${i > 0 ? ',' : ''}${JSON.stringify(present())}`
  yield `],"meta":${JSON.stringify(meta)}}`
}

const chosen = (entry: object, fields: ReadonlySet<string> | undefined): object =>
  fields ? Object.fromEntries(Object.entries(entry).filter(([name]) => fields.has(name))) : entry

const JOINED_AT_ONCE = 262_144

/** Presents, encodes and joins in parts, and yields to the event loop in between: a list may have megabytes. */
export async function joinInSteps(
  items: readonly (() => object)[],
  meta: object,
): Promise<Pick<CachedResponse, 'body' | 'etag'>> {
  const yieldIfDue = createYielder()
  const parts: Buffer[] = []
  let text = ''
  for (const some of writeItems(items, meta)) {
    text += some
    if (text.length >= JOINED_AT_ONCE) {
      parts.push(Buffer.from(text))
      text = ''
    }
    await yieldIfDue()
  }
  parts.push(Buffer.from(text))
  const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  return { body, etag: await etagOfLongBytes(body) }
}

const FILTERS = ['q', 'category', 'uid', 'status', 'visibility'] as const
const ASKED = ['from', 'to', 'view', 'timezone', ...FILTERS, 'expand', 'sort', 'fields'] as const

/** The parameters a list depends on, in a fixed order: the base of its links. */
export function linkQueryOf(query: ListQueryValues): URLSearchParams {
  const asked = new URLSearchParams()
  for (const name of ASKED) for (const value of [query[name] ?? []].flat()) asked.append(name, `${value}`)
  return asked
}
