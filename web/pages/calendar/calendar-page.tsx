// The calendar page: public events for everyone, all events for users who may read them.
import type { JSX } from 'preact'
import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import 'fullcalendar/skeleton.css'
import { daysOfWhatsOn, isWithinBounds, stepFrom } from '../../../src/contract/calendar-link.ts'
import { type Day, dayOf } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import type { View } from '../../../src/domain/time/window.ts'
import { calendarChanges, rememberCalendar } from '../../app/last-calendar-view.ts'
import { goBack, Link, navigate, useRoute } from '../../app/router.tsx'
import { call, canRead, canWrite, session } from '../../app/session.ts'
import { site } from '../../site.ts'
import { useStore } from '../../ui/store.ts'
import '../../calendar/grid.css'
import '../../calendar/print/print.css'
import { lazily } from '../../app/lazily.tsx'
import { CategoryLegend } from '../../calendar/categories/category-legend.tsx'
import { dayIn } from '../../calendar/format-date.ts'
import { CalendarGrid } from '../../calendar/grid.tsx'
import { type CalendarItem, isFull } from '../../calendar/item.ts'
import { type PageQuery, pagesOf } from '../../calendar/load.ts'
import type { PrintDialogProps } from '../../calendar/print/print-dialog.tsx'
import { Toolbar } from '../../calendar/toolbar.tsx'
import * as words from '../../strings.ts'
import { Notice } from '../../ui/notice.tsx'
import { focusHeading, Page } from '../../ui/page.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { undoLast } from '../../ui/toasts.tsx'
import { useUndoKey } from '../../ui/undo-key.ts'
import { formatPeriod, formatWhatsOn } from '../../words/formats.ts'
import '../../calendar/categories/legend.css'
import './calendar.css'
import './served.css'
import type { EventDialogProps } from './event-dialog.tsx'
import { Filters } from './filters.tsx'
import { useKnownCategories } from './known-categories.ts'
import { addressOf, linkTargetOf, readShown, type ShownCalendar } from './link.ts'
import { isOwnZone, ownZone } from './own-zone.ts'
import type { SearchResultsProps } from './search-results.tsx'
import { useShortcuts } from './shortcuts.ts'
import type { ShortcutsSheetProps } from './shortcuts-sheet.tsx'
import type { SubscribeDialogProps } from './subscribe-dialog.tsx'
import { useEditing } from './use-editing.ts'
import { WhatsOnLinks } from './whats-on.tsx'
import { ZoneChoice } from './zone-choice.tsx'

const EventDialog = lazily<EventDialogProps>(() => import('./event-dialog.tsx').then((module) => module.EventDialog))

const SubscribeDialog = lazily<SubscribeDialogProps>(() =>
  import('./subscribe-dialog.tsx').then((module) => module.SubscribeDialog),
)

const ShortcutsSheet = lazily<ShortcutsSheetProps>(() =>
  import('./shortcuts-sheet.tsx').then((module) => module.ShortcutsSheet),
)

const PrintDialog = lazily<PrintDialogProps>(() =>
  import('../../calendar/print/print-dialog.tsx').then((module) => module.PrintDialog),
)

const SearchResults = lazily<SearchResultsProps>(
  () => import('./search-results.tsx').then((module) => module.SearchResults),
  <Spinner />,
)

/** On narrower screens seven columns are hard to read, so the list is the default view. */
const NARROW = '(max-width: 40rem)'

