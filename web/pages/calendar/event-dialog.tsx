// Dialog with the details of one event: time, place, text, links to edit, deletion and .ics download.

import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { toneOf } from '../../../src/domain/calendar/tones.ts'
import type { Event } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { Link } from '../../app/router.tsx'
import { call } from '../../app/session.ts'
import { Lock } from '../../calendar/chip.tsx'
import { type CalendarItem, isMasked } from '../../calendar/item.ts'
import { titleOf } from '../../calendar/item-words.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { explain } from '../../ui/explain.ts'
import { Notice } from '../../ui/notice.tsx'
import { useQuestion } from '../../ui/question.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { formatTimes } from '../../words/formats.ts'
import { ruleInWords } from '../../words/rules.ts'
import { useWords } from '../../words/use-words.ts'
import { isDeletedMeanwhile } from '../editor/event-store.ts'
import { DeleteEvent } from './delete-event.tsx'
import { ownZone } from './own-zone.ts'
import { OutLink, PlainText } from './plain-text.tsx'

export interface EventDialogProps {
  event: string
  /** The occurrence key, or ''. */
  at: string
  zone: string
  isReader: boolean
  canWrite: boolean
  /** The event as the grid has it, shown until the details are loaded. */
  known: CalendarItem | undefined
  onPrint(): void
  onClose(): void
}

interface EventDetail {
  item: CalendarItem
  rrule: string | null | undefined
  /** The whole event or series, for those who may read it. */
  event?: Event | undefined
}

export function EventDialog(props: EventDialogProps): JSX.Element {
  const { event, at, zone, isReader, canWrite, known, onPrint, onClose } = props
  const loaded = useLoaded((signal) => readDetail(event, at, zone, isReader, signal), [event, at, zone, isReader])
  const detail: EventDetail | undefined = loaded.data ?? (known && { item: known, rrule: undefined })
  const isLoading = loaded.state === 'loading'
  const mayEdit = useWords('editor', canWrite) && canWrite
  const { isAsked: isDeleting, ask, cancel, opener } = useQuestion()
  const isGone = isDeleting && loaded.state === 'failed' && isDeletedMeanwhile(loaded.error)
  useEffect(() => {
    if (!isGone || loaded.state !== 'failed') return
    toast(explain(loaded.error))
    showChanges()
    onClose()
  }, [isGone])
  return (
    <Dialog title={titleIn(detail, isLoading)} className="event" onClose={onClose}>
      {loaded.state === 'failed' && <Notice kind="bad">{explain(loaded.error)}</Notice>}
      {!detail && isLoading && <Spinner />}
      {detail && <Facts {...detail} zone={zone} isLoading={isLoading} />}
      {detail && <p class="event-address">{addressOnPaper(detail.item, at)}</p>}
      {detail && !isDeleting && (
        <EventActions
          item={detail.item}
          at={at}
          canWrite={mayEdit}
          onDelete={detail.event ? ask : undefined}
          opener={opener}
          onPrint={onPrint}
        />
      )}
      {detail?.event && isDeleting && (
        <DeleteEvent event={detail.event} at={at} onDone={onClose} onStale={loaded.again} onCancel={cancel} />
      )}
    </Dialog>
  )
}

function titleIn(detail: EventDetail | undefined, isLoading: boolean): string {
  if (detail) return titleOf(detail.item)
  return isLoading ? words.common.loading : words.calendar.event
}

/** The rule is read from the series; public lists and occurrences do not include it. */
async function readDetail(
  id: string,
  at: string,
  zone: string,
  isReader: boolean,
  signal: AbortSignal,
): Promise<EventDetail> {
  const query = { timezone: zone }
  const path = { event_id: id, occurrence_key: at }
  const { data: series } = await call(isReader ? 'getEvent' : 'getPublicEvent', { path, query, signal })
  const isSeries = !!series.rrule || !!series.rdates?.length
  const { data: item } = at && isSeries ? await call('getOccurrence', { path, query, signal }) : { data: series }
  return { item: item as CalendarItem, rrule: series.rrule, event: 'exceptions' in series ? series : undefined }
}

