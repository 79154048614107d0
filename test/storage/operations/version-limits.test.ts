// Limits of an event's earlier versions: how many, how many bytes, and what a batch of packing leaves readable.
import assert from 'node:assert/strict'
import { packVersions } from '../../../src/actions/history/pack-versions.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import {
  findVersion,
  isPruneDue,
  MAX_VERSION_OCTETS,
  MAX_VERSIONS,
  pruneVersions,
} from '../../../src/storage/history/versions.ts'
import type { EventRow, EventVersionRow } from '../../../src/storage/tables.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const versionOf = (version: number, more: Partial<EventVersionRow> = {}): EventVersionRow => ({
  ...{ event_key: 1, version, changed_at: version, changed_by: null, changed_with: null, credential_id: null },
  ...{ changed_through: null, visibility: 'private', ended_at: version + 1, deleted_by: null, deleted_with: null },
  ...{ octets: 4, packing: 0, same_version: null, ical: 'text', sent_ical: null, packed: null },
  ...more,
})

async function insertVersions({ app }: World, rows: readonly EventVersionRow[]): Promise<void> {
  const { writes } = app.ctx.storage
  for (let i = 0; i < rows.length; i += 500)
    await writes
      .insertInto('event_versions')
      .values(rows.slice(i, i + 500))
      .execute()
}

async function versionsLeft({ app }: World, key = 1): Promise<number[]> {
  const { storage } = app.ctx
  await inTransaction(storage, (db) => pruneVersions(db, key))
  const rows = await storage.reads
    .selectFrom('event_versions')
    .select('version')
    .where('event_key', '=', key)
    .orderBy('version')
    .execute()
  return rows.map(({ version }) => version)
}

forEachEngine('of an event the last 10,000 versions are kept, and 64 MiB of their texts', (engine) =>
  withWorld(engine, async (world) => {
    const many = Array.from({ length: MAX_VERSIONS + 100 }, (_, i) => versionOf(i + 1))
    await insertVersions(world, many)
    const kept = await versionsLeft(world)
    assert.deepEqual([kept.length, kept[0]], [MAX_VERSIONS, 101])
    const long = Array.from({ length: 100 }, (_, i) =>
      versionOf(i + 1, { event_key: 2, octets: MAX_VERSION_OCTETS / 32 }),
    )
    await insertVersions(world, long)
    assert.deepEqual(
      await versionsLeft(world, 2),
      Array.from({ length: 32 }, (_, i) => 69 + i),
    )
    await insertVersions(world, [versionOf(1, { event_key: 3, octets: 2 * MAX_VERSION_OCTETS })])
    assert.deepEqual(await versionsLeft(world, 3), [1], 'the last one stays')
  }),
)

forEachEngine('the limits are enforced by the changes themselves', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, app } = world
    const times = { start: '2026-07-20T10:00', end: '2026-07-20T11:00' }
    const { id } = await writer.creates({ title: 'Choir', ...times })
    const { key } = (await app.ctx.storage.reads.selectFrom('events').select('key').executeTakeFirst())!
    const full = { event_key: key, octets: MAX_VERSION_OCTETS }
    await inTransaction(app.ctx.storage, async (db) => {
      await db.updateTable('events').set({ version: 127 }).execute()
      await db
        .insertInto('event_versions')
        .values([versionOf(1, full), versionOf(2, full)])
        .execute()
    })
    await writer.patch(`/events/${id}`, { title: 'One', version: 127 })
    assert.equal((await app.ctx.storage.reads.selectFrom('event_versions').select('version').execute()).length, 3)
    await writer.patch(`/events/${id}`, { title: 'Two', version: 128 })
    const left = await app.ctx.storage.reads.selectFrom('event_versions').select('version').orderBy('version').execute()
    assert.deepEqual(
      left.map(({ version }) => version),
      [127, 128],
    )
    const row = { version: 5, ical: 'x'.repeat(20_000), sent_ical: 'x'.repeat(20_000) } as EventRow
    assert.equal(isPruneDue(row), true, 'long texts are counted at every change')
    assert.equal(isPruneDue({ ...row, sent_ical: null }), false)
  }),
)

forEachEngine('packing leaves every text as it was, and a version that was deleted meanwhile deleted', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const texts = ['', 'a', 'BEGIN:VCALENDAR\r\n', 'ä\u0000\ud800"\\', 'x'.repeat(700_000), String(Math.PI).repeat(9)]
    const storable =
      engine === 'postgres'
        ? texts.filter((text) => !/[\u0000\ud800]/.test(text))
        : [...texts.slice(0, 3), ...texts.slice(4)]
    const rows = storable.flatMap((ical, i) => [
      versionOf(2 * i + 1, { ical, octets: Buffer.byteLength(ical) }),
      versionOf(2 * i + 2, { ical, sent_ical: `${ical}\r\n`, octets: 2 * Buffer.byteLength(ical) + 2 }),
    ])
    await insertVersions(world, rows)
    await packVersions(ctx)
    for (const { version, ical, sent_ical } of rows) {
      const found = await findVersion(ctx.storage.reads, 1, version)
      assert.ok(found?.ical === ical && found.sent_ical === sent_ical, `version ${version}`)
    }
    const waiting = await ctx.storage.reads
      .selectFrom('event_versions')
      .select('version')
      .where('packing', '=', 0)
      .execute()
    assert.deepEqual(waiting, [])
  }),
)
