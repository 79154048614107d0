// The calendar grid: a FullCalendar component with loading, error and empty states.
// The caller must load grid.css, into the page or into its shadow root.
import type { Calendar } from 'fullcalendar'
import type { JSX } from 'preact'
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import * as words from '../strings.ts'
import { explain } from '../ui/explain.ts'
import { useOnline } from '../ui/use-online.ts'
import { fitMonth } from './fit-month.ts'
import { changeView, hasPlugin, loadPlugin } from './fullcalendar/view-plugins.ts'
import { firstDayOf, type GridProps, type LoadProgress, type OpenedGrid, openGrid } from './open-grid.ts'
import { viewName } from './options.tsx'

export function CalendarGrid(props: GridProps): JSX.Element {
  const { view, date, listDays, zone, weekStart, load, isFiltered = false, editing } = props
  const box = useRef<HTMLDivElement>(null)
  const opened = useRef<OpenedGrid>()
  const current = useRef(props)
  current.current = props
  const [progress, setProgress] = useState<LoadProgress>({ state: 'loading' })
  const isFirstLoad = useRef(true)
  if (progress.state !== 'loading') isFirstLoad.current = false
  const [attempt, setAttempt] = useState(0)
  /** Calls `show` when the code of the view that is wanted by then is loaded. */
  const whenLoaded = useCallback((show: () => void): void => {
    const place = box.current
    if (!place) return
    const wanted = nameOfWanted(current.current, place)
    if (hasPlugin(wanted)) {
      afterRender(show)
      return
    }
    opened.current?.stopLoading()
    setProgress({ state: 'loading' })
    loadPlugin(wanted).then(
      () => whenLoaded(show),
      (error) => nameOfWanted(current.current, place) === wanted && setProgress({ state: 'failed', error }),
    )
  }, [])
  useLayoutEffect(() => {
    const place = box.current!
    let made: OpenedGrid | undefined
    let isClosed = false
    whenLoaded(() => {
      if (isClosed) return
      made = openGrid(place, current, setProgress)
      opened.current = made
    })
    return () => {
      isClosed = true
      afterRender(() => {
        if (opened.current === made) opened.current = undefined
        made?.close()
      })
    }
  }, [editing, attempt])
  const isFirst = useRef(true)
  // A layout effect, so that data of the previous view is never reported as ready for the new one.
  useLayoutEffect(() => {
    if (isFirst.current) isFirst.current = false
    else whenLoaded(() => opened.current && showWanted(opened.current.calendar, current.current, box.current!))
  }, [view, date, listDays, zone, weekStart, load])
  const again = useCallback(() => {
    const shown = opened.current?.calendar
    if (shown?.view.type === nameOfWanted(current.current, box.current!)) shown.refetchEvents()
    else setAttempt((before) => before + 1)
  }, [])
  useOnline(progress.state === 'failed', again)
  return (
    <div class={`cal-frame ${progress.state}${isFirstLoad.current ? ' first-load' : ''}`}>
      <Status {...{ progress, isFiltered }} onAgain={again} onSearchAll={props.onSearchAll} />
      <div ref={box} aria-busy={progress.state === 'loading'} />
      {(view === 'month' || view === 'year') && (
        <p class="cal-unseen">{editing ? words.calendar.daysForWriters : words.calendar.days}</p>
      )}
    </div>
  )
}

/**
 * FullCalendar renders synchronously when it is called, and flushes our pending Preact renders with its own. An effect
 * may run during a render, which cannot be re-entered; so FullCalendar is called in a microtask after it.
 */
const afterRender = queueMicrotask

const nameOfWanted = ({ view, listDays }: GridProps, box: HTMLElement): string => viewName(view, box, listDays)

function showWanted(shown: Calendar, props: GridProps, box: HTMLElement): void {
  const { date, zone, weekStart } = props
  if (shown.getOption('timeZone') !== zone) shown.setOption('timeZone', zone)
  if (shown.getOption('firstDay') !== firstDayOf(weekStart)) shown.setOption('firstDay', firstDayOf(weekStart))
  changeView(shown, nameOfWanted(props, box), date)
  fitMonth(shown, box, props)
}

interface StatusProps {
  progress: LoadProgress
  isFiltered: boolean
  onAgain(): void
  onSearchAll: (() => void) | undefined
}

function Status({ progress, isFiltered, onAgain, onSearchAll }: StatusProps): JSX.Element {
  if (progress.state === 'failed')
    return (
      <div class="notice bad" role="alert">
        <p>{explain(progress.error)}</p>
        <button type="button" onClick={onAgain}>
          {words.frame.tryAgain}
        </button>
      </div>
    )
  const listing = progress.state === 'ready' ? progress.listing : undefined
  const isTruncated = listing && listing.total > listing.items.length
  const isEmpty = listing?.items.length === 0
  return (
    <p class={isTruncated ? 'cal-status cut' : 'cal-status'} role="status">
      {!listing && words.common.loading}
      {isEmpty && (isFiltered ? words.calendar.nothingFound : words.calendar.nothing)}
      {isEmpty && isFiltered && onSearchAll && (
        <button type="button" class="plain" onClick={onSearchAll}>
          {words.calendar.searchAll}
        </button>
      )}
      {isTruncated && words.calendar.cut(listing.items.length, listing.total)}
    </p>
  )
}
