// The calendar page: public events for everyone, all events for users who may read them.
import type { ComponentType, JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import 'fullcalendar/skeleton.css'
import { dayOf } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import { calendarChanges, rememberCalendar } from '../../app/last-calendar-view.ts'
import { goBack, Link, navigate, useRoute } from '../../app/router.tsx'
import { call, canRead, canWrite, type SessionState, session } from '../../app/session.ts'
import { site } from '../../site.ts'
import { useStore } from '../../ui/store.ts'
import '../../calendar/grid.css'
import type { GridEditing } from '../../calendar/editing.ts'
import { dayIn, formatPeriod } from '../../calendar/format-date.ts'
import { CalendarGrid } from '../../calendar/grid.tsx'
import { type CalendarItem, isFull } from '../../calendar/item.ts'
import { type PageQuery, pagesOf } from '../../calendar/load.ts'
import { Toolbar } from '../../calendar/toolbar.tsx'
import * as words from '../../strings.ts'
import { Notice } from '../../ui/notice.tsx'
import { focusHeading, Page } from '../../ui/page.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { undoLast } from '../../ui/toasts.tsx'
import { useUndoKey } from '../../ui/undo-key.ts'
import { loadWords } from '../../words/load.ts'
import './calendar.css'
import { EventDialog } from './event-dialog.tsx'
import { Filters, ZoneChoice } from './filters.tsx'
import { addressOf, linkTargetOf, readShown, type ShownCalendar } from './link.ts'
import { isOwnZone, ownZone } from './own-zone.ts'
import { SearchResults } from './search-results.tsx'
import { SubscribeDialog } from './subscribe-dialog.tsx'

/** On narrower screens seven columns are hard to read, so the list is the default view. */
const NARROW = '(max-width: 40rem)'

export default function CalendarPage(): JSX.Element {
  const { query } = useRoute()
  const known = useStore(session)
  const zone = useStore(isOwnZone) ? ownZone : site.timezone
  const today = dayIn(zone, Date.now())
  const shown = readShown(query, today)
  const usualView = useMemo(() => (matchMedia(NARROW).matches ? 'list' : 'month'), [])
  const view = shown.view ?? usualView
  const day = shown.day ?? today
  const opened = useRef<CalendarItem>()
  const [isSubscribing, setSubscribing] = useState(false)
  const address = addressOf({ ...shown, event: '', at: '' })
  rememberCalendar({ view, day, address })
  const changes = useStore(calendarChanges)
  const isReader = canRead(known)
  // The key remounts the grid and the dialog, so that private events disappear even if the public ones fail to load.
  const audience = isReader ? 'readers' : 'anyone'
  const seen = opened.current && (isReader || !isFull(opened.current)) ? opened.current : undefined
  const { isSettled, editing, Question } = useEditing(known)
  useUndoKey(undoAsWriter)
  const go = (to: Partial<ShownCalendar>, isReplacing = false): Promise<boolean> =>
    navigate(addressOf({ ...shown, ...to }), { isReplacing })
  const isSearching = shown.q !== '' || shown.found !== undefined
  const ask = useCallback(
    (visible: PageQuery, signal: AbortSignal) => {
      const query = { ...visible, q: shown.q, category: shown.category }
      return call(isReader ? 'listEvents' : 'listPublicEvents', { query, signal })
    },
    [isReader, shown.q, shown.category, changes],
  )
  const load = useMemo(() => pagesOf(ask), [ask])
  return (
    <Page
      title={
        isSearching ? words.calendar.searchFor(shown.q || shown.category) : formatPeriod(view, day, site.week_start)
      }
      width="wide"
      beside={
        <div class="cal-ways">
          <button type="button" onClick={() => setSubscribing(true)}>
            {words.calendar.subscribe}
          </button>
          {canWrite(known) && (
            <Link class="button main" to={`/event/new?start=${formatDate(day)}`}>
              {words.calendar.newEvent}
            </Link>
          )}
        </div>
      }
    >
      {shown.isOdd && <Notice kind="plain">{words.calendar.outside}</Notice>}
      <Toolbar {...{ view, day, today, isSearching }} onGo={(to) => go({ ...to, q: '', found: undefined })}>
        <Filters
          q={shown.q}
          category={shown.category}
          found={shown.found}
          onFilter={(to) => go(searchAnew(to, shown), 'q' in to && isSearching)}
        />
      </Toolbar>
      {isSearching && isSettled && (
        <SearchResults
          key={audience}
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
          zone={zone}
          weekStart={site.week_start}
          load={load}
          stream={`${site.api}/${isReader ? 'events' : 'public'}/stream`}
          isFiltered={shown.category !== ''}
          onItem={(item) => {
            opened.current = item
            go(linkTargetOf(item))
          }}
          onOpen={(to, date) => void go({ view: to, day: dayOf(Date.parse(date)) }).then(focusHeading)}
          onGo={(date) => go({ day: dayOf(Date.parse(date)) })}
          onSearchAll={() => go({ found: 'ahead' })}
          editing={editing}
        />
      )}
      {!isSettled && <Spinner />}
      {isSettled && <ZoneChoice />}
      {Question && <Question />}
      {isSubscribing && <SubscribeDialog category={shown.category} onClose={() => setSubscribing(false)} />}
      {shown.event && (
        <EventDialog
          key={`${audience} ${shown.event} ${shown.at}`}
          event={shown.event}
          at={shown.at}
          zone={zone}
          isReader={isReader}
          canWrite={canWrite(known)}
          known={seen?.id === shown.event && linkTargetOf(seen).at === shown.at ? seen : undefined}
          onClose={() => goBack(address)}
        />
      )}
    </Page>
  )
}

const undoAsWriter = (): boolean => session.get().state === 'signed_in' && canWrite(session.get()) && undoLast()

/** Without a text, another category is another search, from today on. Without both there is none. */
function searchAnew(to: Partial<ShownCalendar>, { q, found }: ShownCalendar): Partial<ShownCalendar> {
  if (to.q !== undefined) return to.q === '' ? { ...to, found: undefined } : to
  return q === '' && found ? { ...to, found: to.category ? 'ahead' : undefined } : to
}

interface Editing {
  /** Whether the user’s role is known and, for writers, dragging is loaded: the grid is created only once. */
  isSettled: boolean
  editing?: GridEditing
  /** Dialog that asks which dates of a series to move. */
  Question?: ComponentType
}

/** Loads the code for dragging, for writers only. */
function useEditing(known: SessionState): Editing {
  const [loaded, setLoaded] = useState<Editing>({ isSettled: known.state === 'signed_out' })
  const isWriter = canWrite(known)
  const isKnown = known.state !== 'unknown' || known.error !== undefined
  useEffect(() => {
    if (!isWriter) return setLoaded({ isSettled: isKnown })
    const loadEditing = () =>
      Promise.all([
        import('fullcalendar/interaction'),
        import('../editor/grid/grid-editing.ts'),
        import('../editor/grid/move-question.tsx'),
      ])
    // These modules use the words when they are evaluated.
    loadWords('editor')
      .then(loadEditing)
      .then(
        ([{ default: plugin }, { createAt, moveEvent }, { MoveQuestion }]) => {
          const onMove: GridEditing['onMove'] = (item, to) => moveEvent(item as never, to)
          setLoaded({ isSettled: true, editing: { plugin, onCreate: createAt, onMove }, Question: MoveQuestion })
        },
        // If loading fails, events can still be edited in the form.
        () => setLoaded({ isSettled: true }),
      )
  }, [isWriter, isKnown])
  return loaded
}
