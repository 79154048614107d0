// Undoes the deletion of an event, and changes of several dates of a series.
import type { Event } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { toast } from '../../ui/toasts.tsx'

/** What undoes the deletion of an event; undefined where deleted events are not kept. */
export const undoDeletion = (event_id: string): (() => void) | undefined =>
  site.keeps_trash ? () => void bringBackEvent(event_id) : undefined

async function bringBackEvent(event_id: string): Promise<void> {
  try {
    await call('restoreEvent', { path: { event_id } })
    toast(words.editor.eventBroughtBack)
  } catch (error) {
    toast(explain(error))
  }
  showChanges()
}

/** Deletes a date and all later ones; resolves to what undoes it, if that is kept. */
export async function deleteFollowing(event: Event, at: string, ifMatch: string): Promise<(() => void) | undefined> {
  const path = { event_id: event.id, occurrence_key: at }
  const { data } = await call('deleteOccurrence', { path, query: { scope: 'following' }, ifMatch })
  // Without a date left the event is in the trash.
  if (!('etag' in data)) return undoDeletion(event.id)
  const restore = restorationOf(event, data.etag)
  return restore && (() => void restore().then(sayBroughtBack, sayProblem).then(showChanges))
}

const sayBroughtBack = (): void => toast(words.editor.followingBroughtBack)
const sayProblem = (error: unknown): void => toast(explain(error))

/** What restores an event as it was; `ifMatch` is the ETag after the change. Undefined where earlier versions are not kept. */
export const restorationOf = (
  { id, version }: Pick<Event, 'id' | 'version'>,
  ifMatch: string,
): (() => Promise<unknown>) | undefined =>
  site.keeps_history
    ? () => call('restoreEventVersion', { path: { event_id: id, version: String(version) }, body: {}, ifMatch })
    : undefined
