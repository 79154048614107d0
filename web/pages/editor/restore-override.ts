// Restores one date of a series, or its override, after it was deleted or dropped.
import type { Event, Occurrence, RecurrenceException } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { toast } from '../../ui/toasts.tsx'

export async function restoreOverride(event_id: string, was: RecurrenceException): Promise<void> {
  const { occurrence_key, type: _type, created_at: _at, created_by: _by, ...body } = was
  const path = { event_id, occurrence_key }
  const { data } = await call('getOccurrence', { path })
  await call('patchOccurrence', { path, body, ifMatch: (data as Occurrence).etag })
}

/** Undoes the deletion of a date. `event` is the series before it; if the date had an override, that is restored too. */
export async function bringBackDate(event: Event, at: string): Promise<void> {
  try {
    await call('deleteException', { path: { event_id: event.id, occurrence_key: at } })
    const changed = overrideOf(event, at)
    if (changed) await restoreOverride(event.id, changed)
    toast(words.editor.broughtBack)
  } catch (error) {
    toast(explain(error))
  }
  showChanges()
}

export const overrideOf = (event: Event, at: string): RecurrenceException | undefined =>
  event.exceptions.find(({ occurrence_key, type }) => occurrence_key === at && type === 'overridden')