export default function CalendarPage(): JSX.Element {
  const { query } = useRoute()
  const known = useStore(session)
  const zone = useStore(isOwnZone) ? ownZone : site.timezone
  const today = dayIn(zone, Date.now())
  const shown = readShown(query, today)
  const usualView = useMemo(() => (matchMedia(NARROW).matches ? 'list' : 'month'), [])
  const { when } = shown
  const listed = when && daysOfWhatsOn(when, today)
  const view = listed ? 'list' : (shown.view ?? usualView)
  const day = listed ? listed[0] : (shown.day ?? today)
  const opened = useRef<CalendarItem>()
  const [isSubscribing, setSubscribing] = useState(false)
  const address = addressOf({ ...shown, event: '', at: '' })
  rememberCalendar({ view, day, address })
  const changes = useStore(calendarChanges)
  const isReader = canRead(known)
  // The key remounts the grid and the dialog, so that private events disappear even if the public ones fail to load.
  const audience = isReader ? 'readers' : 'anyone'
  const seen = opened.current && (isReader || !isFull(opened.current)) ? opened.current : undefined
  const { isSettled, editing, Questions } = useEditing(known)
  useUndoKey(undoAsWriter)
  const go = (to: Partial<ShownCalendar>, isReplacing = false): Promise<boolean> =>
    navigate(addressOf({ ...shown, ...to }), { isReplacing })
  const categories = useKnownCategories(isReader, changes)
  const isSearching = shown.q !== '' || shown.found !== undefined
  /** A view or a day replaces a search and a quick choice. */
  const show = (to: Partial<ShownCalendar>) => go({ when: undefined, q: '', found: undefined, ...to })
  const [isFiltering, setFiltering] = useState(shown.q !== '' || shown.categories.length > 0)
  const [isPrinting, setPrinting] = useState(false)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const step = (by: 1 | -1) => () => {
    const to = stepFrom(view, day, by)
    if (isWithinBounds(to, today)) void show({ ...(listed && { view }), day: to })
  }
  useShortcuts({
    today: () => void show({ ...(listed && { view }), day: today }),
    new: canWrite(known) ? () => void navigate(newEventOn(day)) : undefined,
    search: () => focusSearch(setFiltering),
    previous: isSearching ? undefined : step(-1),
    next: isSearching ? undefined : step(1),
    sheet: () => setSheetOpen(true),
  })
  const ask = useCallback(
    (visible: PageQuery, signal: AbortSignal) => {
      const query = { ...visible, q: shown.q, category: [...shown.categories] }
      return call(isReader ? 'listEvents' : 'listPublicEvents', { query, signal })
    },
    [isReader, shown.q, shown.categories.join('\n'), changes],
  )
  const load = useMemo(() => pagesOf(ask), [ask])
  return (
    <Page
      title={titleOf(shown, view, day, today)}
      width="wide"
      beside={
        <div class="cal-ways">
          <button
            type="button"
            class="cal-find"
            aria-expanded={isFiltering}
            aria-controls="cal-filters"
            onClick={() => setFiltering(!isFiltering)}
          >
            <Magnifier />
            <span class="spoken">{words.calendar.searchAndFilter}</span>
          </button>
          <button type="button" onClick={() => setSubscribing(true)}>
            {words.calendar.subscribe}
          </button>
          {canWrite(known) && (
            <Link class="button main" to={newEventOn(day)}>
              {words.calendar.newEvent}
            </Link>
          )}
        </div>
      }
    >
      {shown.isOdd && <Notice kind="plain">{words.calendar.outside}</Notice>}
      <Toolbar
        {...{ view, day, today, isSearching }}
        isListed={!!listed}
        onGo={(to) => show({ ...(listed && { view }), ...to })}
      >
        <div id="cal-filters" class={isFiltering ? 'cal-filter-box open' : 'cal-filter-box'}>
          <Filters
            q={shown.q}
            categories={shown.categories}
            known={categories}
            found={shown.found}
            onFilter={(to) => go(searchAnew(to, shown), 'q' in to && isSearching)}
          />
        </div>
      </Toolbar>
      <div class="cal-tools">
        <WhatsOnLinks
          chosen={isSearching ? undefined : when}
          addressOf={(choice) => addressOf({ ...CLEARED, categories: shown.categories, when: choice })}
        />
        <button type="button" class="plain cal-print" onClick={() => setPrinting(true)}>
          {words.calendar.print.open}
        </button>
        <button type="button" class="plain cal-keys" onClick={() => setSheetOpen(true)}>
          {words.calendar.shortcuts.title}
        </button>
        <ZoneChoice />
      </div>
      {isSearching && isSettled && (
        <SearchResults
          key={audience}
          q={shown.q}
          direction={shown.found ?? 'ahead'}
          {...{ today, zone, ask }}
          addressOf={(item) => addressOf({ ...shown, ...linkTargetOf(item) })}
          onTurn={(found) => go({ found })}
        />
      )}
      {!isSearching && isSettled && (
        <CalendarGrid
          key={audience}
          view={view}
          date={formatDate(day)}
          listDays={listed && listed[1] - listed[0]}
          zone={zone}
          weekStart={site.week_start}
          fitsWindow
          load={load}
          stream={`${site.api}/${isReader ? 'events' : 'public'}/stream`}
          isFiltered={shown.categories.length > 0}
          onItem={(item) => {
            opened.current = item
            go(linkTargetOf(item))
          }}
          onOpen={(to, date) => void show({ view: to, day: dayOf(Date.parse(date)) }).then(focusHeading)}
          onGo={(date) => show({ day: dayOf(Date.parse(date)) })}
          onSearchAll={() => go({ found: 'ahead' })}
          editing={editing}
        />
      )}
      {!isSettled && <Spinner />}
      {isSettled && (
        <CategoryLegend
          categories={categories}
          chosen={shown.categories}
          onChoose={(names) => go(searchAnew({ categories: names }, shown))}
        />
      )}
      {Questions.map((Question) => (
        <Question key={Question} />
      ))}
      {isPrinting && <PrintDialog onClose={() => setPrinting(false)} />}
      {isSheetOpen && <ShortcutsSheet canWrite={canWrite(known)} onClose={() => setSheetOpen(false)} />}
      {isSubscribing && <SubscribeDialog categories={shown.categories} onClose={() => setSubscribing(false)} />}
      {shown.event && (
        <EventDialog
          key={`${audience} ${shown.event} ${shown.at}`}
          event={shown.event}
          at={shown.at}
          zone={zone}
          isReader={isReader}
          canWrite={canWrite(known)}
          known={seen?.id === shown.event && linkTargetOf(seen).at === shown.at ? seen : undefined}
          onPrint={() => setPrinting(true)}
          onClose={() => goBack(address)}
        />
      )}
    </Page>
  )
}

