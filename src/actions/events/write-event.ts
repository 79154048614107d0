// Writes events for every protocol: builds the record and stores it with its derived rows.
import type { Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { fail } from '../../errors.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { blocksEventLoop } from '../../storage/dialect.ts'
import { insertEvent, keyOfId, updateAtNextRevision, updateEvent } from '../../storage/events/events.ts'
import { insertEvents } from '../../storage/events/insert-events.ts'
import type { Db, EventRecord, EventRow } from '../../storage/tables.ts'
import { requireSpan } from '../costly-work/costly-writes.ts'
import type { Texts } from './event-texts.ts'

export interface EventWrite {
  id: string
  by: string | null
  at: Instant
  texts: Texts
  /** The span of the index that the texts were derived for. */
  span: Range
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
  const { before, span } = write
  const { derived } = write.texts
  if (!before) {
    const record = newRecord(write)
    const { revision, span: current } = await insertEvent(db, record, derived)
    requireSpan(current, span)
    return { key: keyOfId(record.id)!, ...derived.columns, ...record, revision }
  }
  const record = changedRecord(write, before)
  const raised = (await updateAtNextRevision(db, before, record, derived)) ?? fail('version_mismatch')
  requireSpan(raised.span, span)
  return { ...before, ...derived.columns, ...record, revision: raised.revision }
}

/** Stores many events at one revision: new ones together, then the changed ones. */
export async function writeEvents(
  db: Db,
  writes: readonly Omit<EventWrite, 'span'>[],
  revision: number,
): Promise<void> {
  const added = writes.filter(({ before }) => !before)
  await insertEvents(
    db,
    added.map((write) => ({ record: { ...newRecord(write), revision }, derived: write.texts.derived })),
  )
  // PostgreSQL does not block the event loop, and other writers may wait for the transaction.
  const yieldIfDue = blocksEventLoop(db) ? createYielder() : () => undefined
  for (const write of writes) {
    const { before, texts } = write
    if (!before) continue
    await yieldIfDue()
    const isChanged = await updateEvent(db, before, { ...changedRecord(write, before), revision }, texts.derived)
    if (!isChanged) throw new Error('an event has changed')
  }
}

function newRecord({ id, by, at, texts, sent }: Omit<EventWrite, 'span'>): Omit<EventRecord, 'revision'> {
  const { derived: _, ...columns } = texts
  return {
    id,
    created_at: at,
    updated_at: at,
    created_by: by,
    updated_by: by,
    version: 1,
    ...columns,
    dav_name: sent?.name ?? `${id}.ics`,
    sent_ical: sent?.text ?? null,
  }
}

function changedRecord({ by, at, texts, sent }: Omit<EventWrite, 'span'>, before: EventRow) {
  const { derived: _, ...columns } = texts
  const changed = { updated_at: at, updated_by: by, version: before.version + 1, ...columns }
  return { ...changed, dav_name: sent?.name ?? before.dav_name, sent_ical: sent?.text ?? null }
}
