// What a list of events is asked for and returns, and the limits of its work.
import { isDescending, type ListOrder } from '../../domain/calendar/list-order.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Zone } from '../../domain/time/zone.ts'
import type { EventFilters } from '../../storage/events/filters.ts'
import type { ShownOccurrence } from '../events/masked-reads.ts'

export interface PageRequest {
  page: number
  perPage: number
}

export interface ListRequest {
  /** Undefined lists every event once, as stored. */
  range: Range | undefined
  zone: Zone
  filters: EventFilters
  page: PageRequest | undefined
  /** False lists each event in the window once, instead of its occurrences. */
  expand: boolean
  /** Default `start`. By the last change: at full sight, where events are listed and not occurrences. */
  order?: ListOrder | undefined
}

export interface OccurrenceList {
  items: ShownOccurrence[]
  /** Set when the list is paged. */
  total: number | undefined
}

/** The limit of a list without paging. */
export const MAX_UNPAGED = 10_000

/** Work limits of a list: entries without paging, and occurrences expanded outside the index to count pages. */
export interface Reach {
  unpaged: number
  laidOut: number
  /** Search matches that are resolved before the window is read. */
  matches: number
  /** Exceptions that are read of all series together: in the window, or all where series are listed as stored. */
  exceptions: number
  /** Bytes of the entries, as their reader sees them. */
  bytes: number
  /** Whether only light lists are built. */
  isShort: boolean
}

export const isReversed = ({ order = 'start' }: Pick<ListRequest, 'order'>): boolean => isDescending(order)

/** Of entries that are sorted by start. */
export const inOrder = <T>(sorted: T[], request: Pick<ListRequest, 'order'>): T[] =>
  isReversed(request) ? sorted.reverse() : sorted
