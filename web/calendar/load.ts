// Loads the events of the visible range page by page, up to a limit, with the total count.
import type { Meta } from '../api/contract.ts'
import type { CalendarItem } from './item.ts'

export interface Visible {
  /** Both dates are inclusive. */
  from: string
  to: string
  timezone: string
}

export interface LoadedItems {
  items: CalendarItem[]
  /** All matching events; more than `items.length` if the limit was reached. */
  total: number
  /** Of the first page; for the change stream. */
  syncToken: string | undefined
}

export type LoadItems = (visible: Visible, signal: AbortSignal) => Promise<LoadedItems>

export interface PageQuery extends Visible {
  page: number
  per_page: number
}

/** The API’s largest page, ten times: 2000 events, more than five a day for a year. A screen shows no more. */
const PER_PAGE = 200
const MAX_PAGES = 10

export type AskPage = (query: PageQuery, signal: AbortSignal) => Promise<{ data: unknown[]; meta?: Meta }>

/** The API answers a date range with occurrences, never with whole series. */
export const pagesOf =
  (ask: AskPage): LoadItems =>
  async (visible, signal) => {
    const items: CalendarItem[] = []
    let syncToken: string | undefined
    for (let page = 1; ; page++) {
      const { data, meta } = await ask({ ...visible, page, per_page: PER_PAGE }, signal)
      items.push(...(data as CalendarItem[]))
      if (page === 1) syncToken = meta?.sync_token
      const { total = items.length, total_pages = 1 } = meta?.pagination ?? {}
      if (page >= Math.min(total_pages, MAX_PAGES)) return { items, total, syncToken }
    }
  }
