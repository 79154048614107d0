// A credential that deletes or changes very many events is slowed, and administrators get one mail for each incident.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextChangeAt, paceMs } from '../../src/domain/limits/bulk-changes.ts'
import { type AccountViewer, createAccountViewer } from '../../src/domain/privacy/viewer.ts'
import { decideMail } from '../../src/mail/decide.ts'
import { linksOf } from '../../src/mail/links.ts'
import { writeMessage } from '../../src/mail/messages.ts'
import { createBulkChangeLimiter } from '../../src/rate-limits/bulk-changes.ts'
import { createRateLimiter } from '../../src/rate-limits/rate-limiter.ts'
import { findAccountById } from '../../src/storage/accounts/accounts.ts'
import { eventText, MAIN } from '../caldav/support/events.ts'
import { davOf } from '../support/http/dav.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withTwoNodes, withWorld } from '../support/world.ts'

const MINUTE_MS = 60_000

const options = (limit: number) => ({
  settings: { DAYBOOK_RATE_LIMITS: 'on', DAYBOOK_BULK_CHANGE_LIMIT: `${limit}` },
})

const mails = ({ app }: World) =>
  app.ctx.storage.reads.selectFrom('outbox').selectAll().where('kind', '=', 'bulk_changes').execute()

const incidents = async ({ admin }: World) =>
  (await admin.get('/admin/audit?action=bulk_changes_slowed')).body.data as { detail: object; actor_name: string }[]

/** A calendar program of the writer, with its app password. */
async function connectPhone({ signIn, as }: World) {
  const browser = await signIn('writer@example.org')
  const phone = (await browser.post('/auth/app-passwords', { name: 'Phone' })).body.data
  return { dav: davOf(as('writer@example.org', phone.password)), id: phone.id as string, browser }
}

forEachEngine('a calendar program that deletes very many events is slowed, others and new events are not', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { writer, clock } = world
      const { dav, id, browser } = await connectPhone(world)
      const path = (i: number): string => `${MAIN}${i}.ics`
      for (let i = 0; i < 12; i++)
        assert.equal((await dav.put(path(i), eventText(`e${i}@example.org`, 'SUMMARY:Surgery'))).status, 201)
      // What is refused has changed nothing.
      for (let i = 0; i < 6; i++) assert.equal((await dav.delete(path(0), { 'if-match': '"other"' })).status, 412)
      for (let i = 0; i < 3; i++) assert.equal((await dav.delete(path(i))).status, 204)
      assert.deepEqual(await mails(world), [])

      assert.equal((await dav.delete(path(3))).status, 204, 'the first one too many')
      const refused = await dav.delete(path(4))
      assert.equal(refused.status, 429)
      assert.equal(refused.headers['retry-after'], '200')
      assert.equal(refused.headers['ratelimit-policy'], '"bulk-changes";q=3;w=600')
      assert.equal((await dav.put(path(4), eventText('e4@example.org'))).status, 429)
      assert.equal((await dav.put(path(40), eventText('e40@example.org'), { 'if-none-match': '*' })).status, 201)
      assert.equal(
        (await browser.creates({ title: 'A', start: '2026-07-14', end: '2026-07-15', all_day: true })).version,
        1,
      )
      const other = await writer.creates({ title: 'B', start: '2026-07-14', end: '2026-07-15', all_day: true })
      assert.equal((await writer.delete(`/events/${other.id}`)).status, 204, 'another credential of the account')

      clock.at += 200_000
      assert.equal((await dav.delete(path(4))).status, 204)
      assert.equal((await dav.delete(path(5))).status, 429)
      clock.at += 200_000
      assert.equal((await dav.delete(path(5))).status, 204)
      const [mail, ...more] = await mails(world)
      assert.deepEqual(more, [], 'one administrator, one incident')
      const found = await incidents(world)
      assert.deepEqual(found.length, 1)
      assert.equal(found[0]!.actor_name, 'writer')
      assert.deepEqual(found[0]!.detail, { changed_with: 'app_password', limit: 3, credential_id: id })

      // The link of the mail selects just these deletions.
      const { ctx } = world.app
      const decision = await ctx.storage.writes
        .transaction()
        .execute((db) => decideMail(db, mail!, ctx.config, clock.at))
      assert.equal(decision!.to, 'admin@example.org')
      const site = {
        name: 'Town',
        links: linksOf(ctx.config),
        zone: (await import('../../src/domain/time/zone.ts')).requireZone('Europe/London'),
      }
      const { text } = writeMessage(site, decision!.news, 'en-GB')
      assert.doesNotMatch(text, /Surgery|Phone|writer/)
      const [, query] = /\/trash(\?\S+)/.exec(text)!
      const listed = (await world.admin.get(`/trash${query}`)).body.data
      assert.deepEqual(
        listed.map(({ uid }: { uid: string }) => uid).sort(),
        [0, 1, 2, 3, 4, 5].map((i) => `e${i}@example.org`),
      )

      // Another incident, after an hour within the limit.
      clock.at += 61 * MINUTE_MS
      for (let i = 6; i < 10; i++) assert.equal((await dav.delete(path(i))).status, 204)
      assert.equal((await mails(world)).length, 2)
    },
    options(3),
  ),
)

