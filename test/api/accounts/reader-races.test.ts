// Reads whose reader loses access meanwhile: nothing that is read later is sent.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createSignIn } from '../../../src/actions/access/sign-in.ts'
import { walkChanges } from '../../../src/actions/caldav-objects/changes.ts'
import { walkHeads, walkObjects, walkSizes } from '../../../src/actions/caldav-objects/walk-objects.ts'
import { withPermit } from '../../../src/actions/costly-work/semaphore.ts'
import { listEvents } from '../../../src/actions/events/list-events.ts'
import { listOccurrences } from '../../../src/actions/events/series-occurrences.ts'
import { exportCalendar } from '../../../src/actions/transfer/export.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import type { AccountViewer } from '../../../src/domain/privacy/viewer.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { raiseAccountsRevision, readCalendarState } from '../../../src/storage/events/calendar.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { event, file } from '../../ical/files.ts'
import { FREE_ATTEMPT } from '../../support/free-attempt.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { DECLARED, davOf } from '../../support/http/dav.ts'
import { listen } from '../../support/http/socket.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { holdReads } from '../../support/storage/hold-storage.ts'
import { copySeries } from '../../support/storage/many-events.ts'
import { basicOf, type Client, PASSWORD, type World, withWorld } from '../../support/world.ts'

