// The trace recorder: a bounded queue, one batch a second, and no failure that reaches a request.
import assert from 'node:assert/strict'
import { createRecorder, type Recorder, type RequestTrace } from '../../../src/actions/maintenance/diagnostics.ts'
import { purgeExpired } from '../../../src/actions/maintenance/housekeeping.ts'
import type { NewAuditEntry } from '../../../src/domain/account/audit.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { insertTraces, listTraces, purgeTraces } from '../../../src/storage/operations/traces.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const traceOf = (id: string, status = 200): RequestTrace => ({
  id,
  at: '2026-07-10T12:00:00Z',
  request_id: id,
  node: 'n',
  duration_ms: 1,
  auth: 'anonymous',
  user_id: null,
  client_net: null,
  request: { method: 'GET', route: '/events', query: {}, headers: {}, body: null, bytes: null },
  response: { status, error_code: null, headers: {}, bytes: null },
  rate_policy: null,
})

const failedLogin: NewAuditEntry = { action: 'login_failed', actorId: null, subjectId: 'u', requestId: 'r', detail: {} }

const story = (name: string, tell: (recorder: Recorder, world: World) => Promise<void>) =>
  forEachEngine(name, (engine) =>
    withWorld(engine, async (world) => {
      const recorder = createRecorder(world.app.ctx)
      await tell(recorder, world).finally(() => recorder.stop())
    }),
  )

/** Offers so many traces and returns how many were accepted. */
function offer(recorder: Recorder, count: number, status: number, at = 0): number {
  let taken = 0
  for (let i = 0; i < count; i++) {
    if (recorder.hasRoom(status >= 400)) {
      recorder.trace(traceOf(`${status}-${i}`, status), at)
      taken += 1
    } else recorder.skip()
  }
  return taken
}

const stored = async ({ app }: World): Promise<string[]> =>
  (await listTraces(app.ctx.storage.reads, 10_000)).map((entry) => JSON.parse(entry).id)

story('at most a hundred successes are kept each second, which leaves room for failures', async (recorder, world) => {
  assert.equal(offer(recorder, 150, 200), 100)
  assert.equal(offer(recorder, 150, 404), 100)
  assert.equal(offer(recorder, 1, 500), 0)
  assert.equal(recorder.skipped(), 101)
  await recorder.flush()
  assert.equal((await stored(world)).length, 200)
  assert.equal(offer(recorder, 250, 503), 200, 'the next second begins with room')
})

story('traces are kept in the order they came, and read newest first', async (recorder, world) => {
  offer(recorder, 3, 200)
  offer(recorder, 2, 404)
  await recorder.flush()
  assert.deepEqual(await stored(world), ['404-1', '404-0', '200-2', '200-1', '200-0'])
})

story('the queue is bounded while the database does not answer', async (recorder, { app }) => {
  const { storage } = app.ctx
  const { writes } = storage
  const silence = Promise.withResolvers<never>()
  storage.writes = { transaction: () => ({ execute: () => silence.promise }) } as never
  let taken = 0
  const flushes: Promise<void>[] = []
  for (let second = 0; second < 10; second++) {
    taken += offer(recorder, 200, 404)
    flushes.push(recorder.flush())
    // The first batch is on its way by now; the rest waits behind it.
    await Promise.resolve()
  }
  assert.equal(taken, 200 + 1_000)
  storage.writes = writes
  silence.reject(new Error('gone'))
  await Promise.all(flushes)
})

story(
  'a failing database drops traces without an error and keeps what belongs to the audit trail',
  async (recorder, world) => {
    const { storage } = world.app.ctx
    const { writes } = storage
    storage.writes = { transaction: () => ({ execute: () => Promise.reject(new Error('gone')) }) } as never
    offer(recorder, 5, 200)
    recorder.audit(failedLogin, 1)
    await recorder.flush()
    assert.equal(recorder.skipped(), 5)
    storage.writes = writes
    recorder.audit(failedLogin, 2)
    await recorder.flush()
    assert.deepEqual(await stored(world), [])
    const rows = await storage.reads.selectFrom('audit').select(['at', 'action', 'subject_id']).orderBy('seq').execute()
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [1, 2].map((at) => ({ at, action: 'login_failed', subject_id: 'u' })),
    )
  },
)

story('queued traces are written at shutdown', async (recorder, world) => {
  offer(recorder, 2, 200)
  await recorder.stop()
  assert.equal((await stored(world)).length, 2)
})

story('at most ten thousand traces of seven days are kept', async (recorder, { app, clock }) => {
  const day = 86_400_000
  const rows = Array.from({ length: 10_050 }, (_, i) => ({ at: clock.at, entry: `{"id":"${i}"}` }))
  await inTransaction(app.ctx.storage, async (db) => {
    await insertTraces(db, [{ at: clock.at - 8 * day, entry: '{"id":"old"}' }, ...rows])
    await purgeTraces(db, clock.at)
  })
  const ids = (await listTraces(app.ctx.storage.reads, 20_000)).map((entry) => JSON.parse(entry).id)
  assert.equal(ids.length, 10_000)
  assert.equal(ids[0], '10049')
  assert.equal(ids.at(-1), '50')
  clock.at += 6 * day
  await inTransaction(app.ctx.storage, (db) => purgeTraces(db, clock.at))
  assert.equal((await listTraces(app.ctx.storage.reads, 20_000)).length, 10_000)
  clock.at += 2 * day
  for (let i = 0; i < 5; i++) {
    offer(recorder, 200, 404, clock.at)
    await recorder.flush()
  }
  assert.equal((await listTraces(app.ctx.storage.reads, 20_000)).length, 10_000, 'old ones go while new ones come')
  await purgeExpired(app.ctx)
  assert.equal((await listTraces(app.ctx.storage.reads, 20_000)).length, 1_000)
})

story('of repeated reads ten are traced each second, as far as there is room', async (recorder) => {
  const taken = (count: number): number => Array.from({ length: count }, recorder.takesRepeat).filter(Boolean).length
  assert.equal(taken(50), 10)
  assert.equal(offer(recorder, 150, 200), 100, 'other requests keep their room')
  await recorder.flush()
  assert.equal(taken(50), 10, 'the next second begins with room')
  offer(recorder, 150, 200)
  await recorder.flush()
  offer(recorder, 150, 200)
  assert.equal(taken(50), 0)
})
