// Content of `<daybook-calendar>`: the same grid as the calendar page, with public data.
import skeleton from 'fullcalendar/skeleton.css?inline'
import { type JSX, render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { CALENDAR_VIEWS, readCalendarLink } from '../../src/contract/calendar-link.ts'
import { type Day, dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { View } from '../../src/domain/time/window.ts'
import { showCategoryColors } from '../calendar/categories/category-colors.ts'
import { CategoryLegend, type KnownCategory } from '../calendar/categories/category-legend.tsx'
import { categoriesOf } from '../calendar/categories/category-list.ts'
import legendSheet from '../calendar/categories/legend.css?inline'
import { dayIn } from '../calendar/format-date.ts'
import gridSheet from '../calendar/grid.css?inline'
import { CalendarGrid } from '../calendar/grid.tsx'
import { isMasked, occurrenceOf } from '../calendar/item.ts'
import { pagesOf } from '../calendar/load.ts'
import printSheet from '../calendar/print/print.css?inline'
import { Toolbar } from '../calendar/toolbar.tsx'
import { embedded } from '../strings.ts'
import { formatPeriod } from '../words/formats.ts'
import barSheet from './calendar-bar.css?inline'
import { createStyleSheet } from './element.ts'
import { eventAddress, home, streamAddress } from './home.ts'

type Attribute = (name: string) => string | undefined

/** Renders into `place`; resolves to a function that removes it. */
export async function showCalendar(inside: ShadowRoot, place: HTMLElement, attribute: Attribute): Promise<() => void> {
  inside.adoptedStyleSheets.push(...[skeleton, gridSheet, legendSheet, printSheet, barSheet].map(createStyleSheet))
  const { timezone: ownZone, weekStart } = await readCalendar()
  const zone = attribute('timezone') ?? ownZone
  const today = dayIn(zone, Date.now())
  place.replaceChildren()
  render(
    <EmbeddedCalendar
      zone={zone}
      weekStart={weekStart}
      view={CALENDAR_VIEWS.find((view) => view === attribute('view')) ?? 'month'}
      day={readCalendarLink({ date: attribute('date') }, today)?.day ?? today}
      categories={categoriesOf(attribute)}
      inside={inside}
    />,
    place,
  )
  return () => render(null, place)
}

interface CalendarSettings {
  timezone: string
  weekStart: number
}

/** Reads the zone and the first day of the week from a request for the current week. */
async function readCalendar(): Promise<CalendarSettings> {
  const { meta } = await home().call('listPublicEvents', { query: { view: 'week', per_page: 1 } })
  const first = dayOf(Date.parse(meta!.range!.from.slice(0, 10)))
  // Day 0 was a Thursday.
  return { timezone: meta!.timezone!, weekStart: (first + 3) % 7 }
}

interface EmbeddedProps {
  zone: string
  weekStart: number
  view: View
  day: Day
  /** Only these can be shown; all where there are none. */
  categories: readonly string[]
  inside: ShadowRoot
}

function EmbeddedCalendar({ zone, weekStart, categories, inside, ...first }: EmbeddedProps): JSX.Element {
  const [shown, setShown] = useState({ view: first.view, day: first.day })
  const period = useRef<HTMLParagraphElement>(null)
  const { view, day } = shown
  const known = useCategories(inside, categories)
  const [chosen, setChosen] = useState<string[]>([])
  const sought = chosen.length > 0 ? chosen : categories
  const load = useMemo(
    () =>
      pagesOf((visible, signal) =>
        home().call('listPublicEvents', {
          query: { ...visible, ...(sought.length > 0 ? { category: [...sought] } : {}) },
          signal,
        }),
      ),
    [sought.join('\n')],
  )
  const at = (date: string): Day => dayOf(Date.parse(date))
  return (
    <section aria-label={embedded.calendar}>
      <p class="period" ref={period} tabIndex={-1}>
        {formatPeriod(view, day, weekStart)}
      </p>
      <Toolbar view={view} day={day} today={dayIn(zone, Date.now())} onGo={(to) => setShown({ ...shown, ...to })} />
      <CalendarGrid
        view={view}
        date={formatDate(day)}
        zone={zone}
        weekStart={weekStart}
        load={load}
        stream={streamAddress()}
        isFiltered={sought.length > 0}
        // Details open on the calendar’s own page; a masked private event has none.
        onItem={(item) =>
          isMasked(item) || window.open(eventAddress(item.id, occurrenceOf(item)), '_blank', 'noopener')
        }
        onOpen={(to, date) => {
          setShown({ view: to, day: at(date) })
          // The element that was pressed is gone in the new view.
          period.current?.focus({ preventScroll: true })
        }}
        onGo={(date) => setShown({ ...shown, day: at(date) })}
      />
      <CategoryLegend categories={known} chosen={chosen} onChoose={setChosen} />
      <p class="zone">{embedded.zone(zone)}</p>
    </section>
  )
}

/** Those that can be shown, with their colours. Without them the events are shown all the same. */
function useCategories(inside: ShadowRoot, only: readonly string[]): readonly KnownCategory[] {
  const [known, setKnown] = useState<readonly KnownCategory[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    home()
      .call('listCategories', { signal: leaving.signal })
      .then(({ data }) => {
        showCategoryColors(inside, data)
        setKnown(only.length > 0 ? data.filter(({ name }) => only.includes(name)) : data)
      })
      .catch(() => undefined)
    return () => leaving.abort()
  }, [])
  return known
}
