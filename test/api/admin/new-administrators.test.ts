// Making another administrator needs the own password: a stolen session or token is not enough.
import assert from 'node:assert/strict'
import type { Json } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { PASSWORD, withWorld } from '../../support/world.ts'

forEachEngine('a stolen session or token of an administrator makes no other administrator', (engine) =>
  withWorld(engine, async ({ admin, addPerson, signIn, with: withHeaders }) => {
    const created = await admin.post('/auth/tokens', { name: 'script', scopes: ['admin'] })
    const token = withHeaders({ authorization: `Bearer ${created.body.data.token}` })
    const session = await signIn('admin@example.org')
    const id = await addPerson('new@example.org', 'reader', 'pending_approval')
    const raise = { approval_state: 'approved', role: 'admin' }
    const refused = await token.patch(`/admin/users/${id}`, { ...raise, current_password: PASSWORD })
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_capability'])
    for (const [sent, code] of [
      [{}, 'required'],
      [{ current_password: 'not the password' }, 'not_allowed'],
    ] as const) {
      const answer = await session.patch(`/admin/users/${id}`, { ...raise, ...sent })
      const fields = answer.body.error.details.fields.map(({ field, code }: Json) => [field, code])
      assert.deepEqual([answer.status, fields], [422, [['/current_password', code]]])
    }
    const before = (await admin.get(`/admin/users/${id}`)).body.data
    assert.deepEqual([before.role, before.approval_state], ['reader', 'pending_approval'])
    assert.equal((await token.patch(`/admin/users/${id}`, { approval_state: 'approved' })).status, 200)
    const raised = await session.patch(`/admin/users/${id}`, { role: 'admin', current_password: PASSWORD })
    assert.deepEqual([raised.status, raised.body.data.role], [200, 'admin'])
  }),
)
