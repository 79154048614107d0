// Internal categories: no public answer has a byte of their names, and events of theirs stay public.
import assert from 'node:assert/strict'
import { storeInternalNames } from '../../../src/actions/categories/follow-up.ts'
import { followZoneData, reindex } from '../../../src/actions/maintenance/reindex.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { readInstance, setTzVersion } from '../../../src/storage/operations/instance.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import type { Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'

const NAME = 'zqboard'

const event = (category: string | null, more: object = {}) => ({
  title: 'Meeting',
  start: '2026-07-14T19:00',
  end: '2026-07-14T21:00',
  visibility: 'public',
  category,
  ...more,
})

async function make(admin: Client, body: object): Promise<Json> {
  const made = await admin.post('/admin/categories', body)
  assert.equal(made.status, 201, made.text)
  return made.body.data
}

/** Public answers that may tell a category, as one text without what each answer has of its own. */
async function publicText({ anonymous, app }: World, ids: readonly string[]): Promise<string> {
  const { root, base } = app.site
  const paths = [
    ...['events?view=month', 'events', 'events?q=zqb', `events?category=${NAME}`, 'sidebar-events', 'categories'].map(
      (path) => `${base}/public/${path}`,
    ),
    `${base}/public/events?view=month&category=Music&category=${NAME}`,
    `${base}/public/calendar.ics`,
    `${base}/public/calendar.ics?category=${NAME}`,
    `${base}/public/changes`,
    ...ids.flatMap((id) => [
      `${base}/public/events/${id}`,
      `${base}/public/events/${id}/event.ics`,
      `${base}/events/${id}/occurrences?from=2026-07-01&to=2026-08-01`,
      `${root}/events/${id}`,
    ]),
    ...['feed.json', 'feed.xml', 'sitemap.xml', '?view=month&date=2026-07-01'].map((path) => `${root}/${path}`),
  ]
  const texts: string[] = []
  for (const url of paths) texts.push((await anonymous.send({ method: 'GET', url })).text)
  return texts.join('\n').replace(/zqb(?=[&"])|category=zqboard/g, '')
}

forEachEngine('P2: a category that becomes internal is gone from every public answer, and comes back', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, reader, app } = world
    const single = await writer.creates(event(NAME))
    const spelt = await writer.creates(event('ZQBÖARD', { start: '2026-07-15T19:00', end: '2026-07-15T20:00' }))
    const series = await writer.creates(event('Music', { rrule: 'FREQ=WEEKLY;COUNT=3' }))
    await writer.patch(`/events/${series.id}/occurrences/20260721T190000`, { category: NAME, version: 1 })
    const ids = [single.id, spelt.id, series.id]
    assert.match(await publicText(world, ids), /zqboard/)
    const versions = async () =>
      Promise.all(ids.map(async (id) => (await reader.get(`/events/${id}`)).body.data.version))
    const before = await versions()

    await inTransaction(app.ctx.storage, (db) => setTzVersion(db, 'known'))
    const made = await make(admin, { name: NAME, visibility: 'internal', description: 'zqdescription' })
    const hidden = await publicText(world, ids)
    assert.doesNotMatch(hidden, /zqboard|zqbo|zqdescription|ZQB/i)
    assert.match(hidden, /Music/)
    assert.deepEqual(await versions(), before, 'hiding is no change of the events')
    const seen = (await world.anonymous.get(`/public/events/${single.id}`)).body.data
    assert.deepEqual([seen.title, seen.category], ['Meeting', null])
    assert.equal((await reader.get(`/events/${single.id}`)).body.data.category, NAME)
    assert.equal((await reader.get(`/events?view=month&category=${NAME}`)).body.data.length, 2)
    assert.equal((await readInstance(app.ctx.storage.reads)).tzVersion, 'known', 'nothing is left to be derived')

    // Written later by any means.
    const later = await writer.creates(event(NAME, { start: '2026-07-16T19:00', end: '2026-07-16T20:00' }))
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, eventText('a@example.org', `CATEGORIES:${NAME},Loud`, 'CLASS:PUBLIC'))
    const put = (await reader.get('/events?uid=a@example.org')).body.data[0]
    await writer.patch(`/events/${single.id}`, { title: 'Meeting again', version: 1 })
    assert.doesNotMatch(await publicText(world, [...ids, later.id, put.id]), /zqboard|zqbo/i)
    assert.deepEqual(await reindex(app.ctx), { checked: 5, changed: 0, unreadable: [] })

    // Renamed, neither name is told.
    const renamed = await admin.patch(`/admin/categories/${made.id}`, { name: 'zqcouncil', version: 1 })
    assert.equal(renamed.status, 200)
    assert.doesNotMatch(await publicText(world, [...ids, later.id, put.id]), /zqboard|zqcouncil/i)
    assert.equal((await reader.get(`/events/${spelt.id}`)).body.data.category, 'zqcouncil')
    assert.match((await dav.get(`${MAIN}a.ics`)).text, /CATEGORIES:zqcouncil,Loud/)
    const refused = await admin.delete(`/admin/categories/${made.id}`, {
      'if-match': renamed.headers.etag as string,
    })
    assert.equal(refused.body.error.code, 'category_in_use')

    const open = await admin.patch(`/admin/categories/${made.id}`, { visibility: 'public', version: 2 })
    assert.equal(open.status, 200)
    assert.match(await publicText(world, ids), /zqcouncil[\s\S]*zqdescription/)
    assert.deepEqual(await reindex(app.ctx), { checked: 5, changed: 0, unreadable: [] })
  }),
)

