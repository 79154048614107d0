// Writes whose event or index changes during preparation: prepared again in parts, not in a transaction.
import assert from 'node:assert/strict'
import type { Db } from '../../../src/storage/tables.ts'
import { MAIN } from '../../caldav/support/events.ts'
import { event, file } from '../../ical/files.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type HeldRequest, holdWritesOf } from '../../support/storage/held-writes.ts'
import { withWorld } from '../../support/world.ts'

const NAME = `${MAIN}costly.ics`
const dayOf = (i: number): string => `202607${`0${i + 1}`.slice(-2)}T100000Z`

/** Edited occurrences with words that are slow to fold. */
const seriesOf = (title: string, edits: number): string =>
  file(
    event('costly', `DTSTART:${dayOf(0)}`, 'RRULE:FREQ=DAILY', `SUMMARY:${title}`, 'CLASS:PUBLIC'),
    ...Array.from({ length: edits }, (_, i) => {
      const lines = [`RECURRENCE-ID:${dayOf(i)}`, `DTSTART:${dayOf(i)}`, `DESCRIPTION:${'\u6f22'.repeat(9_900)}`]
      return event('costly', ...lines)
    }),
  )

const ANY = { 'if-match': '*' }
const EDITS = 25

/** A new revision of the event without any other change. */
const touch = (db: Db): Promise<unknown> =>
  db
    .updateTable('events')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute()

forEachEngine('a costly write is prepared again in short turns where its event changed meanwhile', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const dav = davOf(writer)
    const { writes } = world.app.ctx.storage
    const hold = holdWritesOf(world)
    assert.equal((await dav.put(NAME, seriesOf('first', 0))).status, 201)
    const [{ id }] = (await writer.get('/events?page=1')).body.data
    let held: HeldRequest<ApiResponse> | undefined
    const prepareAndChange = async (
      send: () => Promise<ApiResponse>,
      change: () => Promise<unknown>,
    ): Promise<void> => {
      held = hold(send)
      await held.reached
      await change()
    }
    const finish = async (): Promise<void> => {
      held!.letGo()
      const { status } = await held!.answer
      assert.ok(status === 204 || status === 200, `${status}`)
    }
    const putLight = async (title: string): Promise<void> =>
      assert.equal((await dav.put(NAME, seriesOf(title, 0), ANY)).status, 204)
    await assertShortTurns('PUT', { share: 0.3 }, finish, async (run) => {
      await putLight(`before ${run}`)
      await prepareAndChange(
        () => dav.put(NAME, seriesOf(`${run}`, EDITS), ANY),
        () => putLight(`between ${run}`),
      )
    })
    assert.match((await dav.get(NAME)).text, /RECURRENCE-ID/)
    await assertShortTurns('PATCH', { share: 0.3 }, finish, async (run) => {
      const { version } = (await writer.get(`/events/${id}`)).body.data
      // As after a MOVE, which keeps the version.
      await prepareAndChange(
        () => writer.patch(`/events/${id}`, { title: `Title ${run}`, version }),
        () => touch(writes),
      )
    })
    assert.match((await dav.get(NAME)).text, /SUMMARY:Title/)
    // A change that was light when it was checked, of an event that is costly when it is written.
    await assertShortTurns('DELETE of an occurrence', { share: 0.3 }, finish, async (run) => {
      await putLight(`before ${run}`)
      await prepareAndChange(
        () => writer.delete(`/events/${id}/occurrences/${dayOf(29)}`),
        async () => assert.equal((await dav.put(NAME, seriesOf(`${run}`, EDITS), ANY)).status, 204),
      )
    })
    assert.match((await dav.get(NAME)).text, /EXDATE/)
  }),
)

forEachEngine('a costly write ends after three tries, and at once where its condition no longer holds', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, app } = world
    const dav = davOf(writer)
    const { headers } = await dav.put(NAME, seriesOf('first', 2))
    const [{ id, version }] = (await writer.get('/events?page=1')).body.data
    const { storage } = app.ctx
    const { writes } = storage
    let transactions = 0
    const transaction = () => ({
      async execute(work: (db: Db) => Promise<unknown>) {
        await touch(writes)
        try {
          return await writes.transaction().execute(work)
        } catch (error) {
          // Transactions of the service itself, which run at any time, do not fail.
          transactions += 1
          throw error
        }
      },
    })
    storage.writes = new Proxy(writes, {
      get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
    })
    const countOf = async (send: () => Promise<ApiResponse>): Promise<string> => {
      transactions = 0
      const { status } = await send()
      return `${status} after ${transactions}`
    }
    assert.equal(await countOf(() => dav.put(NAME, seriesOf('any', 2), ANY)), '503 after 3')
    assert.equal(await countOf(() => writer.patch(`/events/${id}`, { title: 'Other', version })), '503 after 3')
    const etag = String((await dav.get(NAME)).headers.etag)
    assert.equal(await countOf(() => dav.put(NAME, seriesOf('known', 2), { 'if-match': etag })), '412 after 1')
    assert.notEqual(etag, headers.etag)
    storage.writes = writes
    const after = await writer.get(`/events/${id}`)
    assert.deepEqual([after.body.data.title, after.body.data.version], ['first', version])
  }),
)

forEachEngine('a write after the index has moved derives its rows for the new span', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    const { reads, writes } = app.ctx.storage
    const dav = davOf(writer)
    const endless = { title: 'Daily', start: '2026-07-14T09:00', end: '2026-07-14T10:00', rrule: 'FREQ=DAILY' }
    const { id } = await writer.creates(endless)
    const put = (title: string, headers: Record<string, string>) => dav.put(NAME, seriesOf(title, 0), headers)
    await put('One', { 'if-none-match': '*' })
    const requests: (() => Promise<ApiResponse>)[] = [
      () => writer.post('/events', endless),
      () => writer.patch(`/events/${id}`, { title: 'Every day', version: 1 }),
      () => put('Two', ANY),
    ]
    for (const send of requests) {
      const { index_to } = await reads.selectFrom('calendar').select('index_to').executeTakeFirstOrThrow()
      const moved = index_to + 30 * 86_400_000
      await writes.updateTable('calendar').set({ index_to: moved }).execute()
      assert.ok((await send()).status < 300)
      const latest = reads.selectFrom('events').select('indexed_to').orderBy('revision', 'desc')
      assert.equal((await latest.executeTakeFirstOrThrow()).indexed_to, moved)
    }
  }),
)
