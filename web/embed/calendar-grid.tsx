// Content of `<daybook-calendar>`: the same grid as the calendar page, with public data.
import skeleton from 'fullcalendar/skeleton.css?inline'
import { type JSX, render } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { CALENDAR_VIEWS, readCalendarLink } from '../../src/contract/calendar-link.ts'
import { type Day, dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import { weekStartOf } from '../../src/domain/time/week-start.ts'
import { WEEKDAY_NAMES } from '../../src/domain/time/weekdays.ts'
import type { View } from '../../src/domain/time/window.ts'
import { showCategoryColors } from '../calendar/category-colors.ts'
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
import { languageFor } from './words.ts'

type Attribute = (name: string) => string | undefined

/** Renders into `place`; resolves to a function that removes it. */
export async function showCalendar(inside: ShadowRoot, place: HTMLElement, attribute: Attribute): Promise<() => void> {
  inside.adoptedStyleSheets.push(...[skeleton, gridSheet, printSheet, barSheet].map(createStyleSheet))
  const { timezone: ownZone, weekStart } = await readCalendar(inside.host as HTMLElement)
  const zone = attribute('timezone') ?? ownZone
  const today = dayIn(zone, Date.now())
  place.replaceChildren()
  render(
    <EmbeddedCalendar
      zone={zone}
      weekStart={weekStart}
      view={CALENDAR_VIEWS.find((view) => view === attribute('view')) ?? 'month'}
      day={readCalendarLink({ date: attribute('date') }, today)?.day ?? today}
      category={attribute('category')}
    />,
    place,
  )
  // Without colours the events are shown all the same.
  home()
    .call('listCategories')
    .then(({ data }) => showCategoryColors(inside, data))
    .catch(() => undefined)
  return () => render(null, place)
}

interface CalendarSettings {
  timezone: string
  weekStart: number
}

/** Reads the zone and the first day of the week from a request for the current week. */
async function readCalendar(element: HTMLElement): Promise<CalendarSettings> {
  const { meta } = await home().call('listPublicEvents', { query: { view: 'week', per_page: 1 } })
  const weekStart = (WEEKDAY_NAMES as readonly (string | undefined)[]).indexOf(meta!.week_start)
  return { timezone: meta!.timezone!, weekStart: weekStart < 0 ? weekStartOf(languageFor(element)) : weekStart }
}

interface EmbeddedProps {
  zone: string
  weekStart: number
  view: View
  day: Day
  category: string | undefined
}

function EmbeddedCalendar({ zone, weekStart, category, ...first }: EmbeddedProps): JSX.Element {
  const [shown, setShown] = useState({ view: first.view, day: first.day })
  const period = useRef<HTMLParagraphElement>(null)
  const { view, day } = shown
  const load = useMemo(
    () =>
      pagesOf((visible, signal) =>
        home().call('listPublicEvents', { query: { ...visible, ...(category ? { category } : {}) }, signal }),
      ),
    [category],
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
        isFiltered={category !== undefined}
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
      <p class="zone">{embedded.zone(zone)}</p>
    </section>
  )
}