forEachEngine(
  'changes over the API count like deletions; imports and restorations do not, and 0 is no limit',
  (engine) =>
    withWorld(
      engine,
      async (world) => {
        const { admin, clock } = world
        const browser = await world.signIn('admin@example.org')
        const times = { start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
        const { id } = await browser.creates({ title: 'A', ...times, rrule: 'FREQ=DAILY;COUNT=9' })
        const key = `/events/${id}/occurrences/20260715T090000`
        assert.equal((await browser.patch(key, { title: 'B', version: 1 })).status, 200)
        assert.equal((await browser.delete(key)).status, 204)
        assert.equal((await browser.patch(`/events/${id}`, { title: 'C', version: 3 })).status, 200)
        assert.equal((await browser.patch(`/events/${id}`, { title: 'D', version: 4 })).status, 200)
        const refused = await browser.patch(`/events/${id}`, { title: 'E', version: 5 })
        assert.equal(refused.body.error.code, 'rate_limited')
        const disguised = await browser.delete(`/events/${id}`, { 'if-none-match': '*' })
        assert.equal(disguised.body.error.code, 'rate_limited', 'that condition is for a PUT')

        const file = (summary: string) =>
          `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${[1, 2, 3, 4, 5, 6]
            .map(
              (i) => /BEGIN:VEVENT[\s\S]*END:VEVENT\r\n/.exec(eventText(`i${i}@example.org`, `SUMMARY:${summary}`))![0],
            )
            .join('')}END:VCALENDAR\r\n`
        for (const summary of ['One', 'Two']) {
          const url = `${world.app.site.base}/admin/import`
          const headers = { 'content-type': 'text/calendar' }
          const { body } = await browser.send({ method: 'POST', url, payload: file(summary), headers })
          assert.equal(body.data.created + body.data.updated, 6)
        }
        clock.at += 30 * MINUTE_MS
        const ids = (await admin.get('/events')).body.data.map((event: { id: string }) => event.id) as string[]
        for (const one of ids.slice(0, 3)) await browser.delete(`/events/${one}`)
        clock.at += 30 * MINUTE_MS
        for (const one of ids.slice(3, 6)) await browser.delete(`/events/${one}`)
        assert.equal((await browser.post('/trash/restore', { since: '2026-07-10' })).body.data.restored, 6)
        assert.equal((await browser.delete(`/events/${ids[0]}`)).status, 204)
      },
      options(3),
    ),
)

forEachEngine(
  'a bulk request is carried out whole while there is room for one change, and all of them count',
  (engine) =>
    withWorld(
      engine,
      async (world) => {
        const client = await world.signIn('writer@example.org')
        const times = { start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
        const ids: string[] = []
        for (let i = 0; i < 8; i++) ids.push((await client.creates({ title: 'A', ...times })).id)
        const versions = new Map(ids.map((id) => [id, 1]))
        const update = async (some: string[], more: object, isStale = false): Promise<number[]> => {
          const operations = some.map((id) => {
            const version = isStale ? 99 : versions.get(id)!
            if (!isStale) versions.set(id, version + 1)
            return { op: 'update', id, version, event: { title: `V${version}` } }
          })
          const { status, body } = await client.post('/events/bulk', { operations, ...more })
          return status === 200 ? body.data.map((result: { status: number }) => result.status) : [status]
        }
        assert.deepEqual(await update(ids, {}, true), Array(8).fill(412))
        assert.deepEqual(await update(ids, { atomic: true }, true), [412])
        assert.deepEqual(await update(ids.slice(0, 2), { atomic: true }), [200, 200], 'what failed does not count')
        assert.deepEqual(await mails(world), [])
        assert.deepEqual(await update(ids, {}), Array(8).fill(200), 'room for one of three')
        assert.equal((await mails(world)).length, 1)
        const [incident] = await incidents(world)
        assert.deepEqual((incident!.detail as { changed_with: string; limit: number }).limit, 3)
        assert.deepEqual(await update(ids.slice(2, 5), {}), [200, 429, 429], 'one in its turn')
        assert.deepEqual(await update(ids.slice(0, 2), { atomic: true }), [429])
        assert.equal((await client.delete(`/events/${ids[0]}`)).status, 429)
        assert.equal((await mails(world)).length, 1)
      },
      options(3),
    ),
)

forEachEngine('without a limit nothing is counted', (engine) =>
  withWorld(
    engine,
    async (world) => {
      for (let i = 0; i < 6; i++) {
        const { id } = await world.writer.creates({ title: 'A', start: '2026-07-14', end: '2026-07-15', all_day: true })
        assert.equal((await world.writer.delete(`/events/${id}`)).status, 204)
      }
      assert.deepEqual(await mails(world), [])
    },
    options(0),
  ),
)

async function viewerOf({ app, addPerson }: World, id?: string): Promise<AccountViewer> {
  const { ctx } = app
  const known = (await findAccountById(ctx.storage.reads, id ?? (await addPerson('mass@example.org', 'writer'))))!
  return createAccountViewer(known.account, true, { proof: 'app_password', credentialId: 'phone' })
}

forEachEngine('one change after the other waits for its turn, many at once are refused', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const counts = createRateLimiter(world.app.ctx)
      const limiter = createBulkChangeLimiter(world.app.ctx, counts)
      const viewer = await viewerOf(world)
      for (let i = 0; i < 300; i++) assert.equal(await limiter.admit(viewer), undefined)
      // Two seconds apart: the first runs at once, two wait, the others would wait too long.
      const begun = performance.now()
      assert.equal(await limiter.admit(viewer), undefined)
      const results = await Promise.all([1, 2, 3, 4].map(() => limiter.admit(viewer)))
      assert.ok(performance.now() - begun >= 3_900)
      assert.deepEqual(
        results.map((denied) => denied?.roomInMs),
        [undefined, undefined, 6_000, 6_000],
      )
      await counts.stop()
    },
    options(300),
  ),
)

