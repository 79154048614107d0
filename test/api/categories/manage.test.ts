// Administrators manage categories: added, adopted, coloured, ordered, renamed in every event, deleted.
import assert from 'node:assert/strict'
import { MAX_CATEGORIES } from '../../../src/domain/categories/category.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, withWorld } from '../../support/world.ts'
import { makeCategory, rehearsal } from './rehearsal.ts'

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.get('/public/categories')).body.data.map(({ name }: { name: string }) => name)

forEachEngine('a category of events is adopted: lists tell its colours, in the order of administrators', (engine) =>
  withWorld(engine, async ({ admin, writer, reader, anonymous }) => {
    await writer.creates(rehearsal('Music'))
    await writer.creates(rehearsal('music', { visibility: 'private' }))
    await writer.creates(rehearsal('Art'))
    const before = (await admin.get('/admin/categories')).body.data
    assert.deepEqual(before.managed, [])
    assert.deepEqual(before.free, [
      { name: 'Art', count: 1 },
      { name: 'Music', count: 1 },
      { name: 'music', count: 1 },
    ])
    const music = await makeCategory(admin, { name: ' Music ', color: '#FFD400', description: 'Choirs and bands' })
    assert.equal(music.color, '#ffd400')
    assert.equal(music.name, 'Music')
    const after = (await admin.get('/admin/categories')).body.data
    assert.deepEqual(
      after.managed.map(({ name, count }: { name: string; count: number }) => [name, count]),
      [['Music', 2]],
    )
    assert.deepEqual(after.free, [{ name: 'Art', count: 1 }])
    const { color_light, color_dark } = music
    assert.deepEqual((await anonymous.get('/public/categories')).body.data, [
      { name: 'Music', count: 1, color_light, color_dark, description: 'Choirs and bands' },
      { name: 'Art', count: 1 },
    ])
    await makeCategory(admin, { name: 'Art', position: 0 })
    assert.deepEqual(await namesOf(anonymous), ['Art', 'Music'])
    const listed = (await reader.get('/categories')).body.data
    assert.deepEqual(
      listed.map(({ name, position }: { name: string; position: number }) => [name, position]),
      [
        ['Art', 0],
        ['Music', 1],
      ],
    )
    const moved = await admin.patch(`/admin/categories/${music.id}`, { position: 0, version: music.version })
    assert.equal(moved.status, 200)
    assert.deepEqual(await namesOf(anonymous), ['Music', 'Art'])
  }),
)

forEachEngine('a change names the version that it changes, and a name is given once', (engine) =>
  withWorld(engine, async ({ admin, writer, reader, anonymous }) => {
    const music = await makeCategory(admin, { name: 'Music' })
    const path = `/admin/categories/${music.id}`
    assert.equal((await admin.patch(path, { color: '#123456' })).body.error.code, 'precondition_required')
    const changed = await admin.patch(path, { color: '#123456', version: 1 })
    assert.equal(changed.body.data.version, 2)
    const stale = await admin.patch(path, { color: '#654321', version: 1 })
    assert.equal(stale.status, 412)
    assert.equal(stale.body.error.details.current_version, 2)
    assert.equal((await admin.delete(path, { 'if-match': '"c-1-00000000"' })).status, 412)
    assert.equal((await admin.post('/admin/categories', { name: 'MUSÍC' })).body.error.code, 'category_exists')
    const codes = (await admin.post('/admin/categories', { name: 'a\nb', color: 'red' })).body.error.details.fields
    assert.deepEqual(
      codes.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
      ['/name invalid_format', '/color invalid_format'],
    )
    for (const [client, status] of [
      [writer, 403],
      [reader, 403],
      [anonymous, 401],
    ] as const) {
      assert.equal((await client.post('/admin/categories', { name: 'Other' })).status, status)
      assert.equal((await client.get('/admin/categories')).status, status)
    }
    assert.equal((await anonymous.get('/categories')).status, 401)
    assert.equal((await admin.patch('/admin/categories/none', { version: 1 })).body.error.code, 'category_not_found')
    assert.equal((await admin.delete(path, { 'if-match': changed.headers.etag as string })).status, 204)
    assert.deepEqual((await reader.get('/categories')).body.data, [])
    const actions = (await admin.get('/admin/audit')).body.data.map(({ action }: { action: string }) => action)
    assert.deepEqual(
      actions.filter((action: string) => action.startsWith('category_')),
      ['category_deleted', 'category_changed', 'category_created'],
    )
  }),
)

