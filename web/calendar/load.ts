// What is visible is loaded, page by page up to a limit, and whether there is more is known.
import type { Meta } from '../api/contract.ts'
import type { CalendarItem } from './item.ts'

export interface Visible {
  /** Both dates are part of it. */
  from: string
  to: string
  timezone: string
}

export interface LoadedItems {
  items: CalendarItem[]
  /** As many as there are; more than `items` where that would be too many to show. */
  total: number
}

export type LoadItems = (visible: Visible, signal: AbortSignal) => Promise<LoadedItems>

export interface PageQuery extends Visible {
  page: number
  per_page: number
}

/** The most the API gives at once, and so often: a year with six events on each day. A screen shows no more. */
const PER_PAGE = 200
const MAX_PAGES = 10

type AskPage = (query: PageQuery, signal: AbortSignal) => Promise<{ data: unknown[]; meta?: Meta }>

/** Windows come as occurrences, never as whole series. */
export const pagesOf =
  (ask: AskPage): LoadItems =>
  async (visible, signal) => {
    const items: CalendarItem[] = []
    for (let page = 1; ; page++) {
      const { data, meta } = await ask({ ...visible, page, per_page: PER_PAGE }, signal)
      items.push(...(data as CalendarItem[]))
      const { total = items.length, total_pages = 1 } = meta?.pagination ?? {}
      if (page >= Math.min(total_pages, MAX_PAGES)) return { items, total }
    }
  }
