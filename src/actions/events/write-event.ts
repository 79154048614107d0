// Writes events for every protocol: builds the record and stores it with its derived rows.
import type { Instant } from '../../domain/time/instant.ts'
import { fail } from '../../errors.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { blocksEventLoop } from '../../storage/dialect.ts'
import { type IndexSpan, raiseWithSpan } from '../../storage/events/calendar.ts'
import { insertEvent, keyOfId, setCounters, updateAtNextRevision, updateEvent } from '../../storage/events/events.ts'
import { insertEvents } from '../../storage/events/insert-events.ts'
import { insertGoneEvent } from '../../storage/history/gone-events.ts'
import {
  counterValuesOf,
  newCountersOf,
  type PublicChange,
  publicChangeOf,
  type RaisedCounters,
} from '../../storage/history/public-change.ts'
import type { Db, EventRecord, EventRow } from '../../storage/tables.ts'
import { requireSpan } from '../costly-work/costly-writes.ts'
import type { ChangeSource } from '../history/change-source.ts'
import type { Texts } from './event-texts.ts'

export interface EventWrite {
  id: string
  source: ChangeSource
  at: Instant
  texts: Texts
  /** The span of the index that the texts were derived for. */
  span: IndexSpan
  /** The row that is replaced; undefined for a new event. */
  before: EventRow | undefined
  /** The name and the exact text that a calendar program sent; a change by other means makes such a text outdated. */
  sent?: { name: string; text: string } | undefined
}

/**
 * Stores one event at the next revision of the calendar, and returns its row. Fails where the replaced row has another
 * version by now, or the index another span.
 */
export async function writeEvent(db: Db, write: EventWrite): Promise<EventRow> {
  const { before, span, source } = write
  const { derived } = write.texts
  if (!before) {
    const record = newRecord(write)
    const { revision, span: current } = await insertEvent(db, record, derived)
    requireSpan(current, span)
    return { key: keyOfId(record.id)!, ...derived.columns, ...record, revision }
  }
  const record = changedRecord(write, before)
  const change = { before, record, derived, keepsBefore: source.keepsBefore }
  const raised = (await updateAtNextRevision(db, change)) ?? fail('version_mismatch')
  requireSpan(raised.span, span)
  return { ...before, ...derived.columns, ...record, revision: raised.revision }
}

/**
 * Stores many events at one revision: new ones together, then the changed ones. If the transaction raises the counters
 * at its end, `raiseAfterWrites` follows.
 */
export async function writeEvents(
  db: Db,
  writes: readonly EventWrite[],
  raised: RaisedCounters = { revision: 0, publicRevision: 0 },
): Promise<void> {
  const added = writes.filter(({ before }) => !before)
  await insertEvents(
    db,
    added.map((write) => ({
      record: newRecord(write),
      derived: write.texts.derived,
      counters: newCountersOf(changeOf(write), raised),
    })),
  )
  // PostgreSQL does not block the event loop, and other writers may wait for the transaction.
  const yieldIfDue = blocksEventLoop(db) ? createYielder() : () => undefined
  for (const write of writes) {
    const { before, texts, at, source } = write
    if (!before) continue
    await yieldIfDue()
    const change = changeOf(write)
    const counters = counterValuesOf(false, change, raised)
    const record = changedRecord(write, before)
    const { keepsBefore } = source
    const isChanged = await updateEvent(db, { before, record, derived: texts.derived, keepsBefore }, counters)
    if (!isChanged) throw new Error('an event has changed')
    if (change === 'disappeared') await insertGoneEvent(db, 'public_gone_events', before.id, raised.publicRevision, at)
  }
}

const changeOf = ({ before, texts: { derived, ...columns } }: EventWrite): PublicChange =>
  publicChangeOf(before, { ...derived.columns, ...columns })

/** Raises the counters of the calendar for these events. Fails where they were derived for another span. */
export async function raiseForWrites(db: Db, writes: readonly EventWrite[]): Promise<RaisedCounters> {
  const raised = await raiseWithSpan(
    db,
    writes.some((write) => changeOf(write) !== 'none'),
  )
  for (const { span } of writes) requireSpan(raised.span, span)
  return raised
}

/** For a transaction that wrote these events and locks the counters only at its end. */
export async function raiseAfterWrites(db: Db, writes: readonly EventWrite[]): Promise<void> {
  const raised = await raiseForWrites(db, writes)
  const kinds = Map.groupBy(writes, (write) => `${write.before ? '' : 'new '}${changeOf(write)}`)
  for (const alike of kinds.values()) {
    const change = changeOf(alike[0]!)
    const ids = alike.map(({ id }) => id)
    await setCounters(db, ids, counterValuesOf(!alike[0]!.before, change, raised))
    if (change !== 'disappeared') continue
    for (const { id, at } of alike) await insertGoneEvent(db, 'public_gone_events', id, raised.publicRevision, at)
  }
}

function newRecord({ id, source, at, texts, sent }: EventWrite): Omit<EventRecord, 'revision'> {
  const { derived: _, ...columns } = texts
  return {
    id,
    created_at: at,
    updated_at: at,
    created_by: source.by,
    updated_by: source.by,
    ...source.means,
    version: 1,
    ...columns,
    dav_name: sent?.name ?? `${id}.ics`,
    sent_ical: sent?.text ?? null,
  }
}

function changedRecord({ source, at, texts, sent }: EventWrite, before: EventRow) {
  const { derived: _, ...columns } = texts
  const changed = { updated_at: at, updated_by: source.by, ...source.means, version: before.version + 1 }
  return { ...changed, ...columns, dav_name: sent?.name ?? before.dav_name, sent_ical: sent?.text ?? null }
}
