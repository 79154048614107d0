// Fills an empty database: rows are derived by the service's own code, and written many at a time.
import { sql } from 'kysely'
import { openStoredText } from '../src/actions/events/event-texts.ts'
import { publicTextInSteps } from '../src/actions/events/public-text.ts'
import { rebuildTarget } from '../src/actions/maintenance/reindex.ts'
import { openContext } from '../src/boot.ts'
import { loadConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { overrideOccurrence } from '../src/domain/calendar/occurrence-update.ts'
import { replaceSeries } from '../src/domain/calendar/update.ts'
import { runSteps } from '../src/domain/steps.ts'
import { encodeSeries } from '../src/ical/encode.ts'
import { printCalendar } from '../src/ical/text/print.ts'
import { isPostgres } from '../src/storage/dialect.ts'
import { inTransaction } from '../src/storage/engine/transaction.ts'
import { type IndexSpan, readIndexSpan } from '../src/storage/events/calendar.ts'
import { derive } from '../src/storage/events/derive.ts'
import { keyOfId } from '../src/storage/events/events.ts'
import { setTzVersion } from '../src/storage/operations/instance.ts'
import type { Db, EventRow, ExceptionRow, OccurrenceRow, PublicWordRow } from '../src/storage/tables.ts'
import { type MadeEvent, type Month, makeEvents } from './make-events.ts'

const BATCH = 1_000

interface Rows {
  events: EventRow[]
  exceptions: ExceptionRow[]
  occurrences: OccurrenceRow[]
  public_words: PublicWordRow[]
}

/** Returns the version of the database it filled. */
export const loadData = (env: Record<string, string>, size: number, month: Month): Promise<string> =>
  loadEvents(env, makeEvents(size, month))

export async function loadEvents(env: Record<string, string>, events: Iterable<MadeEvent>): Promise<string> {
  const ctx = await openContext(loadConfig(env))
  try {
    const span = await readIndexSpan(ctx.storage.reads)
    let loaded = 0
    for (const batch of inBatches(events)) {
      const rows = emptyRows()
      for (const made of batch) addRows(ctx, rows, made, ++loaded, span)
      await inTransaction(ctx.storage, (db) => insertAll(db, rows, loaded))
    }
    // The rows were derived just now with this runtime's zone data, so no start derives them again.
    await inTransaction(ctx.storage, (db) => setTzVersion(db, rebuildTarget(ctx, process.versions.tz ?? '')))
    // PostgreSQL does both by itself within minutes of such a load; those minutes must not be measured.
    if (ctx.storage.engine === 'postgres') {
      await sql`vacuum analyze`.execute(ctx.storage.writes)
      await sql`checkpoint`.execute(ctx.storage.writes)
    }
    return await versionOf(ctx)
  } finally {
    await ctx.storage.close()
  }
}

function* inBatches(events: Iterable<MadeEvent>): Generator<MadeEvent[]> {
  let batch: MadeEvent[] = []
  for (const event of events) {
    batch.push(event)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

const emptyRows = (): Rows => ({ events: [], exceptions: [], occurrences: [], public_words: [] })

/** The steps of createEvent before the database: fields, series, text, and the columns parsed from the text. */
function addRows(ctx: Context, rows: Rows, { fields, edited }: MadeEvent, revision: number, span: IndexSpan): void {
  const { timezone, defaultVisibility } = ctx.config
  const now = ctx.clock()
  const id = ctx.newId()
  const event_key = keyOfId(id)!
  const plain = replaceSeries(`${id}@localhost`, fields, { zone: timezone, visibility: defaultVisibility }).series
  const series = edited ? overrideOccurrence(plain, edited.key, { location: edited.location }) : plain
  const ical = printCalendar(encodeSeries(series, now))
  const text = openStoredText(ical, timezone)
  const derived = derive(text.series, span)
  const record = {
    id,
    mask_epoch: 0,
    public_ical: runSteps(publicTextInSteps(ctx, text, { id, updated_at: now, mask_epoch: 0 }, span)),
    created_at: now,
    updated_at: now,
    created_by: null,
    updated_by: null,
    version: 1,
    revision,
    ical,
    dav_name: `${id}.ics`,
    sent_ical: null,
    updated_with: null,
    updated_credential_id: null,
    updated_through: null,
  }
  rows.events.push({ key: event_key, ...derived.columns, ...record })
  for (const row of derived.exceptions) rows.exceptions.push({ event_key, ...row, created_at: now, created_by: null })
  for (const row of derived.occurrences) rows.occurrences.push({ event_key, ...row })
  for (const row of derived.words) rows.public_words.push({ event_key, ...row })
}

async function insertAll(db: Db, rows: Rows, revision: number): Promise<void> {
  for (const table of ['events', 'exceptions', 'occurrences', 'public_words'] as const)
    await insertRows(db, table, rows[table])
  await db.updateTable('calendar').set({ revision }).execute()
}

/** One statement and one parameter for any number of rows. */
async function insertRows(db: Db, table: keyof Rows, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const target = sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})`
  const list = JSON.stringify(rows)
  if (isPostgres(db)) {
    const record = sql`json_populate_recordset(null::${sql.table(table)}, ${list}::json)`
    await sql`${target} select ${sql.join(columns.map((column) => sql.ref(column)))} from ${record}`.execute(db)
  } else {
    const values = columns.map((column) => sql`value->>${sql.lit(column)}`)
    await sql`${target} select ${sql.join(values)} from json_each(${list})`.execute(db)
  }
}

async function versionOf({ storage }: Context): Promise<string> {
  if (storage.engine === 'sqlite') return `SQLite ${process.versions.sqlite}`
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(storage.reads)
  return `PostgreSQL ${rows[0]!.server_version}`
}
