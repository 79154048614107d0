// Renames of categories while others write: on two nodes, at once, stopped half way and continued.
import assert from 'node:assert/strict'
import { changeCategory } from '../../../src/actions/categories/manage-categories.ts'
import { finishRenames, hasUnfinishedRenames } from '../../../src/actions/categories/rename-events.ts'
import { OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { acquireLease, releaseLease } from '../../../src/storage/operations/leases.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withTwoNodes, withWorld } from '../../support/world.ts'
import { importEvents } from './import-events.ts'
import { makeCategory, rehearsal } from './rehearsal.ts'

const countsOf = async ({ app }: World): Promise<Record<string, number>> => {
  const rows = await app.ctx.storage.reads.selectFrom('events').select('category').execute()
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ category }) => `${category}`)].map(([name, of]) => [name, of.length]),
  )
}

const MANY = 150

/** Stops a rename between two of its transactions, as a client that leaves does. */
async function renameHalf(world: World, id: string, name: string): Promise<void> {
  const { storage } = world.app.ctx
  const leaving = new AbortController()
  let commits = 0
  const stop = (): void => {
    commits += 1
    if (commits === 3) leaving.abort()
  }
  storage.commitListeners.add(stop)
  const request = { requestId: null, signal: leaving.signal }
  const left = await changeCategory(world.app.ctx, OPERATOR, id, { name }, { version: 1 }, request)
  storage.commitListeners.delete(stop)
  const counts = await countsOf(world)
  assert.ok(counts[name]! > 0 && counts[name]! < MANY, `some have the new name: ${JSON.stringify(counts)}`)
  assert.notEqual(left.formerFolded, null)
}

forEachEngine(
  'a rename on one node is shown by the other, whose answers are kept, and in its feeds and tags',
  (engine) =>
    withTwoNodes(engine, async (one, two) => {
      const music = await makeCategory(one.admin, { name: 'Music' })
      await importEvents(one, 'Music', 20)
      const [{ id }] = (await one.reader.get('/events?view=month')).body.data
      const questions = [
        '/public/categories',
        '/public/events?view=month',
        `/public/events/${id}`,
        '/public/calendar.ics',
      ]
      const before = await Promise.all(questions.map((question) => two.anonymous.get(question)))
      const since = (await two.reader.get('/events?view=month')).body.meta.sync_token
      const renamed = await one.admin.patch(`/admin/categories/${music.id}`, { name: 'Tunes', version: 1 })
      assert.equal(renamed.body.data.renaming, false)
      for (const [i, question] of questions.entries()) {
        const after = await two.anonymous.get(question, { 'if-none-match': before[i]!.headers.etag as string })
        assert.equal(after.status, 200, question)
        assert.match(after.text, /Tunes/, question)
        assert.doesNotMatch(after.text, /Music/, question)
      }
      const changes = (await two.reader.get(`/events/changes?since=${encodeURIComponent(since)}&limit=100`)).body.data
      assert.equal(changes.length, 20)
    }),
)

forEachEngine('a rename and what others write at the same time on another node: neither loses anything', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const music = await makeCategory(one.admin, { name: 'Music' })
    await importEvents(one, 'Music', MANY)
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => (await one.writer.creates(rehearsal('Music'))).id),
    )
    let isDone = false
    const made: string[] = []
    const edit = async (id: string): Promise<void> => {
      for (let version = 1; ; ) {
        const edited = await two.writer.patch(`/events/${id}`, { title: `Edited ${id}`, version })
        if (edited.status === 200) return
        assert.equal(edited.status, 412, edited.text)
        version = edited.body.error.details.current_version
      }
    }
    const create = async (): Promise<void> => {
      while (!isDone && made.length < 40)
        made.push((await two.writer.creates(rehearsal(made.length % 2 ? 'Music' : 'MUSIC'))).id)
    }
    const renaming = one.admin
      .patch(`/admin/categories/${music.id}`, { name: 'Tunes', version: 1 })
      .then(async (answer) => {
        // A busy machine may need more time than a request has.
        while (await hasUnfinishedRenames(one.app.ctx)) await finishRenames(one.app.ctx, {})
        return answer
      })
      .finally(() => (isDone = true))
    await Promise.all([create(), ...ids.map(edit)])
    const renamed = await renaming
    assert.equal(renamed.status, 200, renamed.text)
    for (const id of ids) {
      const { title, category } = (await two.reader.get(`/events/${id}`)).body.data
      assert.deepEqual([title, category], [`Edited ${id}`, 'Tunes'])
    }
    // Only what was written after the rename had ended has the former name, as text of its own.
    const rows = await one.app.ctx.storage.reads
      .selectFrom('events')
      .select(['title', 'category', 'revision'])
      .execute()
    const isRenamed = (row: (typeof rows)[number]): boolean =>
      row.category === 'Tunes' && !row.title.startsWith('Edited')
    const last = Math.max(...rows.filter(isRenamed).map(({ revision }) => revision))
    const missed = rows.filter(({ category, revision }) => category !== 'Tunes' && revision < last)
    assert.deepEqual(missed, [], `of ${made.length}`)
  }),
)