const HOUR = { start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
const LONG_TEXT = eventText('long', ...Array.from({ length: 900 }, () => `X-LONG:${'x'.repeat(1_015)}`))
const ALL_DATA = `<C:calendar-query ${DECLARED}><D:prop><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>`

const setLongTexts = ({ app }: World): Promise<unknown> =>
  app.ctx.storage.writes.updateTable('events').set({ sent_ical: LONG_TEXT }).execute()

const idOf = async ({ admin }: World, email: string): Promise<string> =>
  (await admin.get('/admin/users?per_page=100')).body.data.find((user: { email: string }) => user.email === email).id

async function suspend(world: World, email: string): Promise<void> {
  const id = await idOf(world, email)
  assert.equal((await world.admin.patch(`/admin/users/${id}`, { approval_state: 'suspended' })).status, 200)
}

forEachEngine('a suspended reader receives nothing that is read after the suspension', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { id } = await world.writer.creates({ ...HOUR, title: 'One' })
      await copySeries(world, id, 24, 100)
      await setLongTexts(world)
      const socket = connect(await listen(world.app), '127.0.0.1')
      socket.on('error', () => {})
      const head = [
        `REPORT ${MAIN} HTTP/1.1`,
        'host: localhost',
        `authorization: ${basicOf('reader@example.org')}`,
        'content-type: application/xml',
        'depth: 1',
        `content-length: ${Buffer.byteLength(ALL_DATA)}`,
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n${ALL_DATA}`)
      const [first] = (await once(socket, 'data')) as [Buffer]
      socket.pause()
      await suspend(world, 'reader@example.org')
      for (let i = 0; i < 10; i++)
        await world.writer.creates({ ...HOUR, title: 'Written afterwards', visibility: 'private' })
      const chunks = [first]
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.resume()
      await once(socket, 'close')
      const text = Buffer.concat(chunks).toString()
      assert.match(text, /^HTTP\/1\.1 207 /)
      assert.ok(!text.includes('Written afterwards'))
      assert.ok(!text.endsWith('0\r\n\r\n'), 'the client sees that the answer is incomplete')
    },
    { patience: { stallMs: 3_600_000 } },
  ),
)

/** Of two pages. */
const NAMES = ['one.ics', ...Array.from({ length: 500 }, (_, i) => `absent${i}.ics`), 'two.ics']
interface Case {
  code: string
  /** Authenticates the account as a request does, and ends its access. */
  prepare(world: World, client: Client): Promise<{ person: AccountViewer | undefined; end: () => Promise<ApiResponse> }>
}

const EMAIL = 'ann@example.org'

async function byPassword({ app }: World, email = EMAIL): Promise<AccountViewer | undefined> {
  const state = await readCalendarState(app.ctx.storage.reads)
  return createSignIn(app.ctx).withBasic(state, { email, password: PASSWORD }, FREE_ATTEMPT)
}

const changeUser =
  (change: object): Case['prepare'] =>
  async (world) => {
    const id = await idOf(world, EMAIL)
    return { person: await byPassword(world), end: () => world.admin.patch(`/admin/users/${id}`, change) }
  }

const CASES: Record<string, Case> = {
  'a suspended account': { code: 'account_suspended', prepare: changeUser({ approval_state: 'suspended' }) },
  'an address that is no longer verified': {
    code: 'email_not_verified',
    prepare: changeUser({ email_verified: false }),
  },
  'a deleted account': {
    code: 'invalid_credentials',
    async prepare(world) {
      const id = await idOf(world, EMAIL)
      return { person: await byPassword(world), end: () => world.admin.delete(`/admin/users/${id}`) }
    },
  },
  'a changed password': {
    code: 'invalid_credentials',
    prepare: async (world, client) => ({
      person: await byPassword(world),
      end: () => client.post('/auth/change-password', { current_password: PASSWORD, password: 'another long one' }),
    }),
  },
  'a deleted app password': {
    code: 'invalid_credentials',
    async prepare({ app }, client) {
      const { data } = (await client.post('/auth/app-passwords', { name: 'phone' })).body
      const state = await readCalendarState(app.ctx.storage.reads)
      const person = await createSignIn(app.ctx).withBasic(
        state,
        { email: EMAIL, password: data.password },
        FREE_ATTEMPT,
      )
      return { person, end: () => client.delete(`/auth/app-passwords/${data.id}`) }
    },
  },
  'a deleted token': {
    code: 'invalid_credentials',
    async prepare({ app }, client) {
      const { data } = (await client.post('/auth/tokens', { name: 'x', scopes: ['events:read'] })).body
      const state = await readCalendarState(app.ctx.storage.reads)
      const person = await createSignIn(app.ctx).withToken(state, data.token, FREE_ATTEMPT)
      return { person, end: () => client.delete(`/auth/tokens/${data.id}`) }
    },
  },
  'an ended session': {
    code: 'session_expired',
    async prepare({ app, signIn }) {
      const browser = await signIn(EMAIL)
      const state = await readCalendarState(app.ctx.storage.reads)
      const person = await createSignIn(app.ctx).withSession(state, browser.cookie.split('=')[1]!)
      return { person, end: () => browser.delete('/auth/sessions') }
    },
  },
}

forEachEngine('whatever ends the access of a reader ends the reads in progress for it', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    await davOf(world.writer).put(`${MAIN}one.ics`, eventText('one'))
    for (const [name, { code, prepare }] of Object.entries(CASES)) {
      await world.addPerson(EMAIL, 'reader')
      const { person, end } = await prepare(world, await world.signIn(EMAIL))
      assert.ok(person, name)
      const other = walkHeads(ctx, (await byPassword(world, 'reader@example.org'))!, { names: NAMES })
      assert.equal((await other.next()).value!.length, 1)
      const pages = walkHeads(ctx, person, { names: NAMES })
      assert.equal((await pages.next()).value!.length, 1)
      const { status } = await end()
      assert.ok(status === 200 || status === 204, `${name}: ${status}`)
      await assert.rejects(pages.next(), { code }, name)
      assert.equal((await other.next()).done, false, 'another reader reads on')
      const id = await idOf(world, EMAIL).catch(() => undefined)
      if (id) await world.admin.delete(`/admin/users/${id}`)
    }
  }),
)

forEachEngine('texts, lengths, exports and trial imports end with the access of their reader', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    for (const name of ['one', 'two']) await davOf(world.writer).put(`${MAIN}${name}.ics`, eventText(name))
    await ctx.storage.writes.updateTable('events').set({ sent_ical: LONG_TEXT, ical: LONG_TEXT }).execute()
    const id = await world.addPerson(EMAIL, 'admin')
    const person = (await byPassword(world))!
    const walks = [
      walkObjects(ctx, person),
      walkSizes(ctx, person, { names: NAMES }),
      await exportCalendar(ctx, person),
    ]
    try {
      for (const walk of walks) assert.equal((await walk.next()).done, false)
      const many = file(...Array.from({ length: 401 }, (_, i) => event(`${i}`, 'DTSTART:20260714T090000Z')))
      const parts: number[] = []
      let isLowered: Promise<ApiResponse> | undefined
      const importing = importCalendar(ctx, person, many, {
        isDryRun: true,
        onProgress: async (done) => {
          parts.push(done)
          isLowered ??= world.admin.patch(`/admin/users/${id}`, { role: 'reader' })
          await isLowered
        },
      })
      await assert.rejects(importing, { code: 'admin_required' })
      assert.equal((await isLowered!).status, 200)
      assert.ok(!parts.includes(401), parts.join())
      await assert.rejects(walks[2]!.next(), { code: 'admin_required' })
      assert.equal((await walks[0]!.next()).done, false, 'a reader may read on')
      await suspend(world, EMAIL)
      await assert.rejects(walks[1]!.next(), { code: 'account_suspended' })
    } finally {
      for (const walk of walks) await walk.return(undefined)
    }
  }),
)

forEachEngine('costly reads that wait for a permit use the rights of their reader at that moment', (engine) =>
  withWorld(engine, async (world) => {
    const { app, anonymous, writer } = world
    const { ctx } = app
    const series = { ...HOUR, title: 'Open', visibility: 'public', rrule: 'FREQ=DAILY;COUNT=400' }
    const { id, version } = await writer.creates(series)
    const { body } = await writer.post('/auth/feeds', { name: 'phone' })
    const link = String(body.data.url).slice(String(body.data.url).indexOf('/feeds/'))
    const person = (await byPassword(world, 'reader@example.org'))!
    const release = Promise.withResolvers<void>()
    const hold = (key: string, queue: 'reads' | 'feeds' = 'reads') =>
      withPermit(ctx, { key, charge: () => {} }, () => release.promise, { queue })
    const held = [hold('a'), hold('b'), hold('feed', 'feeds')]
    let waiting = 0
    const caller = {
      charge: () => {},
      get key() {
        waiting += 1
        return 'reader'
      },
    }
    const zone = requireZone('UTC')
    const range = { from: Date.parse('2026-07-01'), to: Date.parse('2027-12-01') }
    const request = { range, zone, filters: {}, page: undefined, expand: true }
    const refused = [
      listEvents(ctx, person, request, caller),
      listOccurrences(ctx, person, id, range, zone, undefined, caller),
    ].map((read) => assert.rejects(read, { code: 'service_unavailable' }))
    const linked = anonymous.get(link)
    const open = ['/public/events?from=2026-07-01&to=2027-12-01', '/public/calendar.ics'].map((path) =>
      anonymous.get(path),
    )
    try {
      await waitFor('both lists wait', () => waiting === 2)
      await suspend(world, 'reader@example.org')
      assert.equal((await writer.delete(`/auth/feeds/${body.data.id}`)).status, 204)
      const patch = { title: 'Hidden words', visibility: 'private', version }
      assert.equal((await writer.patch(`/events/${id}`, patch)).status, 200)
    } finally {
      release.resolve()
      await Promise.all(held)
    }
    await Promise.all(refused)
    assert.equal((await linked).status, 404)
    for (const { status, text } of await Promise.all(open)) {
      assert.equal(status, 200)
      assert.ok(text.includes('Private Event') && !text.includes('Hidden words') && !text.includes('Open'))
    }
  }),
)

const MONTH = `<C:calendar-query ${DECLARED}><D:prop><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20260701T000000Z" end="20260801T000000Z"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
const SYNC = `<D:sync-collection ${DECLARED}><D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`

/** From another process: a request would wait behind the reads that are held. */
const suspendElsewhere = ({ app }: World, email: string): Promise<void> =>
  inTransaction(app.ctx.storage, async (db) => {
    await db.updateTable('users').set({ approval_state: 'suspended' }).where('email', '=', email).execute()
    await raiseAccountsRevision(db)
  })

forEachEngine('no response that waited is sent to a reader who lost access meanwhile', (engine) =>
  withWorld(engine, async (world) => {
    const { reader, writer } = world
    const { id } = await writer.creates({
      ...HOUR,
      title: 'Hidden words',
      visibility: 'private',
      rrule: 'FREQ=DAILY;COUNT=3',
    })
    await davOf(writer).put(`${MAIN}one.ics`, eventText('one', 'SUMMARY:Hidden words'))
    const reads = [
      { path: '/events?from=2026-07-01&to=2026-08-01', status: 503 },
      { path: `/events/${id}`, status: 503 },
      { path: `/events/${id}/occurrences`, status: 503 },
    ]
    const dav = davOf(reader)
    assert.equal((await reader.get('/events?from=2026-07-02&to=2026-07-03')).status, 200)
    const hold = await holdReads(world)
    const answers = [
      ...reads.map(({ path }) => reader.get(path)),
      dav.report(MAIN, MONTH),
      dav.report(MAIN, SYNC),
      // On SQLite the head is read at once.
      ...(engine === 'postgres' ? [dav.send('HEAD', `${MAIN}one.ics`)] : []),
    ]
    try {
      await waitFor('all reads wait', async () => (await hold.waiting()) >= answers.length, { deadlineMs: 20_000 })
      await suspendElsewhere(world, 'reader@example.org')
    } finally {
      await hold.release()
    }
    for (const [i, answer] of (await Promise.all(answers)).entries()) {
      assert.equal(answer.status, reads[i]?.status ?? 403, `${i}: ${answer.text}`)
      assert.equal(answer.headers.etag, undefined)
      assert.ok(!answer.text.includes('Hidden words'))
    }
  }),
)

forEachEngine('a response that waited until its account was deleted is 401 with a challenge', (engine) =>
  withWorld(engine, async (world) => {
    const { reader, writer } = world
    const { id } = await writer.creates({ ...HOUR, title: 'Hidden words' })
    assert.equal((await reader.get('/events?from=2026-07-02&to=2026-07-03')).status, 200)
    const hold = await holdReads(world)
    const paths = ['/events?from=2026-07-01&to=2026-08-01', `/events/${id}`]
    const answers = paths.map((path) => reader.get(path))
    try {
      await waitFor('all reads wait', async () => (await hold.waiting()) >= paths.length, { deadlineMs: 20_000 })
      await inTransaction(world.app.ctx.storage, async (db) => {
        await db.deleteFrom('users').where('email', '=', 'reader@example.org').execute()
        await raiseAccountsRevision(db)
      })
    } finally {
      await hold.release()
    }
    for (const { status, headers, body } of await Promise.all(answers)) {
      assert.deepEqual([status, body.error.code], [401, 'invalid_credentials'])
      assert.equal(headers['www-authenticate'], 'Bearer realm="calendar"')
    }
  }),
)

forEachEngine('no page of changes is sent to a reader who lost access after the page before', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...HOUR, title: 'One' })
    await copySeries(world, id, 600, 1_000)
    const person = (await byPassword(world, 'reader@example.org'))!
    const pages = walkChanges(world.app.ctx, person, '', 1_000)
    assert.equal((await pages.next()).value?.changed.length, 500)
    await suspend(world, 'reader@example.org')
    await assert.rejects(pages.next(), { code: 'account_suspended' })
  }),
)