test('two nodes count together, and one of them sends the mail', () =>
  withTwoNodes(
    'postgres',
    async (one, two) => {
      const nodes = [one, two].map(({ app }) => {
        const counts = createRateLimiter(app.ctx)
        return { counts, limiter: createBulkChangeLimiter(app.ctx, counts) }
      })
      const viewer = await viewerOf(one)
      for (const { counts, limiter } of nodes) {
        for (let i = 0; i < 3; i++) await limiter.admit(viewer)
        await counts.exchange()
      }
      assert.deepEqual(await mails(one), [], 'a node learns what the others counted once a second')
      // The count of the first node is exchanged again after its next change.
      await nodes[0]!.limiter.admit(viewer)
      await nodes[0]!.counts.exchange()
      assert.deepEqual(await Promise.all(nodes.map(({ limiter }) => limiter.admit(viewer))), [undefined, undefined])
      assert.equal((await mails(one)).length, 1)
      for (const { limiter } of nodes) assert.equal((await limiter.admit(viewer))?.policy.name, 'bulk-changes')
      for (const { counts } of nodes) await counts.stop()
    },
    options(4),
  ))

test('the pace is the limit spread evenly, also after the clock was set back', () => {
  assert.equal(paceMs(200), 3_000)
  assert.equal(nextChangeAt(undefined, 1_000, 3_000, 5_000), 1_000)
  assert.equal(nextChangeAt(1_000, 1_500, 3_000, 5_000), 4_000)
  assert.equal(nextChangeAt(1_000, 9_000, 3_000, 5_000), 9_000)
  assert.equal(nextChangeAt(1_000_000, 9_000, 3_000, 5_000), 9_000)
})
