// Reads the whole event or series for editing, with its exceptions and its ETag.
import { ApiError } from '../../api/client.ts'
import type { Event, RecurrenceException } from '../../api/contract.ts'
import { call } from '../../app/session.ts'

/** Writers always get the full record. */
export async function readEvent(id: string): Promise<Event> {
  const { data } = await call('getEvent', { path: { event_id: id } })
  if (!('etag' in data)) throw new ApiError('insufficient_capability', 403)
  return data
}

export const exceptionOf = (event: Event, at: string): RecurrenceException | undefined =>
  event.exceptions.find(({ occurrence_key }) => occurrence_key === at)

/** The occurrence keys whose exception differs between two versions of a series. */
export function changedDates(one: Event | undefined, other: Event | undefined): string[] {
  const texts = (event: Event | undefined) =>
    new Map(event?.exceptions.map((exception) => [exception.occurrence_key, JSON.stringify(exception)]))
  const [before, after] = [texts(one), texts(other)]
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key)).sort()
}

export function overrideOf(event: Event, at: string): RecurrenceException | undefined {
  const exception = exceptionOf(event, at)
  return exception?.type === 'overridden' ? exception : undefined
}
