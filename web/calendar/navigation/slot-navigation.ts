// Keyboard navigation of the hours in the week and day views: a named cell for each half hour, one tab stop.
import { DAY_MS, type Day, dayOf } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import * as words from '../../strings.ts'
import { dateFormat, formatClock } from '../../words/formats.ts'
import type { CalendarItem } from '../item.ts'
import { titleOf } from '../item-words.ts'

export interface SlotsOptions {
  /** The day of the tab stop at first. */
  date: string
  items: readonly CalendarItem[]
  canGo(day: Day): boolean
  /** Called for a day outside the range on screen. */
  onGo(date: string): void
  /** Enter on a slot, such as 2026-07-14 and 10:00; undefined for readers, for whom it opens the day. */
  onEnter: ((date: string, time: string) => void) | undefined
  onOpen(view: 'day', date: string): void
}

export interface SlotNavigation {
  /** Call after each change that FullCalendar makes to the markup. */
  sync(): void
  stop(): void
}

/** Where the tab stop is at first, if the view has this hour. */
const FIRST_TIME = '09:00'

/**
 * FullCalendar has one element for the hours of all days, hidden from screen readers. The cells lie over it, do not
 * take part in clicks and are seen only while they have the focus.
 */
export function createSlotNavigation(box: HTMLElement, options: () => SlotsOptions): SlotNavigation {
  const grid = document.createElement('div')
  grid.className = 'cal-slots'
  grid.setAttribute('role', 'grid')
  let [dates, times]: [string[], string[]] = [[], []]
  let built = ''
  let named: readonly CalendarItem[] | undefined
  let wanted: { date: string; time: string } | undefined

  const cellOf = (date: string, time: string): HTMLElement | undefined =>
    grid.children[times.indexOf(time)]?.children[dates.indexOf(date)] as HTMLElement | undefined
  const setStop = (cell: Element | undefined): void => {
    for (const other of grid.querySelectorAll<HTMLElement>('[tabindex="0"]')) other.tabIndex = -1
    if (cell) (cell as HTMLElement).tabIndex = 0
  }
  const focus = (date: string, time: string): boolean => {
    const cell = cellOf(date, time) ?? (dates.includes(date) ? cellOf(date, times[0]!) : undefined)
    if (!cell) return false
    setStop(cell)
    cell.focus()
    return true
  }
  const build = (): void => {
    const last = grid.querySelector<HTMLElement>('[tabindex="0"]')?.dataset
    const hadFocus = grid.contains((box.getRootNode() as Document | ShadowRoot).activeElement)
    grid.replaceChildren(...times.map((time) => rowOf(time, dates)))
    const { date, onEnter } = options()
    grid.setAttribute('aria-label', onEnter ? words.calendar.slotsForWriters : words.calendar.slots)
    grid.style.gridTemplateColumns = `repeat(${dates.length}, 1fr)`
    const time = last?.time ?? FIRST_TIME
    const stop =
      cellOf((hadFocus && last?.date) || date, time) ?? cellOf(dates[0]!, time) ?? cellOf(dates[0]!, times[0]!)
    setStop(stop)
    if (hadFocus) stop?.focus()
  }
  const place = (): void => {
    const area = areaOf(box)
    if (!area) return
    const { left, top } = box.parentElement!.getBoundingClientRect()
    Object.assign(grid.style, {
      left: `${area.left - left}px`,
      top: `${area.top - top}px`,
      width: `${area.width}px`,
      height: `${area.height}px`,
    })
  }
  const onKey = (event: KeyboardEvent): void => {
    const { date, time } = (event.target as HTMLElement).dataset
    if (!date || !time || event.ctrlKey || event.metaKey || event.altKey) return
    const { canGo, onGo, onEnter, onOpen } = options()
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (onEnter) onEnter(date, time)
      else if (dates.length > 1) onOpen('day', date)
      return
    }
    const to = slotAfter(event.key, dayOf(Date.parse(date)), times.indexOf(time), times.length, grid)
    if (!to) return
    event.preventDefault()
    const next = { date: formatDate(to.day), time: times[Math.max(0, Math.min(to.slot, times.length - 1))]! }
    if (!canGo(to.day) || focus(next.date, next.time)) return
    wanted = next
    onGo(next.date)
  }
  const observer = new ResizeObserver(place)
  observer.observe(box)
  grid.addEventListener('keydown', onKey)
  return {
    sync() {
      const { items } = options()
      dates = [...box.querySelectorAll<HTMLElement>('.cal-lane[data-date]')].map((lane) => lane.dataset.date!)
      times = [...box.querySelectorAll<HTMLElement>('.cal-slot[data-time]')].map((slot) =>
        slot.dataset.time!.slice(0, 5),
      )
      const key = `${dates} ${times}`
      if (dates.length === 0 || times.length === 0) {
        built = ''
        return grid.remove()
      }
      if (!grid.isConnected) box.before(grid)
      if (key !== built) build()
      if (key !== built || items !== named) nameCells(grid, items)
      built = key
      named = items
      place()
      if (wanted && focus(wanted.date, wanted.time)) wanted = undefined
    },
    stop() {
      observer.disconnect()
      grid.remove()
    },
  }
}

