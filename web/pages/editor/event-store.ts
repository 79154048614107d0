// Saves the event form: as a new event, over a whole series, or for one date of it.
import { ApiError } from '../../api/client.ts'
import type { Event, NewEvent, Occurrence, Operations } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { bodyOf, type EventValues, inShape, isSame, occurrencePatchOf, patchOf, valuesOf } from './form/event-values.ts'
import { overrideOf, readEvent } from './read-event.ts'
import { restoreDate } from './restore-override.ts'

/** A stored version, with the event or series it belongs to. */
export interface Version {
  values: EventValues
  etag: string
  event: Event | undefined
}

/** The event, or this one date of it, was deleted meanwhile. */
export type Gone = 'event_gone' | 'date_gone'

export interface SaveTarget {
  scope: 'new' | 'series' | 'following' | 'date'
  /** The name of the draft. */
  name: string
  /** For a copy: the excluded dates of the original. */
  exdates?: readonly string[]
  save(values: EventValues, base: Version): Promise<SavedEvent>
  read(): Promise<Version | Gone>
  /** Restores a date that was deleted from its series; false if it is no longer deleted. */
  bringBack?(): Promise<boolean>
  /** For one date: whether this version has the values of the series. */
  isOfSeries?(version: Version): boolean
}

export interface SavedEvent {
  id: string
  /** The occurrence key, if one date was saved. */
  at?: string
  /** Exceptions that no longer fit the series and were dropped. */
  dropped: number
}

/** A request with its idempotency key: repeated with the same key, it takes effect once. */
interface SentEvent {
  body: NewEvent
  key: string
}

/**
 * A retry after a lost response creates one event, even if the form has changed in between. The event is then changed
 * as any other: if another user has changed it before the retry, that is an edit conflict.
 */
export function createNewEventTarget(name: string, first: EventValues, exdates: readonly string[] = []): SaveTarget {
  let unanswered: SentEvent | undefined
  let made: CreatedEvent | undefined
  let isGone = false
  const create = async (sent: SentEvent) => {
    unanswered = sent
    try {
      return await call('createEvent', { body: sent.body, idempotencyKey: sent.key })
    } catch (error) {
      if (isRejected(error)) unanswered = undefined
      if (!isDeletedSince(error)) throw error
      isGone = true
      throw new ApiError('event_not_found', 404)
    }
  }
  return {
    scope: 'new',
    name,
    exdates,
    async save(values, base) {
      isGone = false
      if (made) return saveMade(made, values, base)
      const body = { ...bodyOf(values), exdates: exdates.map((key) => inShape(key, values)) }
      const replayed = unanswered && !isSame(unanswered.body, body) ? await answerOf(create(unanswered)) : undefined
      if (replayed) {
        made = madeOf(replayed.data)
        return saveMade(made, values, base)
      }
      const { data, meta } = await create(unanswered ?? { body, key: newKey() })
      return { id: data.id, dropped: meta?.dropped_exceptions?.length ?? 0 }
    },
    async read() {
      if (isGone) return 'event_gone'
      return made ? made.target.read() : { values: first, etag: '', event: undefined }
    },
  }
}

/** The event that a creation without a response has made. */
interface CreatedEvent {
  id: string
  target: SaveTarget
  /** As the retry found it. */
  version: Version
}

/** Until the user has seen a version of it, only the first one may be changed: others have edits of other users. */
async function saveMade(
  { id, target, version }: CreatedEvent,
  values: EventValues,
  base: Version,
): Promise<SavedEvent> {
  if (base.event?.id === id) return target.save(values, base)
  if (version.event!.version > 1) throw new ApiError('version_mismatch', 412)
  return target.save(values, version)
}

/** Writers get the full record. */
function madeOf(data: Operations['createEvent']['answer']['data']): CreatedEvent {
  if (!('etag' in data)) throw new ApiError('insufficient_capability', 403)
  return { id: data.id, target: createSeriesTarget(data.id), version: versionOf(data) }
}

const versionOf = (event: Event): Version => ({ values: valuesOf(event), etag: event.etag, event })

/** Responses after which the same request may still succeed, or may have succeeded before. */
const UNDECIDED = [401, 403, 408, 429]

/** The server has rejected the request for good, so that it has made no event. */
const isRejected = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !UNDECIDED.includes(error.status)

/** An earlier request with the same key made an event, which was deleted since. */
const isDeletedSince = (error: unknown): boolean => error instanceof ApiError && error.code === 'idempotency_gone'

/** Undefined if the server has rejected the request. */
const answerOf = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error) => {
    if (!isRejected(error) || isEditConflict(error)) throw error
    return undefined
  })

export function createSeriesTarget(id: string): SaveTarget {
  const path = { event_id: id }
  return {
    scope: 'series',
    name: id,
    async save(values, base) {
      const body = patchOf(values, base.values)
      const { meta } = await call('patchEvent', { path, body, ifMatch: base.etag })
      return { id, dropped: meta?.dropped_exceptions?.length ?? 0 }
    },
    read: () => unlessGone(async () => versionOf(await readEvent(id))),
  }
}

export function createDateTarget(id: string, key: string): SaveTarget {
  const path = { event_id: id, occurrence_key: key }
  return {
    scope: 'date',
    name: `${id} ${key}`,
    async save(values, base) {
      await call('patchOccurrence', { path, body: occurrencePatchOf(values, base.values), ifMatch: base.etag })
      return { id, at: key, dropped: 0 }
    },
    read: () =>
      unlessGone(async () => {
        const [event, { data }] = await Promise.all([readEvent(id), call('getOccurrence', { path })])
        const occurrence = data as Occurrence
        // One date does not repeat.
        return { values: valuesOf({ ...occurrence, rrule: null }), etag: occurrence.etag, event }
      }),
    bringBack: () => restoreDate(id, key),
    // Both are read at once: only of one version do they tell anything about each other.
    isOfSeries: ({ event, etag }) => !!event && event.etag === etag && !overrideOf(event, key),
  }
}

export const isEditConflict = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'version_mismatch' || goneBy(error) !== undefined)

export const isDeletedMeanwhile = (error: unknown): boolean => error instanceof ApiError && goneBy(error) !== undefined

export async function unlessGone(read: () => Promise<Version>): Promise<Version | Gone> {
  try {
    return await read()
  } catch (error) {
    const gone = error instanceof ApiError ? goneBy(error) : undefined
    if (gone) return gone
    throw error
  }
}

function goneBy({ code }: ApiError): Gone | undefined {
  if (code === 'event_not_found') return 'event_gone'
  return code === 'occurrence_not_found' || code === 'event_not_recurring' ? 'date_gone' : undefined
}

/** Not `randomUUID`, which browsers offer only on secure connections. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
