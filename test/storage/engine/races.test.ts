// Concurrent writes: exactly one wins, and nothing acknowledged is lost. Two nodes where the engine allows them.
import assert from 'node:assert/strict'
import { patiently } from '../../support/connection-limits.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withTwoNodes, withWorld } from '../../support/world.ts'

const series = { title: 'Series', start: '2026-07-01T09:00', end: '2026-07-01T10:00', rrule: 'FREQ=DAILY;COUNT=60' }

forEachEngine('F10: of a hundred updates of one version on two nodes exactly one wins', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const { id } = await one.writer.creates(series)
    for (let version = 1; version <= byRunLength(2, 5); version++) {
      const tries = Array.from({ length: 100 }, (_, i) =>
        patiently(() => (i % 2 ? one : two).writer.patch(`/events/${id}`, { title: `v${version} by ${i}`, version })),
      )
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 200).length, 1)
      assert.equal(statuses.filter((status) => status === 412).length, 99)
      assert.equal((await two.writer.get(`/events/${id}`)).body.data.version, version + 1)
    }
  }),
)

forEachEngine('F13: one occurrence deleted fifty times at once is deleted once', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const { id } = await one.writer.creates(series)
    const tries = Array.from({ length: 50 }, (_, i) =>
      patiently(() => (i % 2 ? one : two).writer.delete(`/events/${id}/occurrences/20260705T090000`)),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 204).length, 1)
    assert.equal(statuses.filter((status) => status === 404).length, 49)
    assert.equal((await one.writer.get(`/events/${id}`)).body.data.version, 2)
  }),
)

forEachEngine('F13: fifty different occurrences deleted at once are all gone', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const { id } = await one.writer.creates(series)
    const keys = Array.from(
      { length: 50 },
      (_, i) => `${new Date(Date.UTC(2026, 6, 1 + i)).toISOString().slice(0, 10).replaceAll('-', '')}T090000`,
    )
    const answers = await Promise.all(
      keys.map((key, i) => patiently(() => (i % 2 ? one : two).writer.delete(`/events/${id}/occurrences/${key}`))),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(50).fill(204),
    )
    const { data } = (await two.writer.get(`/events/${id}`)).body
    assert.deepEqual(data.exdates, keys)
    assert.equal(data.exceptions.length, 50)
    assert.equal(data.version, 51)
  }),
)

forEachEngine('a write on one node is visible at once on the other, cached lists included', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const { id } = await one.writer.creates(series)
    const title = async (world: World) =>
      (await world.writer.get('/events?view=day&from=2026-07-02')).body.data[0].title
    for (let version = 1; version <= 10; version++) {
      const [writer, reader] = version % 2 ? [one, two] : [two, one]
      await writer.writer.patch(`/events/${id}`, { title: `v${version}`, version })
      assert.equal(await title(reader), `v${version}`)
      assert.equal(await title(writer), `v${version}`)
    }
  }),
)

forEachEngine('F9: many writers of many kinds never get a server error', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await one.writer.creates(series)).id)
    const act = (i: number): Promise<ApiResponse> => {
      const { writer } = i % 2 ? one : two
      const id = ids[i % ids.length]
      if (i % 3 === 0) return writer.post('/events', { ...series, uid: `u${i % 30}@example.org` })
      if (i % 3 === 1)
        return writer.delete(`/events/${id}/occurrences/202607${String(1 + (i % 28)).padStart(2, '0')}T090000`)
      return writer.patch(`/events/${id}`, { title: `t${i}`, version: 1 + (i % 4) })
    }
    const acts = Array.from({ length: 150 }, (_, i) => patiently(() => act(i)))
    const statuses = new Set((await Promise.all(acts)).map(({ status }) => status))
    for (const status of statuses) assert.ok([200, 201, 204, 404, 409, 412].includes(status), `${status}`)
    const listed = (await one.writer.get('/events?per_page=200')).body.data
    assert.equal(new Set(listed.map((item: Json) => item.uid)).size, listed.length)
  }),
)

forEachEngine('every change raises the revision, and a deletion leaves a tombstone', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    const revision = async () =>
      (await app.ctx.storage.reads.selectFrom('calendar').select('revision').executeTakeFirstOrThrow()).revision
    const before = await revision()
    const { id } = await writer.creates(series)
    await writer.patch(`/events/${id}`, { title: 'B', version: 1 })
    await writer.delete(`/events/${id}/occurrences/20260705T090000`)
    await writer.delete(`/events/${id}`)
    assert.equal(await revision(), before + 4)
    const gone = await app.ctx.storage.reads.selectFrom('gone_names').selectAll().execute()
    assert.deepEqual(
      gone.map((row) => [row.dav_name, row.revision]),
      [[`${id}.ics`, before + 4]],
    )
    for (const table of ['events', 'exceptions', 'occurrences'] as const) {
      assert.equal((await app.ctx.storage.reads.selectFrom(table).selectAll().execute()).length, 0, table)
    }
  }),
)