forEachEngine(
  'a renamed category has its new name in every event, as ordinary changes by the administrator',
  (engine) =>
    withWorld(engine, async (world) => {
      const { admin, writer, anonymous, app } = world
      const dav = davOf(writer)
      const music = await makeCategory(admin, { name: 'Music' })
      const weekly = await writer.creates(rehearsal('Art', { rrule: 'FREQ=WEEKLY;COUNT=3' }))
      await writer.patch(`/events/${weekly.id}/occurrences/20260721T190000`, { category: 'Music', version: 1 })
      const hidden = await writer.creates(rehearsal('MUSIC', { visibility: 'private' }))
      const other = await writer.creates(rehearsal('Musical'))
      await dav.put(`${MAIN}a.ics`, eventText('a@example.org', 'CATEGORIES;X-A=b:Music,Loud', 'X-KEPT;X-P=1:as sent'))
      const kept = 'CATEGORIES:Third\\, sm\r\n all,x;y\r\n'
      const further = ['CATEGORIES;LANGUAGE=en:Loud,\r\n Mu\r\n sic', kept.trimEnd(), 'CATEGORIES:MUSIC,Tunes\\, old']
      await dav.put(`${MAIN}b.ics`, eventText('b@example.org', ...further))
      const link = (await writer.post('/auth/feeds', { name: 'Music', category: 'Music' })).body.data
      const since = (await writer.get('/events?view=month')).body.meta.sync_token
      const renamed = await admin.patch(`/admin/categories/${music.id}`, { name: 'Tunes, old', version: 1 })
      assert.equal(renamed.status, 200, renamed.text)
      assert.equal(renamed.body.data.renaming, false)
      const read = await writer.get(`/events/${weekly.id}`)
      assert.equal(read.body.data.category, 'Art')
      assert.equal(read.body.data.version, 3)
      assert.equal(read.body.data.exceptions[0].category, 'Tunes, old')
      assert.equal((await writer.get(`/events/${hidden.id}`)).body.data.category, 'Tunes, old')
      assert.equal((await writer.get(`/events/${other.id}`)).body.data.version, 1)
      const [latest] = (await writer.get(`/events/${hidden.id}/history`)).body.data
      assert.deepEqual([latest.version, latest.by_name, latest.with], [2, 'admin', 'password'])
      assert.deepEqual(latest.changes, [{ field: 'category', before: 'MUSIC', after: 'Tunes, old' }])
      const changes = (await writer.get(`/events/changes?since=${encodeURIComponent(since)}`)).body.data
      assert.equal(changes.length, 4)
      const sent = (await dav.get(`${MAIN}a.ics`)).text
      assert.match(sent, /\r\nCATEGORIES;X-A=b:Tunes\\, old,Loud\r\n/)
      assert.match(sent, /\r\nX-KEPT;X-P=1:as sent\r\n/)
      // A value that is not the first is renamed where it stands, once; other lines keep their folding and order.
      const second = (await dav.get(`${MAIN}b.ics`)).text
      assert.ok(second.includes(`\r\nCATEGORIES;LANGUAGE=en:Loud,Tunes\\, old\r\n${kept}`), second)
      assert.doesNotMatch(second, /MUSIC/)
      assert.equal(second.match(/^CATEGORIES/gm)?.length, 2)
      assert.deepEqual(await namesOf(anonymous), ['Tunes, old', 'Art', 'Musical'])
      const links = (await writer.get('/auth/feeds')).body.data
      assert.equal(links.find(({ id }: { id: string }) => id === link.id).category, 'Tunes, old')
      // Deleted, it stays in the events as text.
      await admin.delete(`/admin/categories/${music.id}`, { 'if-match': renamed.headers.etag as string })
      assert.equal((await writer.get(`/events/${hidden.id}`)).body.data.category, 'Tunes, old')
      const audit = (await admin.get('/admin/audit?action=category_renamed')).body.data
      assert.deepEqual(audit[0].detail, { name_from: 'Music', name_to: 'Tunes, old' })
      assert.equal((await app.ctx.storage.reads.selectFrom('bulk_changes').selectAll().execute()).length, 0)
    }),
)

forEachEngine('there are at most 100 managed categories', (engine) =>
  withWorld(engine, async ({ admin }) => {
    for (let i = 0; i < MAX_CATEGORIES; i++) await makeCategory(admin, { name: `Category ${i}` })
    const refused = await admin.post('/admin/categories', { name: 'One more' })
    assert.equal(refused.status, 409)
    assert.equal(refused.body.error.code, 'too_many_categories')
  }),
)
