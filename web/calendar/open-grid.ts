// Creates the FullCalendar instance, loads its events and forwards clicks and keys to the page.
import { Calendar, type CalendarOptions, type EventSourceFuncInfo } from 'fullcalendar'
import { isWithinBounds } from '../../src/contract/calendar-link.ts'
import { type Day, dayOf, HOUR_MS } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { View } from '../../src/domain/time/window.ts'
import { countItemsByDay, hoursFor } from './busy-times.ts'
import { fitMonth, monthHeight } from './fit-month.ts'
import { dayIn } from './format-date.ts'
import { changeView, hasPlugin, loadedPlugins, loadPlugin } from './fullcalendar/view-plugins.ts'
import { type GridEditing, itemOf, wholeDay } from './grid-span.ts'
import { type CalendarItem, toEventInput } from './item.ts'
import type { LoadedItems, LoadItems } from './load.ts'
import { watchMarkup } from './markup.ts'
import { createDayNavigation } from './navigation/day-navigation.ts'
import type { SlotNavigation } from './navigation/slot-navigation.ts'
import { BASE_OPTIONS, viewName } from './options.tsx'
import { showSaved } from './saved-mark.ts'

const HAS_SLOTS: readonly View[] = ['week', 'day']

export interface GridProps {
  view: View
  /** A day in the visible period: 2026-07-14. */
  date: string
  /** The number of days of a list, if it does not show a month. */
  listDays?: number | undefined
  zone: string
  /** Monday is 0. */
  weekStart: number
  /** Whether a month is made as high as the window allows. */
  fitsWindow?: boolean
  /** Passing a different function reloads the data. */
  load: LoadItems
  /** Whether `load` applies a filter. */
  isFiltered?: boolean
  onItem(item: CalendarItem): void
  onOpen(view: 'day' | 'month', date: string): void
  /** Offered if a filter finds nothing in the visible period. */
  onSearchAll?: () => void
  /** Keyboard navigation to a day outside the visible period. */
  onGo(date: string): void
  editing?: GridEditing | undefined
  /** Address of the change stream that the grid follows. */
  stream: string
  /** What is not needed before is loaded then, if it is not now. */
  whenUsable?: Promise<void>
}

export type LoadProgress =
  | { state: 'loading' }
  | { state: 'ready'; listing: LoadedItems }
  | { state: 'failed'; error: unknown }

/** FullCalendar counts from Sunday = 0. */
export const firstDayOf = (weekStart: number): number => (weekStart + 1) % 7

export interface OpenedGrid {
  calendar: Calendar
  /** What is being loaded is not shown. */
  stopLoading(): void
  close(): void
}

/** `current` is a ref to the latest props, read by the callbacks. The plugin of the view must be loaded. */
export function openGrid(
  box: HTMLElement,
  current: { current: GridProps },
  report: (progress: LoadProgress) => void,
): OpenedGrid {
  const { view, date, zone, weekStart, editing } = current.current
  const source = createSource(box, current, report, () => onItems())
  const openDay = (at: Date): void =>
    current.current.onOpen('day', formatDate(dayIn(current.current.zone, at.getTime())))
  const height = monthHeight(box, current.current)
  box.classList.toggle('cal-fitted', height.dayMaxEvents === true)
  const calendar: Calendar = new Calendar(box, {
    ...BASE_OPTIONS,
    ...height,
    plugins: [...loadedPlugins(), ...(editing ? [editing.plugin] : [])],
    initialView: viewName(view, box, current.current.listDays),
    initialDate: date,
    timeZone: zone,
    firstDay: firstDayOf(weekStart),
    // The usual hours, until the events are known; grid.css hides them until then.
    ...hoursFor([]),
    events: (asked: EventSourceFuncInfo) =>
      // FullCalendar asks for the first events before its constructor returns.
      source.read(asked, () => calendar),
    eventClick({ event, jsEvent }) {
      jsEvent.preventDefault()
      current.current.onItem(itemOf(event))
    },
    navLinkDayClick: openDay,
    moreLinkClick: ({ date: at }) => openDay(at),
    ...editing?.options,
  })
  const canGo = (day: Day): boolean => isWithinBounds(day, dayIn(current.current.zone, Date.now()))
  const days = createDayNavigation(box, () => ({
    ...current.current,
    counts: current.current.view === 'year' ? countItemsByDay(source.shown().items) : undefined,
    canGo,
    onEnter: editing && ((on) => void editing.onCreate(wholeDay(on))),
  }))
  let isClosed = false
  let stopPrinting = (): void => {}
  let stopFollowing = (): void => {}
  let isPreparing = false
  const preparePrinting = (): void => {
    if (isPreparing) return
    isPreparing = true
    whenIdle(current.current.whenUsable, async () => {
      const { watchPrinting } = await import('./print/programme.tsx')
      if (!isClosed) stopPrinting = watchPrinting(box, () => ({ ...current.current, ...source.shown() }))
    })
  }
  let slots: SlotNavigation | undefined
  let isAddingSlots = false
  const addSlots = (): void => {
    if (isAddingSlots || !HAS_SLOTS.includes(current.current.view)) return
    isAddingSlots = true
    whenIdle(current.current.whenUsable, async () => {
      const { createSlotNavigation } = await import('./navigation/slot-navigation.ts')
      if (isClosed) return
      slots = createSlotNavigation(box, () => ({
        ...current.current,
        items: source.shown().items,
        canGo,
        // As if the hour were marked with the mouse: FullCalendar knows the offset of the zone.
        onEnter: editing && ((on, time) => calendar.select(...hourFrom(on, time))),
      }))
      slots.sync()
    })
  }
  const onItems = (): void => {
    sync()
    preparePrinting()
  }
  const sync = (): void => {
    days.sync()
    addSlots()
    slots?.sync()
    showSaved(box)
  }
  whenIdle(current.current.whenUsable, async () => {
    const { followChanges } = await import('./live-changes.ts')
    if (isClosed) return
    stopFollowing = followChanges({
      address: current.current.stream,
      knownToken: source.syncToken,
      onChange: () => void source.refresh(calendar),
    })
  })
  const stopFixing = watchMarkup(box, sync)
  const onResize = (): void => {
    if (isClosed) return
    const name = viewName(current.current.view, box, current.current.listDays)
    if (!hasPlugin(name)) return void loadPlugin(name).then(onResize, () => {})
    if (calendar.view.type !== name) changeView(calendar, name)
    fitMonth(calendar, box, current.current)
  }
  addEventListener('resize', onResize)
  calendar.render()
  return {
    calendar,
    stopLoading: source.stop,
    close() {
      isClosed = true
      source.stop()
      stopFollowing()
      removeEventListener('resize', onResize)
      stopPrinting()
      stopFixing()
      days.stop()
      slots?.stop()
      calendar.destroy()
    },
  }
}

