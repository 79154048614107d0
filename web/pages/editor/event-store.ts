// How what stands in a form is kept: as a new event, over a whole series, or for one date of it.
import { ApiError } from '../../api/client.ts'
import type { Event, NewEvent, Occurrence } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { bodyOf, type EventValues, inShape, isSame, occurrencePatchOf, patchOf, valuesOf } from './form/event-values.ts'

/** What stands in the calendar, and the series it belongs to. */
export interface Version {
  values: EventValues
  etag: string
  event: Event | undefined
}

/** Somebody took away the event, or this one date of it. */
export type Gone = 'event_gone' | 'date_gone'

export interface SaveTarget {
  scope: 'new' | 'series' | 'date'
  /** Names the draft of what is being written. */
  name: string
  /** Of a copy: dates the other one leaves out. */
  exdates?: readonly string[]
  /** Answers how many exceptions found no place in the changed series. */
  save(values: EventValues, base: Version): Promise<number>
  read(): Promise<Version | Gone>
  /** Puts a date that somebody took out back into its series. */
  bringBack?(): Promise<void>
}

/** What was sent with its key, and sent again with the same key is done once. */
interface SentEvent {
  body: NewEvent
  key: string
}

/** Sent again because no answer came it makes one event, also where something else stands in the form by then. */
export function keepNew(name: string, first: EventValues, exdates: readonly string[] = []): SaveTarget {
  let unanswered: SentEvent | undefined
  const create = async (sent: SentEvent) => {
    unanswered = sent
    try {
      return await call('createEvent', { body: sent.body, idempotencyKey: sent.key })
    } catch (error) {
      if (!isUnanswered(error)) unanswered = undefined
      throw error
    }
  }
  return {
    scope: 'new',
    name,
    exdates,
    async save(values) {
      const body = { ...bodyOf(values), exdates: exdates.map((key) => inShape(key, values)) }
      const made = unanswered && !isSame(unanswered.body, body) ? await answerOf(create(unanswered)) : undefined
      if (made) return saveOver(made.data.id, values)
      const { meta } = await create(unanswered ?? { body, key: newKey() })
      return meta?.dropped_exceptions?.length ?? 0
    },
    read: async () => ({ values: first, etag: '', event: undefined }),
  }
}

const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.code === 'offline'

/** Undefined where it is known now that nothing came of it. */
const answerOf = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error) => {
    if (isUnanswered(error)) throw error
    return undefined
  })

async function saveOver(id: string, values: EventValues): Promise<number> {
  const keeper = keepSeries(id)
  const now = await keeper.read()
  if (typeof now === 'string') throw new ApiError('event_not_found', 404)
  return keeper.save(values, now)
}

export function keepSeries(id: string): SaveTarget {
  const path = { event_id: id }
  return {
    scope: 'series',
    name: id,
    async save(values, base) {
      const body = patchOf(values, base.values)
      const { meta } = await call('patchEvent', { path, body, ifMatch: base.etag })
      return meta?.dropped_exceptions?.length ?? 0
    },
    read: () =>
      unlessGone(async () => {
        const event = await readEvent(id)
        return { values: valuesOf(event), etag: event.etag, event }
      }),
  }
}

export function keepDate(id: string, key: string): SaveTarget {
  const path = { event_id: id, occurrence_key: key }
  return {
    scope: 'date',
    name: `${id} ${key}`,
    async save(values, base) {
      await call('patchOccurrence', { path, body: occurrencePatchOf(values, base.values), ifMatch: base.etag })
      return 0
    },
    read: () =>
      unlessGone(async () => {
        const [event, { data }] = await Promise.all([readEvent(id), call('getOccurrence', { path })])
        const occurrence = data as Occurrence
        // By itself, one date repeats nothing.
        return { values: valuesOf({ ...occurrence, rrule: null }), etag: occurrence.etag, event }
      }),
    bringBack: () => call('deleteException', { path }),
  }
}

export const isOvertaken = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'version_mismatch' || goneBy(error) !== undefined)

/** Whoever may write sees events whole. */
async function readEvent(id: string): Promise<Event> {
  const { data } = await call('getEvent', { path: { event_id: id } })
  if (!('etag' in data)) throw new ApiError('insufficient_capability', 403)
  return data
}

async function unlessGone(read: () => Promise<Version>): Promise<Version | Gone> {
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

/** Not by `randomUUID`, which browsers have only on secure connections. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