function rowOf(time: string, dates: readonly string[]): HTMLElement {
  const row = document.createElement('div')
  row.setAttribute('role', 'row')
  row.append(
    ...dates.map((date) => {
      const cell = document.createElement('div')
      cell.setAttribute('role', 'gridcell')
      Object.assign(cell.dataset, { date, time })
      cell.tabIndex = -1
      return cell
    }),
  )
  return row
}

const SLOT_MS = 30 * 60_000

/** Such as "Tuesday 14 July, 10:00, Choir practice". Times of the API are in the zone on screen. */
function nameCells(grid: HTMLElement, items: readonly CalendarItem[]): void {
  const timed = items
    .filter((item) => !item.all_day)
    .map((item) => ({ title: titleOf(item), start: item.start.slice(0, 16), end: item.end.slice(0, 16) }))
  for (const cell of grid.querySelectorAll<HTMLElement>('[role="gridcell"]')) {
    const { date, time } = cell.dataset
    const from = `${date}T${time}`
    const to = new Date(Date.parse(`${from}Z`) + SLOT_MS).toISOString().slice(0, 16)
    const titles = timed
      .filter(({ start, end }) => start < to && (end > from || start === from))
      .map(({ title }) => title)
    cell.setAttribute('aria-label', [formatDayMonth(date!), formatClock(time!), ...titles].join(', '))
  }
}

const formatDayMonth = (date: string): string =>
  dateFormat('UTC', { weekday: 'long', day: 'numeric', month: 'long' }).format(dayOf(Date.parse(date)) * DAY_MS)

/** The rectangle that all days and hours cover, in the window. */
function areaOf(box: HTMLElement): DOMRect | undefined {
  const lanes = [...box.querySelectorAll('.cal-lane')].map((lane) => lane.getBoundingClientRect())
  const slots = [...box.querySelectorAll('.cal-slot')].map((slot) => slot.getBoundingClientRect())
  if (lanes.length === 0 || slots.length === 0) return undefined
  const [left, right] = [Math.min(...lanes.map((lane) => lane.left)), Math.max(...lanes.map((lane) => lane.right))]
  const [top, bottom] = [Math.min(...slots.map((slot) => slot.top)), Math.max(...slots.map((slot) => slot.bottom))]
  return new DOMRect(left, top, right - left, bottom - top)
}

interface Slot {
  day: Day
  slot: number
}

function slotAfter(key: string, day: Day, slot: number, count: number, grid: HTMLElement): Slot | undefined {
  const ahead = getComputedStyle(grid).direction === 'rtl' ? -1 : 1
  switch (key) {
    case 'ArrowLeft':
      return { day: day - ahead, slot }
    case 'ArrowRight':
      return { day: day + ahead, slot }
    case 'ArrowUp':
      return { day, slot: slot - 1 }
    case 'ArrowDown':
      return { day, slot: slot + 1 }
    case 'Home':
      return { day, slot: 0 }
    case 'End':
      return { day, slot: count - 1 }
    case 'PageUp':
      return { day: day - 7, slot }
    case 'PageDown':
      return { day: day + 7, slot }
    default:
      return undefined
  }
}
