// Further actions on an event: duplicate, delete, and undo exceptions.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Event } from '../../api/contract.ts'
import { Link, navigate } from '../../app/router.tsx'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast, toastChange } from '../../ui/toasts.tsx'
import { Exceptions } from './exceptions.tsx'
import { overrideOf } from './read-event.ts'
import { deleteFollowing, undoDeletion } from './restore-event.ts'
import { bringBackDate } from './restore-override.ts'
import type { Editor } from './use-editor.ts'

const strings = words.editor

export function MoreForEvent({ editor }: { editor: Editor }): JSX.Element {
  const event = editor.event!
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    setAsking(false)
    const isDone = await editor.remove((etag) => call('deleteEvent', { path: { event_id: event.id }, ifMatch: etag }))
    if (isDone) toastChange(strings.deleted, undoDeletion(event.id))
  }
  return (
    <>
      <Exceptions editor={editor} event={event} />
      <section class="more">
        <Link to={`/event/new?copy=${event.id}`} class="button">
          {strings.duplicate}
        </Link>
        {site.keeps_history && (
          <Link to={`/event/history?id=${event.id}`} class="button">
            {words.calendar.history}
          </Link>
        )}
        <button type="button" class="danger" onClick={() => setAsking(true)}>
          {event.recurring ? strings.deleteSeries : strings.deleteEvent}
        </button>
      </section>
      {isAsking && <SureToDelete event={event} onYes={remove} onNo={() => setAsking(false)} />}
    </>
  )
}

interface SureProps {
  event: Event
  onYes(): void
  onNo(): void
}

const SureToDelete = ({ event, onYes, onNo }: SureProps): JSX.Element => (
  <Dialog title={event.recurring ? strings.deleteSeriesTitle : strings.deleteTitle} onClose={onNo}>
    <p>
      {event.recurring ? strings.deleteSeriesSure(event.title) : strings.deleteSure(event.title)}
      {!site.keeps_trash && ` ${strings.deleteFinal}`}
    </p>
    <div class="actions">
      <button type="button" class="danger" onClick={onYes}>
        {strings.deleteYes}
      </button>
      <button type="button" onClick={onNo}>
        {words.common.cancel}
      </button>
    </div>
  </Dialog>
)

/** Deleting them can be undone at once from the toast, where earlier versions are kept. */
export function MoreForFollowing({ editor, at }: { editor: Editor; at: string }): JSX.Element {
  const event = editor.event!
  const remove = async () => {
    let undo: (() => void) | undefined
    const isDone = await editor.remove(async (etag) => {
      undo = await deleteFollowing(event, at, etag)
    })
    if (isDone) toastChange(strings.followingDeleted, undo)
  }
  return (
    <>
      <p class="hint">{strings.followingHas(event.visibility)}</p>
      <section class="more">
        <Link to={`/event/edit?${new URLSearchParams({ id: event.id, at, scope: 'series' })}`} class="button">
          {strings.toSeries}
        </Link>
        <button type="button" class="danger" onClick={remove}>
          {strings.deleteFollowing}
        </button>
      </section>
    </>
  )
}

/** Deleting one date can be undone at once from the toast, and later in the form of the series. */
export function MoreForDate({ editor, at }: { editor: Editor; at: string }): JSX.Element {
  const event = editor.event!
  const path = { event_id: event.id, occurrence_key: at }
  const changed = overrideOf(event, at)
  const remove = async () => {
    const isDone = await editor.remove((etag) => call('deleteOccurrence', { path, ifMatch: etag }))
    if (isDone) toast(strings.dateDeleted, () => void bringBackDate(event, at))
  }
  const undo = async () => {
    if (await editor.act((etag) => call('deleteException', { path, ifMatch: etag }))) toast(strings.changeUndone)
  }
  return (
    <>
      <p class="hint">{strings.seriesHas(event.visibility)}</p>
      <section class="more">
        <button
          type="button"
          onClick={() => navigate(`/event/edit?${new URLSearchParams({ id: event.id, at, scope: 'series' })}`)}
        >
          {strings.toSeries}
        </button>
        {changed && (
          <button type="button" onClick={undo}>
            {strings.undoChange}
          </button>
        )}
        <button type="button" class="danger" onClick={remove}>
          {strings.deleteDate}
        </button>
      </section>
    </>
  )
}