forEachEngine('of two administrators who rename, move or colour one category at once, one is told', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const changes = [{ name: 'Tunes' }, { name: 'Songs' }, { position: 2 }, { color: '#123456' }]
    for (const mine of changes) {
      for (const theirs of changes) {
        const { id, version } = await makeCategory(one.admin, {
          name: `Music ${changes.indexOf(mine)}${changes.indexOf(theirs)}`,
        })
        for (const name of ['A', 'B']) await makeCategory(one.admin, { name: `${name} ${id}` })
        await one.writer.creates(rehearsal('Music 00'))
        const path = `/admin/categories/${id}`
        const answers = await Promise.all([
          one.admin.patch(path, { ...withOwnName(mine, id, 1), version }),
          two.admin.patch(path, { ...withOwnName(theirs, id, 2), version }),
        ])
        const statuses = answers.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [200, 412], `${JSON.stringify([mine, theirs])} ${answers.map(({ text }) => text)}`)
        const all = (await two.admin.get('/categories')).body.data
        assert.deepEqual(
          all.map(({ position }: { position: number }) => position),
          all.map((_: unknown, i: number) => i),
        )
        for (const { id: other, etag } of all)
          await one.admin.delete(`/admin/categories/${other}`, { 'if-match': etag })
      }
    }
  }),
)

/** No name is given twice. */
const withOwnName = (change: object, id: string, of: number): object =>
  'name' in change ? { name: `${change.name} ${id} ${of}` } : change

forEachEngine('two administrators who order different categories at once leave one order without gaps', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const made = []
    for (const name of ['A', 'B', 'C', 'D', 'E']) made.push(await makeCategory(one.admin, { name }))
    const answers = await Promise.all(
      made.map(({ id, version }, i) =>
        (i % 2 ? one : two).admin.patch(`/admin/categories/${id}`, { position: (i + 2) % 5, version }),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const orders = await Promise.all([one, two].map(async ({ reader }) => (await reader.get('/categories')).body.data))
    assert.deepEqual(orders[0], orders[1])
    assert.deepEqual(
      orders[0].map(({ position }: { position: number }) => position),
      [0, 1, 2, 3, 4],
    )
  }),
)