function Facts({ item, rrule, zone, isLoading }: EventDetail & { zone: string; isLoading: boolean }): JSX.Element {
  const isOpen = !isMasked(item)
  return (
    <div class={`event-facts ${toneOf(item)}`}>
      <dl>
        <Fact name={words.calendar.when}>
          {formatTimes(item, zone)}
          {!item.all_day && (zone !== ownZone || zone !== site.timezone) && <span class="quiet"> ({zone})</span>}
        </Fact>
        {isOpen && item.recurring && !isLoading && (
          <Fact name={words.calendar.repeatsLabel}>
            {rrule ? ruleInWords(rrule, item.timezone) : words.calendar.severalDates}
          </Fact>
        )}
        {isOpen && item.location && <Fact name={words.calendar.where}>{item.location}</Fact>}
        {isOpen && item.category && <Fact name={words.calendar.category}>{item.category}</Fact>}
        {isOpen && item.url && (
          <Fact name={words.calendar.link}>
            <OutLink href={item.url} />
          </Fact>
        )}
      </dl>
      <Standing item={item} />
      {isOpen && item.description && <PlainText text={item.description} />}
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Standing({ item }: { item: CalendarItem }): JSX.Element {
  const note = isMasked(item) ? words.calendar.maskedNote : words.calendar.privateNote
  return (
    <>
      {item.visibility === 'private' && (
        <p class="event-private">
          <Lock /> {note}
        </p>
      )}
      {!isMasked(item) && item.status === 'cancelled' && <p class="problem">{words.calendar.cancelledNote}</p>}
      {!isMasked(item) && item.status === 'tentative' && <p class="quiet">{words.calendar.tentative}</p>}
    </>
  )
}

const pageOf = ({ id }: CalendarItem, at: string): string => `${site.root}/events/${id}${at && `/${at}`}`

/** A private event has no page. */
const addressOnPaper = (item: CalendarItem, at: string): string =>
  item.visibility === 'public'
    ? words.calendar.print.address(site.name, `${new URL(pageOf(item, at), site.origin)}`)
    : site.name

interface EventActionsProps {
  item: CalendarItem
  at: string
  canWrite: boolean
  /** Undefined until the event is loaded. */
  onDelete: (() => void) | undefined
  /** For the button to delete. */
  opener: RefObject<HTMLButtonElement>
  onPrint(): void
}

function EventActions({ item, at, canWrite, onDelete, opener, onPrint }: EventActionsProps): JSX.Element | null {
  const edit = new URLSearchParams(at ? { id: item.id, at } : { id: item.id })
  return (
    <div class="actions">
      {canWrite && (
        <>
          <Link class="button main" to={`/event/edit?${edit}`} isReplacing>
            {words.calendar.edit}
          </Link>
          <Link class="button" to={`/event/new?copy=${encodeURIComponent(item.id)}`} isReplacing>
            {words.calendar.duplicate}
          </Link>
          {site.keeps_history && (
            <Link class="button" to={`/event/history?id=${encodeURIComponent(item.id)}`} isReplacing>
              {words.calendar.history}
            </Link>
          )}
          <button ref={opener} type="button" class="danger" disabled={!onDelete} onClick={onDelete}>
            {words.common.delete}
          </button>
        </>
      )}
      {item.visibility === 'public' && (
        <>
          <a class="button" href={pageOf(item, at)}>
            {words.calendar.page}
          </a>
          <a class="button" href={`${site.api}/public/events/${item.id}/event.ics`} download="">
            {words.calendar.take}
          </a>
        </>
      )}
      <button type="button" onClick={onPrint}>
        {words.calendar.print.open}
      </button>
    </div>
  )
}
