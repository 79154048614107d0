// Races between administrators on two nodes: whatever two do at the same moment, an administrator is left.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { lockAdmins } from '../../../src/storage/accounts/managed-accounts.ts'
import type { Storage } from '../../../src/storage/engine/storage.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import type { Db } from '../../../src/storage/tables.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withTwoNodes } from '../../support/world.ts'

type AdminChange = (client: Client, id: string) => Promise<ApiResponse>

const demote: AdminChange = (client, id) => client.patch(`/admin/users/${id}`, { role: 'writer' })
const suspend: AdminChange = (client, id) => client.patch(`/admin/users/${id}`, { approval_state: 'suspended' })
const unverify: AdminChange = (client, id) => client.patch(`/admin/users/${id}`, { email_verified: false })
const remove: AdminChange = (client, id) => client.delete(`/admin/users/${id}`)
const ADMIN_CHANGES = [demote, suspend, unverify, remove]

const activeAdmins = async ({ app }: World): Promise<number> =>
  (
    await app.ctx.storage.reads
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .where('approval_state', '=', 'approved')
      .where('email_verified_at', 'is not', null)
      .execute()
  ).length

const ROUNDS = byRunLength(24, 100)

forEachEngine('F12: of two administrators who remove each other, or both themselves, one is always left', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const first = (await one.admin.get('/admin/users?role=admin')).body.data[0].id
    await one.addPerson('spare@example.org', 'admin')
    assert.equal((await one.as('spare@example.org').delete(`/admin/users/${first}`)).status, 204)
    let left = 'spare@example.org'
    let refused = 0
    for (let round = 0; round < ROUNDS; round++) {
      const change = ADMIN_CHANGES[round % ADMIN_CHANGES.length]!
      const isMutual = round % 8 < 4
      const [a, b] = [`a${round}@example.org`, `b${round}@example.org`]
      const [idA, idB] = [await one.addPerson(a, 'admin'), await one.addPerson(b, 'admin')]
      const spareId = (await one.as(a).get(`/admin/users?q=${left}`)).body.data[0].id
      assert.equal((await one.as(a).delete(`/admin/users/${spareId}`)).status, 204)
      assert.equal(await activeAdmins(one), 2)
      // Both are authenticated on their node already, so that they meet at the lock and not at their passwords.
      await Promise.all([one.as(a).get('/admin/users'), two.as(b).get('/admin/users')])
      const answers = await Promise.all([
        change(one.as(a), isMutual ? idB : idA),
        change(two.as(b), isMutual ? idA : idB),
      ])
      const statuses = answers.map(({ status }) => status)
      assert.equal(
        statuses.filter((status) => status === 200 || status === 204).length,
        1,
        `round ${round}: ${statuses}`,
      )
      if (!isMutual) assert.ok(statuses.includes(409), `round ${round}: ${statuses}`)
      refused += statuses.filter((status) => status >= 400).length
      assert.equal(await activeAdmins(two), 1, `round ${round}`)
      const aIsLeft = isMutual === statuses[0]! < 300
      left = aIsLeft ? a : b
    }
    assert.equal(refused, ROUNDS)
  }),
)

/** Lets both reach the lock before either gets it: a later one would decide on the new state. */
async function atOnce(
  one: World,
  two: World,
  decide: () => [Promise<ApiResponse>, Promise<ApiResponse>],
): Promise<[ApiResponse, ApiResponse]> {
  const { storage } = one.app.ctx
  const answers = await inTransaction(storage, async (db) => {
    await lockAdmins(db)
    const asked = [one, two].map(({ app }) => watchWrites(app.ctx.storage))
    const both = Promise.all(decide())
    const haveArrived = async () =>
      one.engine === 'sqlite' ? asked.every((hasAsked) => hasAsked()) : (await waitingForLock(storage.reads)) >= 2
    await waitFor('both wait for the lock', haveArrived, { everyMs: 5 })
    return { both }
  })
  return answers.both
}

/** Whether a write transaction was requested since; while another one is open, it waits. */
function watchWrites({ writes }: Storage): () => boolean {
  let hasAsked = false
  const own = writes.transaction
  writes.transaction = () => {
    hasAsked = true
    writes.transaction = own
    return own.call(writes)
  }
  return () => hasAsked
}

async function waitingForLock(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_locks
    where not granted and locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
    db,
  )
  return rows[0]!.waiting
}

forEachEngine('of two decisions on the same request at once, one succeeds', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    await one.addPerson('other@example.org', 'admin')
    const [a, b] = [one.admin, two.as('other@example.org')]
    for (let round = 0; round < 10; round++) {
      const id = await one.addPerson(`p${round}@example.org`, 'writer', 'pending_approval')
      const [yes, no] = await atOnce(one, two, () => [
        a.patch(`/admin/users/${id}`, { approval_state: 'approved', notify: true }),
        b.patch(`/admin/users/${id}`, { approval_state: 'rejected', notify: true }),
      ])
      const isApproved = yes.status === 200
      const state = isApproved ? 'approved' : 'rejected'
      assert.deepEqual([yes.status, no.status].sort(), [200, 409])
      assert.equal((isApproved ? no : yes).body.error.code, 'invalid_state_transition')
      assert.equal((isApproved ? no : yes).body.error.details.from, state)
      const { data } = (await a.get(`/admin/users/${id}`)).body
      assert.deepEqual([data.approval_state, data.version], [state, 2])
      const mails = await one.app.ctx.storage.reads
        .selectFrom('outbox')
        .select('kind')
        .where('user_id', '=', id)
        .execute()
      assert.deepEqual(
        mails.map(({ kind }) => kind),
        [state],
      )
    }
  }),
)

forEachEngine('of two decisions on the same version, exactly one succeeds', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    await one.addPerson('other@example.org', 'admin')
    const [a, b] = [one.admin, two.as('other@example.org')]
    for (let round = 0; round < 25; round++) {
      const id = await one.addPerson(`p${round}@example.org`, 'writer', 'pending_approval')
      const answers = await Promise.all([
        a.patch(`/admin/users/${id}`, { approval_state: 'approved', version: 1 }),
        b.patch(`/admin/users/${id}`, { approval_state: 'rejected', version: 1 }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
      assert.equal((await a.get(`/admin/users/${id}`)).body.data.version, 2)
    }
  }),
)