forEachEngine('a rename that is stopped half way says so, is continued, and names its administrator', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, reader, app } = world
    const { ctx } = app
    const { id } = await makeCategory(admin, { name: 'Music' })
    await importEvents(world, 'Music', MANY)
    const [{ id: sample }] = (await reader.get('/events?view=month')).body.data
    const link = (await reader.post('/auth/feeds', { name: 'Phone', categories: ['Music', 'Art'] })).body.data
    await renameHalf(world, id, 'Tunes')
    const isRenaming = async (): Promise<boolean> => (await admin.get('/categories')).body.data[0].renaming
    assert.equal(await isRenaming(), true)
    assert.equal(await hasUnfinishedRenames(ctx), true)
    const [{ id: adminId }] = (await admin.get('/admin/users?role=admin')).body.data
    await inTransaction(ctx.storage, (db) =>
      db.updateTable('categories').set({ renamed_by: adminId }).where('id', '=', id).execute(),
    )
    // Another node still works on it.
    const lease = `rename ${id}`
    await inTransaction(ctx.storage, (db) => acquireLease(db, lease, 'other', ctx.clock(), ctx.clock() + 10_000))
    const half = await countsOf(world)
    await finishRenames(ctx, {})
    assert.deepEqual(await countsOf(world), half)
    const refused = await admin.patch(`/admin/categories/${id}`, { name: 'Songs', version: 2 })
    assert.equal(refused.body.error.code, 'service_unavailable')
    assert.equal((await admin.patch(`/admin/categories/${id}`, { name: 'Songs', version: 1 })).status, 412)
    // It is gone, and the rename is continued.
    await inTransaction(ctx.storage, (db) => releaseLease(db, lease, 'other'))
    await finishRenames(ctx, {})
    assert.deepEqual(await countsOf(world), { Tunes: MANY })
    assert.equal(await isRenaming(), false)
    const versions = await ctx.storage.reads.selectFrom('events').select(['version']).distinct().execute()
    assert.deepEqual(versions, [{ version: 2 }], 'each event is changed once')
    const authors = await ctx.storage.reads.selectFrom('events').select('updated_by').distinct().execute()
    assert.ok(authors.some(({ updated_by }) => updated_by === adminId))
    assert.equal((await reader.get(`/events/${sample}`)).body.data.category, 'Tunes')
    const links = (await reader.get('/auth/feeds')).body.data
    assert.deepEqual(links.find((one: { id: string }) => one.id === link.id).categories, ['Tunes', 'Art'])
  }),
)

forEachEngine('a rename that was stopped ends before the next one of the category', (engine) =>
  withWorld(engine, async (world) => {
    const { admin } = world
    const { id } = await makeCategory(admin, { name: 'Music' })
    await importEvents(world, 'Music', MANY)
    await renameHalf(world, id, 'Tunes')
    const renamed = await admin.patch(`/admin/categories/${id}`, { name: 'Songs', version: 2 })
    assert.equal(renamed.status, 200, renamed.text)
    assert.deepEqual(await countsOf(world), { Songs: MANY })
  }),
)

forEachEngine('an event that cannot be read keeps the former name, and the rename ends', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, app } = world
    const { id } = await makeCategory(admin, { name: 'Music' })
    const [bad] = await Promise.all([writer.creates(rehearsal('Music')), writer.creates(rehearsal('Music'))])
    await inTransaction(app.ctx.storage, (db) =>
      db.updateTable('events').set({ ical: 'nothing' }).where('id', '=', bad.id).execute(),
    )
    const renamed = await admin.patch(`/admin/categories/${id}`, { name: 'Tunes', version: 1 })
    assert.equal(renamed.body.data.renaming, false)
    assert.deepEqual(await countsOf(world), { Music: 1, Tunes: 1 })
    assert.equal((await admin.get('/admin/health')).status, 200)
    assert.equal((await world.anonymous.send({ method: 'GET', url: '/readyz' })).status, 200)
  }),
)

forEachEngine('the events of an interrupted rename of an internal category show neither name', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, anonymous, app } = world
    const { id } = await makeCategory(admin, { name: 'zqboard', visibility: 'internal' })
    await importEvents(world, 'zqboard', MANY)
    await renameHalf(world, id, 'zqcouncil')
    for (const question of ['/public/events?view=month', '/public/categories', '/public/calendar.ics'])
      assert.doesNotMatch((await anonymous.get(question)).text, /zq/, question)
    await finishRenames(app.ctx, {})
    assert.doesNotMatch((await anonymous.get('/public/events?view=month')).text, /zq/)
    const dav = davOf(world.writer)
    await dav.put(`${MAIN}a.ics`, eventText('a@example.org', 'CATEGORIES:Loud,zqcouncil', 'CLASS:PUBLIC'))
    assert.doesNotMatch((await anonymous.get('/public/calendar.ics')).text, /zq/)
  }),
)