const newEventOn = (day: Day): string => `/event/new?start=${formatDate(day)}`

/** On a phone the field is behind a button. */
function focusSearch(setFiltering: (isOpen: boolean) => void): void {
  setFiltering(true)
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.cal-filters input[type="search"]')?.focus())
}

/** No view, day, filter or event. */
const CLEARED: ShownCalendar = {
  view: undefined,
  day: undefined,
  when: undefined,
  categories: [],
  q: '',
  found: undefined,
  event: '',
  at: '',
}

function titleOf({ q, categories, found, when }: ShownCalendar, view: View, day: Day, today: Day): string {
  if (q !== '' || found) return words.calendar.searchFor(q || categories.join(', '))
  return when ? formatWhatsOn(when, today) : formatPeriod(view, day, site.week_start)
}

const Magnifier = (): JSX.Element => (
  <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
    <path
      d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Zm3.4 7.9 3.6 3.6"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
    />
  </svg>
)

const undoAsWriter = (): boolean => session.get().state === 'signed_in' && canWrite(session.get()) && undoLast()

/** Without a text, other categories are another search, from today on. Without both there is none. */
function searchAnew(to: Partial<ShownCalendar>, { q, found }: ShownCalendar): Partial<ShownCalendar> {
  if (to.q !== undefined) return to.q === '' ? { ...to, found: undefined } : to
  return q === '' && found ? { ...to, found: to.categories?.length ? 'ahead' : undefined } : to
}
