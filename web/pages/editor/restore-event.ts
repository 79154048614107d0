// Undoes the deletion of an event, and changes of several dates of a series.
import type { Event } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { toast } from '../../ui/toasts.tsx'

export async function bringBackEvent(event_id: string): Promise<void> {
  try {
    await call('restoreEvent', { path: { event_id } })
    toast(words.editor.eventBroughtBack)
  } catch (error) {
    toast(explain(error))
  }
  showChanges()
}

/** Deletes a date and all later ones; resolves to what undoes it. */
export async function deleteFollowing(event: Event, at: string, ifMatch: string): Promise<() => Promise<void>> {
  const path = { event_id: event.id, occurrence_key: at }
  const { data } = await call('deleteOccurrence', { path, query: { scope: 'following' }, ifMatch })
  // Without a date left the event is in the trash.
  if (!('etag' in data)) return () => bringBackEvent(event.id)
  return async () => {
    await bringBackVersion(event, data.etag).then(
      () => toast(words.editor.followingBroughtBack),
      (error) => toast(explain(error)),
    )
    showChanges()
  }
}

/** Restores an event as it was; `ifMatch` is the ETag after the change. */
export const bringBackVersion = ({ id, version }: Pick<Event, 'id' | 'version'>, ifMatch: string): Promise<unknown> =>
  call('restoreEventVersion', { path: { event_id: id, version: String(version) }, body: {}, ifMatch })
