// Diagnostics for administrators: the latest requests of every node, newest first, up to a limit.
import assert from 'node:assert/strict'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { insertAudit } from '../../../src/storage/operations/audit.ts'
import type { Json } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withTwoNodes, withWorld } from '../../support/world.ts'

const routes = ({ body }: { body: Json }): string[] => body.data.map((trace: Json) => trace.request.route)

forEachEngine('recent requests are listed, newest first', (engine) =>
  withWorld(engine, async ({ anonymous, admin }) => {
    await anonymous.get('/events')
    const missing = await anonymous.get('/events/5tq0fj1m3v8k2c9r7d6h4n0b1e')
    const answer = await admin.get('/admin/diagnostics')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.deepEqual(routes(answer), ['/events/{event_id}', '/events'])
    const [newest] = answer.body.data
    assert.equal(newest.request_id, missing.headers['x-request-id'])
    assert.equal(newest.response.error_code, 'event_not_found')
    assert.deepEqual(answer.body.meta, { counts: { skipped: 0 } })
    assert.deepEqual(
      routes(await admin.get('/admin/diagnostics?limit=1')),
      ['/admin/diagnostics'],
      'looking leaves a trace as well',
    )
  }),
)

forEachEngine('twenty are listed unless another number is requested, at most two hundred', (engine) =>
  withWorld(engine, async ({ anonymous, admin, app }) => {
    for (let i = 0; i < 3; i++) {
      // Each another, because of repeated reads fewer are traced.
      for (let j = 0; j < 70; j++) await anonymous.get(`/public/categories?n=${i}-${j}`)
      await app.flushTraces()
    }
    assert.equal((await admin.get('/admin/diagnostics')).body.data.length, 20)
    assert.equal((await admin.get('/admin/diagnostics?limit=1')).body.data.length, 1)
    assert.equal((await admin.get('/admin/diagnostics?limit=200')).body.data.length, 200)
    for (const [limit, status, code] of [
      ['0', 422, 'validation_failed'],
      ['201', 422, 'validation_failed'],
      ['999999999', 422, 'validation_failed'],
      ['x', 400, 'invalid_parameter'],
      ['', 400, 'invalid_parameter'],
      ['1.5', 400, 'invalid_parameter'],
      ['-1', 422, 'validation_failed'],
      ['1e2', 400, 'invalid_parameter'],
      ['20&limit=30', 400, 'duplicate_parameter'],
    ] as const) {
      const answer = await admin.get(`/admin/diagnostics?limit=${limit}`)
      assert.equal(answer.status, status, limit)
      assert.equal(answer.body.error.code, code, limit)
    }
  }),
)

forEachEngine('only administrators may read them', (engine) =>
  withWorld(engine, async ({ anonymous, reader, writer }) => {
    for (const path of ['/admin/diagnostics', '/admin/diagnostics?limit=x', '/admin/audit', '/admin/audit?page=0']) {
      assert.equal((await anonymous.get(path)).status, 401, path)
      for (const client of [reader, writer]) {
        const answer = await client.get(path)
        assert.equal(answer.status, 403, path)
        assert.equal(answer.body.error.code, 'admin_required', path)
      }
    }
  }),
)

forEachEngine('two nodes share one list', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    await one.anonymous.get('/events')
    await two.anonymous.get('/events?view=day')
    await one.app.flushTraces()
    const answer = await two.admin.get('/admin/diagnostics')
    assert.deepEqual(
      new Set(answer.body.data.map((trace: Json) => trace.node)),
      new Set([one.app.ctx.nodeId, two.app.ctx.nodeId]),
    )
  }),
)

forEachEngine('credentials sent in clear cause a warning for seven days', (engine) =>
  withWorld(engine, async ({ admin, app, clock }) => {
    const entry = { actorId: null, subjectId: null, requestId: 'r', detail: {} }
    const insert = (action: 'credentials_in_clear' | 'login_failed') =>
      inTransaction(app.ctx.storage, (db) => insertAudit(db, { ...entry, action }, clock.at))
    const warnings = async () => (await admin.get('/admin/diagnostics')).body.meta.warnings
    await insert('login_failed')
    assert.equal(await warnings(), undefined)
    await insert('credentials_in_clear')
    assert.deepEqual(await warnings(), ['credentials_in_clear'])
    clock.at += 6 * 86_400_000
    assert.deepEqual(await warnings(), ['credentials_in_clear'])
    clock.at += 86_400_001
    assert.equal(await warnings(), undefined)
    clock.at += 400 * 86_400_000
    await insert('credentials_in_clear')
    clock.at -= 400 * 86_400_000
    assert.equal(await warnings(), undefined, 'nor until the time to which a clock was ahead')
  }),
)
