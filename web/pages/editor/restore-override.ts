// Restores one date of a series, or its override, after it was deleted or dropped.
import { ApiError } from '../../api/client.ts'
import type { Event, Occurrence, RecurrenceException } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { toast } from '../../ui/toasts.tsx'
import { exceptionOf, overrideOf, readEvent } from './read-event.ts'

/**
 * Restores a deleted date. Resolves to false if it is no longer deleted: another user has restored it, and removing
 * the exception would remove what that user has changed since.
 */
export async function restoreDate(event_id: string, occurrence_key: string): Promise<boolean> {
  const series = await readEvent(event_id)
  if (exceptionOf(series, occurrence_key)?.type !== 'excluded') return false
  await call('deleteException', { path: { event_id, occurrence_key }, ifMatch: series.etag })
  return true
}

/** Resolves to the ETag after it. */
export async function restoreOverride(event_id: string, was: RecurrenceException, ifMatch: string): Promise<string> {
  const { occurrence_key, type: _type, created_at: _at, created_by: _by, ...body } = was
  const { data } = await call('patchOccurrence', { path: { event_id, occurrence_key }, body, ifMatch })
  return (data as Occurrence).etag
}

/** Undoes the deletion of a date. `event` is the series before it; if the date had an override, that is restored too. */
export async function bringBackDate(event: Event, at: string): Promise<void> {
  try {
    if (!(await restoreDate(event.id, at))) throw changedMeanwhile()
    const changed = overrideOf(event, at)
    if (changed) {
      const now = await readEvent(event.id)
      if (exceptionOf(now, at)) throw changedMeanwhile()
      await restoreOverride(event.id, changed, now.etag)
    }
    toast(words.editor.broughtBack)
  } catch (error) {
    toast(explain(error))
  }
  showChanges()
}

const changedMeanwhile = (): ApiError => new ApiError('version_mismatch', 412)