forEachEngine('a category that only internal and private events have is named in no public answer', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, anonymous } = world
    await make(admin, { name: NAME, visibility: 'internal', description: 'zqdescription', color: '#abcdef' })
    const { id } = await writer.creates(event(NAME, { visibility: 'private' }))
    assert.doesNotMatch(await publicText(world, [id]), /zqboard|zqdescription|abcdef/i)
    const tag = (await anonymous.get('/public/categories')).headers.etag
    await admin.patch(`/admin/categories/${(await admin.get('/categories')).body.data[0].id}`, {
      color: '#fedcba',
      version: 1,
    })
    assert.equal((await anonymous.get('/public/categories')).headers.etag, tag)
    const other = await admin.post('/admin/categories', { name: 'Other', visibility: 'internal' })
    assert.equal(
      (
        await admin.delete(`/admin/categories/${other.body.data.id}`, {
          'if-match': other.headers.etag as string,
        })
      ).status,
      204,
    )
  }),
)

forEachEngine('an event that was derived before a category became internal is not stored as it was', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, app } = world
    // The service has noted what it derives for.
    const { id } = await writer.creates(event(null))
    await make(admin, { name: NAME, visibility: 'internal' })
    const changed = await writer.patch(`/events/${id}`, { category: NAME, version: 1 })
    assert.equal(changed.status, 200)
    assert.doesNotMatch(await publicText(world, [id]), /zqboard/)
    const imported = await admin.send({
      method: 'POST',
      url: `${app.site.base}/admin/import`,
      headers: { 'content-type': 'text/calendar' },
      payload: eventText('b@example.org', `CATEGORIES:${NAME}`, 'CLASS:PUBLIC'),
    })
    assert.equal(imported.status, 200, imported.text)
    assert.doesNotMatch(await publicText(world, [id]), /zqboard/)
  }),
)

forEachEngine('a service that stops before events are hidden hides them when it does its housekeeping', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, app } = world
    const { ctx } = app
    const { id } = await writer.creates(event(NAME))
    const { id: category } = await make(admin, { name: NAME })
    await followZoneData(ctx, 'data')
    await inTransaction(ctx.storage, async (db) => {
      await db.updateTable('categories').set({ visibility: 'internal' }).where('id', '=', category).execute()
      await storeInternalNames(db)
    })
    assert.match(await publicText(world, [id]), /zqboard/)
    await followZoneData(ctx, 'data')
    assert.doesNotMatch(await publicText(world, [id]), /zqboard/)
  }),
)
