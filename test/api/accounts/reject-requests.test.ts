// Bulk rejection of account requests: only pending ones, with a result and an audit row for each, within limits.
import assert from 'node:assert/strict'
import type { Json } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withTwoNodes, withWorld } from '../../support/world.ts'

forEachEngine('many requests are rejected at once, and each id has its result', (engine) =>
  withWorld(engine, async ({ admin, writer, addPerson, app }) => {
    const waiting = [await addPerson('a@example.org', 'writer', 'pending_approval', false)]
    waiting.push(await addPerson('b@example.org', 'admin', 'pending_approval'))
    const approved = (await admin.get('/admin/users?q=admin')).body.data[0]
    const suspended = await addPerson('c@example.org', 'writer', 'suspended')
    const ids = [waiting[0], approved.id, 'nobody', waiting[1], suspended, waiting[0]]
    assert.equal((await writer.post('/admin/users/reject', { ids })).body.error.code, 'admin_required')
    const answer = await admin.post('/admin/users/reject', { ids })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.data, [
      { id: waiting[0], approval_state: 'rejected' },
      { id: approved.id, approval_state: 'approved', error: 'invalid_state_transition' },
      { id: 'nobody', approval_state: null, error: 'user_not_found' },
      { id: waiting[1], approval_state: 'rejected' },
      { id: suspended, approval_state: 'suspended', error: 'invalid_state_transition' },
    ])
    const person = (await admin.get(`/admin/users/${waiting[0]}`)).body.data
    assert.deepEqual(
      [person.approval_state, person.version, person.decided_by, person.decided_at],
      ['rejected', 2, approved.id, '2026-07-10T12:00:00Z'],
    )
    const audit = (await admin.get('/admin/audit?action=user_changed')).body.data
    assert.deepEqual(audit.map(({ subject_id }: Json) => subject_id).sort(), waiting.toSorted())
    for (const { actor_id, detail } of audit)
      assert.deepEqual(
        [actor_id, detail],
        [approved.id, { approval_state_from: 'pending_approval', approval_state_to: 'rejected' }],
      )
    assert.deepEqual(await app.ctx.storage.reads.selectFrom('outbox').selectAll().execute(), [], 'no mail is sent')
    const again = await admin.post('/admin/users/reject', { ids: waiting, notify: true })
    assert.deepEqual(
      again.body.data.map(({ error }: Json) => error),
      Array(2).fill('invalid_state_transition'),
    )
    for (const [body, code] of [
      [{ ids: [] }, '/ids'],
      [{ ids: Array(501).fill('x') }, '/ids'],
      [{}, '/ids'],
      [{ ids: ['a', 'b\u0000'] }, '/ids/1'],
    ] as const) {
      const refused = await admin.post('/admin/users/reject', body)
      assert.deepEqual([refused.status, refused.body.error.details.fields[0].field], [422, code])
    }
  }),
)

forEachEngine('of a bulk rejection and an approval at the same moment, one holds', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    for (let round = 0; round < 5; round++) {
      const ids: string[] = []
      for (let i = 0; i < 5; i++)
        ids.push(await one.addPerson(`p${round}-${i}@example.org`, 'writer', 'pending_approval'))
      const [many, approval] = await Promise.all([
        one.admin.post('/admin/users/reject', { ids, notify: true }),
        two.admin.patch(`/admin/users/${ids[2]}`, { approval_state: 'approved', version: 1 }),
      ])
      const isRejected = many.body.data[2].error === undefined
      assert.equal(approval.status !== 200, isRejected, approval.text)
      const { approval_state } = (await one.admin.get(`/admin/users/${ids[2]}`)).body.data
      assert.equal(approval_state, isRejected ? 'rejected' : 'approved')
    }
  }),
)
