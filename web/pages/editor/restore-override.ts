// Restores the override of one date of a series after it was deleted or dropped.
import type { Occurrence, RecurrenceException } from '../../api/contract.ts'
import { call } from '../../app/session.ts'

export async function restoreOverride(event_id: string, was: RecurrenceException): Promise<void> {
  const { occurrence_key, type: _type, created_at: _at, created_by: _by, ...body } = was
  const path = { event_id, occurrence_key }
  const { data } = await call('getOccurrence', { path })
  await call('patchOccurrence', { path, body, ifMatch: (data as Occurrence).etag })
}
