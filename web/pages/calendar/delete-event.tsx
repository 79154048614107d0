// Deletes an event, one date, it and all later ones, or a whole series from the event dialog, after asking.
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Event } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toastChange } from '../../ui/toasts.tsx'
import { isEditConflict } from '../editor/event-store.ts'
import { deleteFollowing, undoDeletion } from '../editor/restore-event.ts'
import { bringBackDate } from '../editor/restore-override.ts'

interface DeleteEventProps {
  /** The whole event or series; its version must still be the current one. */
  event: Event
  /** The occurrence key of the date on screen, or ''. */
  at: string
  onDone(): void
  /** The event was changed or deleted meanwhile and must be read again. */
  onStale(): void
  onCancel(): void
}

export function DeleteEvent({ event, at, onDone, onStale, onCancel }: DeleteEventProps): JSX.Element {
  const { isBusy, error, run } = useSubmission()
  const [isSeriesAsked, setSeriesAsked] = useState(!event.recurring || !at)
  const cancel = useRef<HTMLButtonElement>(null)
  // Each question replaces the button that had the focus.
  useLayoutEffect(() => cancel.current!.focus(), [isSeriesAsked])
  const path = { event_id: event.id, occurrence_key: at }
  /** `act` resolves to what undoes it. */
  const remove = async (act: () => Promise<(() => void) | undefined>, text: string) => {
    let undo: (() => void) | undefined
    try {
      undo = await act()
    } catch (error) {
      if (isEditConflict(error)) onStale()
      throw error
    }
    toastChange(text, undo)
    showChanges()
    onDone()
  }
  const removeAll = () =>
    remove(async () => {
      await call('deleteEvent', { path, ifMatch: event.etag })
      return undoDeletion(event.id)
    }, words.editor.deleted)
  const removeDate = () =>
    remove(async () => {
      await call('deleteOccurrence', { path, ifMatch: event.etag })
      return () => void bringBackDate(event, at)
    }, words.editor.dateDeleted)
  const removeFollowing = () => remove(() => deleteFollowing(event, at, event.etag), words.editor.followingDeleted)
  return (
    <div role="alert">
      {error !== undefined && <Notice kind="bad">{explain(error)}</Notice>}
      <p>
        {questionOf(event, isSeriesAsked)}
        {isSeriesAsked && !site.keeps_trash && ` ${words.editor.deleteFinal}`}
      </p>
      <div class="actions">
        {!isSeriesAsked && (
          <>
            <button type="button" class="danger" aria-disabled={isBusy} onClick={() => run(removeDate)}>
              {words.editor.deleteDate}
            </button>
            <button type="button" class="danger" aria-disabled={isBusy} onClick={() => run(removeFollowing)}>
              {words.editor.deleteFollowing}
            </button>
            <button type="button" class="danger" onClick={() => setSeriesAsked(true)}>
              {words.editor.deleteSeries}
            </button>
          </>
        )}
        {isSeriesAsked && (
          <button type="button" class="danger" aria-disabled={isBusy} onClick={() => run(removeAll)}>
            {words.editor.deleteYes}
          </button>
        )}
        <button ref={cancel} type="button" onClick={onCancel}>
          {words.common.cancel}
        </button>
      </div>
    </div>
  )
}

function questionOf({ title, recurring }: Event, isSeriesAsked: boolean): string {
  if (!recurring) return words.editor.deleteSure(title)
  return isSeriesAsked ? words.editor.deleteAllSure(title) : words.editor.deleteWhich
}