/**
 * For code that the first load does without. Printing cannot wait for code, so that is loaded before; without it the page
 * is printed as it is on screen.
 */
function whenIdle(start: Promise<void> | undefined, load: () => Promise<void>): void {
  const begin = (): void => void load().catch(() => {})
  void Promise.resolve(start).then(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(begin)
    else setTimeout(begin)
  })
}

/** Local times: the hour may end on the next day. */
function hourFrom(date: string, time: string): [string, string] {
  const start = `${date}T${time}:00`
  return [start, new Date(Date.parse(`${start}Z`) + HOUR_MS).toISOString().slice(0, 19)]
}

interface ItemSource {
  read(asked: EventSourceFuncInfo, calendar: () => Calendar): Promise<ReturnType<typeof toEventInput>[]>
  /** The days on screen, the last one included, and their events. */
  shown(): { from: string; to: string; items: readonly CalendarItem[] }
  syncToken(): string | undefined
  /** Shows what has changed, without a loading state; if loading fails, what is shown stays. */
  refresh(calendar: Calendar): Promise<void>
  stop(): void
}

/** The previous events stay until the new ones are loaded, and if loading fails. */
function createSource(
  box: HTMLElement,
  current: { current: GridProps },
  report: (progress: LoadProgress) => void,
  onItems: () => void,
): ItemSource {
  let asking = new AbortController()
  let items: CalendarItem[] = []
  let [from, to] = ['', '']
  let syncToken: string | undefined
  let isLoading = false
  /** Loaded by `refresh`; FullCalendar asks for it once more. */
  let prepared: LoadedItems | undefined
  return {
    shown: () => ({ from, to, items }),
    syncToken: () => syncToken,
    stop: () => asking.abort(),
    async refresh(calendar) {
      if (isLoading) return calendar.refetchEvents()
      const { signal } = asking
      const { load, zone } = current.current
      const listing = await load({ from, to, timezone: zone }, signal).catch(() => undefined)
      if (!listing || signal.aborted) return
      syncToken = listing.syncToken
      // Rendering events again takes the focus from one of them.
      if (JSON.stringify(listing.items) === JSON.stringify(items)) return
      prepared = listing
      refetchKeepingFocus(calendar, box)
    },
    async read({ startStr, endStr }, calendar) {
      asking.abort()
      asking = new AbortController()
      const { signal } = asking
      const { load, zone, view, editing } = current.current
      const ready = prepared
      prepared = undefined
      isLoading = ready === undefined
      if (!ready) report({ state: 'loading' })
      try {
        from = startStr.slice(0, 10)
        to = formatDate(dayOf(Date.parse(endStr.slice(0, 10))) - 1)
        const listing = ready ?? (await load({ from, to, timezone: zone }, signal))
        if (!signal.aborted) {
          items = listing.items
          syncToken = listing.syncToken
          isLoading = false
          showHours(calendar(), view, items)
          report({ state: 'ready', listing })
        }
      } catch (error) {
        if (!signal.aborted) {
          isLoading = false
          report({ state: 'failed', error })
        }
      }
      onItems()
      // The year view only marks the days that have events.
      return view === 'year' ? [] : items.map((item) => toEventInput(item, editing !== undefined))
    },
  }
}

/** Limits the week and day views to the hours in use, so that no event is hidden and little space is empty. */
function showHours(calendar: Calendar, view: View, items: readonly CalendarItem[]): void {
  if (view !== 'week' && view !== 'day') return
  const hours: CalendarOptions = hoursFor(items)
  for (const name of ['slotMinTime', 'slotMaxTime'] as const)
    if (calendar.getOption(name) !== hours[name]) calendar.setOption(name, hours[name])
}

/** Events are rendered anew: the one that had the focus is found again by what it says. */
function refetchKeepingFocus(calendar: Calendar, box: HTMLElement): void {
  const root = box.getRootNode() as Document | ShadowRoot
  const focused = root.activeElement
  const text = focused && box.contains(focused) ? focused.textContent : ''
  calendar.refetchEvents()
  if (!focused || !text) return
  const seek = (frames: number): number =>
    requestAnimationFrame(() => {
      if (focused.isConnected) return frames > 0 && seek(frames - 1)
      if (root.activeElement !== null && root.activeElement !== document.body) return
      const alike = [...box.querySelectorAll<HTMLElement>(focused.localName)]
      alike
        .findLast((element) => element.textContent === text && element.tabIndex === 0)
        ?.focus({ preventScroll: true })
    })
  seek(FRAMES_UNTIL_RENDERED)
}

const FRAMES_UNTIL_RENDERED = 60
