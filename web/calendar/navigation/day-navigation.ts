// Keyboard navigation of the month and year grids: one tab stop, arrow keys move by day.
import { addMonths } from '../../../src/contract/calendar-link.ts'
import { type Day, dayOf, weekdayOf } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import * as words from '../../strings.ts'
import { formatLongDay } from '../../words/formats.ts'

export interface DaysOptions {
  /** Monday is 0. */
  weekStart: number
  /** The day that is the tab stop at first. */
  date: string
  /** Number of events per day, if the grid does not show the events themselves. */
  counts: ReadonlyMap<string, number> | undefined
  canGo(day: Day): boolean
  onOpen(view: 'day' | 'month', date: string): void
  /** Called for a day outside the range on screen. */
  onGo(date: string): void
  /** Handles Enter; if undefined, Enter opens the day. */
  onEnter: ((date: string) => void) | undefined
}

export interface DayHeadings {
  /** Call after each change that FullCalendar makes to the markup. */
  sync(): void
  stop(): void
}

const LINK = '[role="gridcell"][data-date] .cal-link'

export function createDayNavigation(box: HTMLElement, options: () => DaysOptions): DayHeadings {
  let wanted: string | undefined
  const linkOf = (date: string): HTMLElement | null =>
    box.querySelector(`[role="gridcell"][data-date="${date}"]:not(.other) .cal-link`) ??
    box.querySelector(`[role="gridcell"][data-date="${date}"] .cal-link`)
  const focus = (date: string): boolean => {
    const link = linkOf(date)
    if (!link) return false
    for (const other of box.querySelectorAll<HTMLElement>(LINK)) other.tabIndex = other === link ? 0 : -1
    link.focus()
    return true
  }
  // FullCalendar would switch to the month itself, without a callback to the page.
  const openMonth = (event: Event): boolean => {
    const month = (event.target as Element).closest?.('.cal-month-head .cal-link')?.closest<HTMLElement>('[data-date]')
    if (!month) return false
    event.preventDefault()
    event.stopPropagation()
    options().onOpen('month', `${month.dataset.date}-01`)
    return true
  }
  const onKey = (event: KeyboardEvent): void => {
    if ((event.key === 'Enter' || event.key === ' ') && openMonth(event)) return
    const link = (event.target as Element).closest?.(LINK)
    const date = link?.closest<HTMLElement>('[data-date]')?.dataset.date
    if (!date || event.ctrlKey || event.metaKey || event.altKey) return
    const { weekStart, canGo, onGo, onEnter } = options()
    if (event.key === 'Enter' && onEnter) {
      event.preventDefault()
      event.stopPropagation()
      onEnter(date)
      return
    }
    const day = dayAfter(readingKey(event.key, box), dayOf(Date.parse(date)), weekStart)
    if (day === undefined) return
    event.preventDefault()
    if (!canGo(day)) return
    const next = formatDate(day)
    if (focus(next)) return
    wanted = next
    onGo(next)
  }
  box.addEventListener('click', openMonth, true)
  box.addEventListener('keydown', onKey, true)
  return {
    sync() {
      const { date, counts } = options()
      const links = [...box.querySelectorAll<HTMLElement>(LINK)]
      const { activeElement } = box.getRootNode() as Document | ShadowRoot
      const stop = links.find((link) => link === activeElement) ?? linkOf(date) ?? links[0]
      for (const link of links) {
        link.tabIndex = link === stop ? 0 : -1
        nameDay(link, counts)
      }
      if (wanted && focus(wanted)) wanted = undefined
    },
    stop() {
      box.removeEventListener('click', openMonth, true)
      box.removeEventListener('keydown', onKey, true)
    },
  }
}

function nameDay(link: HTMLElement, counts: ReadonlyMap<string, number> | undefined): void {
  const date = link.closest<HTMLElement>('[data-date]')!.dataset.date!
  const count = counts?.get(date) ?? 0
  const text = formatLongDay(dayOf(Date.parse(date)))
  const name = count > 0 ? `${text}, ${words.calendar.events(count)}` : text
  if (link.getAttribute('aria-label') !== name) link.setAttribute('aria-label', name)
  if (count > 0) link.dataset.points = '•'.repeat(Math.min(count, BUSY))
  else delete link.dataset.points
}

/** Most dots shown for a day; there is no room for more. */
const BUSY = 4

/** Where lines are read from right to left, the next day is on the left. */
function readingKey(key: string, box: HTMLElement): string {
  if (!['ArrowLeft', 'ArrowRight'].includes(key) || getComputedStyle(box).direction !== 'rtl') return key
  return key === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
}

function dayAfter(key: string, day: Day, weekStart: number): Day | undefined {
  const inWeek = (weekdayOf(day) - weekStart + 7) % 7
  switch (key) {
    case 'ArrowLeft':
      return day - 1
    case 'ArrowRight':
      return day + 1
    case 'ArrowUp':
      return day - 7
    case 'ArrowDown':
      return day + 7
    case 'Home':
      return day - inWeek
    case 'End':
      return day + 6 - inWeek
    case 'PageUp':
      return addMonths(day, -1)
    case 'PageDown':
      return addMonths(day, 1)
    default:
      return undefined
  }
}
