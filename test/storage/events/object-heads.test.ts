// Names and ETags of objects: read by page, name, range and change at a cost that does not depend on their texts.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import {
  listChangedHeads,
  listObjectHeadsAfter,
  listObjectHeadsAt,
  listObjectHeadsNamed,
  listObjectHeadsReaching,
  type ObjectHeadRow,
} from '../../../src/storage/events/objects.ts'
import { startWork } from '../../support/measure/effort.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const EVENTS = 30

async function fill({ writer }: World): Promise<void> {
  for (let i = 0; i < EVENTS; i++)
    await writer.creates({ title: `${i}`, start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
}

/** The repetitions that give enough CPU time to measure well. */
async function countReads(read: () => Promise<unknown>): Promise<number> {
  const work = startWork()
  for (let times = 1; ; times++) {
    await read()
    if (work() >= MEASURED_MS) return times
  }
}

/** Stops at `mostMs`, past which the exact time does not matter. */
async function measureReads(times: number, read: () => Promise<unknown>, mostMs: number): Promise<number> {
  const work = startWork()
  for (let i = 0; i < times && work() < mostMs; i++) await read()
  return work()
}

const MEASURED_MS = 60
const MOST_MS = 5 * MEASURED_MS

const JULY = { from: Date.UTC(2026, 6, 1), to: Date.UTC(2026, 7, 1) }

forEachEngine(
  'heads of objects are the same by page, name, range and change, whatever the length of their texts',
  (engine) =>
    withWorld(engine, async (world) => {
      await fill(world)
      const { reads, writes } = world.app.ctx.storage
      const all = await listObjectHeadsAfter(reads, -1, 500)
      assert.equal(all.length, EVENTS)
      const [first] = all
      const { ical } = await reads
        .selectFrom('events')
        .select('ical')
        .where('key', '=', first!.key)
        .executeTakeFirstOrThrow()
      assert.deepEqual([first!.octets, first!.sent_octets], [Buffer.byteLength(ical), null])
      const ways: Record<string, () => Promise<ObjectHeadRow[]>> = {
        page: () => listObjectHeadsAfter(reads, -1, 500),
        keys: () =>
          listObjectHeadsAt(
            reads,
            all.map(({ key }) => key),
          ),
        names: () =>
          listObjectHeadsNamed(
            reads,
            all.map(({ dav_name }) => dav_name),
          ),
        range: () => listObjectHeadsReaching(reads, JULY, -1, 500),
        changes: () => listChangedHeads(reads, { revision: 0, name: '' }, Number.MAX_SAFE_INTEGER, 500),
      }
      const byName = (rows: readonly ObjectHeadRow[]) =>
        rows
          .map(({ key, id, dav_name, version, revision, created_at, updated_at }) =>
            [dav_name, key, id, version, revision, created_at, updated_at].join(' '),
          )
          .sort()
      for (const [name, read] of Object.entries(ways)) assert.deepEqual(byName(await read()), byName(all), name)
      // PostgreSQL reads in its own process, whose work is not measured.
      if (engine === 'postgres') return
      const times: Record<string, number> = {}
      for (const [name, read] of Object.entries(ways)) times[name] = await countReads(read)
      const long = 'x'.repeat(400_000)
      await writes.updateTable('events').set({ ical: long, sent_ical: long, description: long }).execute()
      await sql`update events set search_text = ${long}`.execute(writes)
      const [grown] = await listObjectHeadsAfter(reads, -1, 1)
      assert.deepEqual([grown!.octets, grown!.sent_octets], [long.length, long.length])
      for (const [name, read] of Object.entries(ways)) {
        const ms = await measureReads(times[name]!, read, MOST_MS)
        assert.ok(ms < MOST_MS, `${name}: ${ms.toFixed()} ms, with short texts ${MEASURED_MS} ms`)
      }
    }),
)
