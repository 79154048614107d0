// First-run setup: one code, used once, for one administrator; no setup without the code.
import assert from 'node:assert/strict'
import { createApprovedAccount, offerSetupCode } from '../../../src/actions/accounts/accounts.ts'
import { forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { openWorld, type World } from '../../support/world.ts'

const person = { email: 'First@Example.org', password: 'a long enough password' }

const storyOfEmpty = (name: string, tell: (world: World) => Promise<void>) =>
  forEachEngine(name, async (engine) => {
    const place = await makePlace(engine)
    const world = await openWorld(engine, place, { place })
    try {
      await tell(world)
    } finally {
      await world.app.close()
      await place.remove()
    }
  })

storyOfEmpty('the printed code makes the first administrator, once', async ({ app, anonymous, as }) => {
  const code = await offerSetupCode(app.ctx)
  assert.match(code!, /^(?:[0-9a-v]{4}-){5}[0-9a-v]{4}$/)
  const wrong = await anonymous.post('/setup', { ...person, code: '0000-0000-0000-0000-0000-0000' })
  assert.equal(wrong.status, 422)
  assert.equal(wrong.body.error.code, 'token_invalid_or_expired')
  const answer = await anonymous.post('/setup', { ...person, code: code!.toUpperCase().replaceAll('-', ' ') })
  assert.equal(answer.status, 201)
  assert.deepEqual(
    { ...answer.body.data, id: '' },
    {
      id: '',
      email: 'First@example.org',
      display_name: 'First',
      role: 'admin',
      site: { site_name: 'Daybook', timezone: 'Europe/London', week_start: 'auto' },
    },
  )
  const again = await anonymous.post('/setup', { ...person, email: 'second@example.org', code })
  assert.equal(again.text, wrong.text)
  assert.equal(await offerSetupCode(app.ctx), undefined, 'no code once there is an administrator')
  const admin = as('first@example.org', person.password)
  assert.equal(
    (await admin.post('/events', { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })).status,
    201,
  )
})

storyOfEmpty('of many concurrent uses of the code one creates an administrator', async ({ app, anonymous }) => {
  const code = await offerSetupCode(app.ctx)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => anonymous.post('/setup', { ...person, email: `p${i}@example.org`, code })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(11).fill(422)])
  const admins = await app.ctx.storage.reads.selectFrom('users').selectAll().execute()
  assert.equal(admins.length, 1)
})

storyOfEmpty('each start prints a code; any of the last five works, once, and ends the others', async (world) => {
  const codes: string[] = []
  // Some by another node on the same database.
  const other = await openWorld(world.engine, world.place, { place: world.place })
  try {
    for (let i = 0; i < 6; i++) codes.push((await offerSetupCode((i % 2 ? other : world).app.ctx))!)
  } finally {
    await other.app.close()
  }
  assert.equal(new Set(codes).size, 6)
  const attempt = async (code: string, i: number) =>
    (await world.anonymous.post('/setup', { ...person, email: `p${i}@example.org`, code })).status
  assert.equal(await attempt(codes[0]!, 0), 422, 'the sixth start ended the first code')
  const { setup_code_hash: kept } = await world.app.ctx.storage.reads
    .selectFrom('instance')
    .select('setup_code_hash')
    .executeTakeFirstOrThrow()
  assert.equal(await attempt(kept!, 1), 422, 'a hash is not a code')
  assert.equal(await attempt('%', 1), 422, 'a wildcard is not a code')
  const statuses = await Promise.all(codes.slice(1).map(attempt))
  assert.deepEqual(statuses.sort(), [201, 422, 422, 422, 422])
  for (const code of codes) assert.equal(await attempt(code, 9), 422)
})

storyOfEmpty(
  'the audit trail records the first administrator, and accounts created on the command line',
  async ({ app, anonymous }) => {
    const code = await offerSetupCode(app.ctx)
    const first = await anonymous.post('/setup', { ...person, code })
    const second = await createApprovedAccount(app.ctx, { ...person, email: 'second@example.org' }, 'writer')
    const rows = await app.ctx.storage.reads.selectFrom('audit').selectAll().orderBy('seq').execute()
    const { id } = first.body.data
    assert.deepEqual(
      rows.map(({ action, actor_id, subject_id, request_id, detail }) => [
        action,
        actor_id,
        subject_id,
        request_id,
        JSON.parse(detail),
      ]),
      [
        ['setup_completed', id, id, first.headers['x-request-id'], { role: 'admin' }],
        ['account_created_by_operator', null, second.id, null, { role: 'writer' }],
      ],
    )
  },
)

storyOfEmpty('an administrator created on the command line ends the code', async ({ app, anonymous }) => {
  const code = await offerSetupCode(app.ctx)
  await createApprovedAccount(app.ctx, person, 'admin')
  assert.equal((await anonymous.post('/setup', { ...person, email: 'x@example.org', code })).status, 422)
})

storyOfEmpty('a refused setup does not use up the code', async ({ app, anonymous }) => {
  const code = await offerSetupCode(app.ctx)
  for (const [change, field, problem] of [
    [{ password: 'short' }, '/password', 'too_short'],
    [{ password: 'x'.repeat(129) }, '/password', 'too_long'],
    [{ password: 'Password1234' }, '/password', 'password_common'],
    [{ email: 'gravelbridge@example.org', password: 'gravelbridge99' }, '/password', 'password_common'],
    [{ email: 'not an address' }, '/email', 'invalid_format'],
    [{ email: 'a@b\r\nbcc: c@d.org' }, '/email', 'invalid_format'],
    [{ role: 'admin' }, '/role', 'unknown_field'],
  ] as const) {
    const answer = await anonymous.post('/setup', { ...person, code, ...change })
    assert.equal(answer.status, 422)
    assert.ok(
      answer.body.error.details.fields.some(
        (entry: { field: string; code: string }) => entry.field === field && entry.code === problem,
      ),
      answer.text,
    )
  }
  assert.equal((await anonymous.post('/setup', { ...person, code })).status, 201)
})

storyOfEmpty('neither the code nor the password is in the database', async ({ app, anonymous }) => {
  const code = await offerSetupCode(app.ctx)
  const before = JSON.stringify(await app.ctx.storage.reads.selectFrom('instance').selectAll().execute())
  assert.ok(!before.includes(code!) && !before.includes(code!.replaceAll('-', '')))
  await anonymous.post('/setup', { ...person, code })
  const users = await app.ctx.storage.reads.selectFrom('users').selectAll().execute()
  assert.match(users[0]!.password_hash, /^\$argon2id\$v=19\$/)
  assert.ok(!JSON.stringify(users).includes(person.password))
})
