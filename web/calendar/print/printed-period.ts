// What is on screen when the page is printed: the period and its events.
import type { View } from '../../../src/domain/time/window.ts'
import type { CalendarItem } from '../item.ts'

export interface PrintedPeriod {
  view: View
  date: string
  zone: string
  /** Monday is 0. */
  weekStart: number
  /** Both dates are inclusive. */
  from: string
  to: string
  items: readonly CalendarItem[]
}
