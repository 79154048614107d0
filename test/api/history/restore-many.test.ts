// Restoring many deleted events at once: selections by account, credential and time, dry runs, batches, the audit trail.
import assert from 'node:assert/strict'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'

const lunch = { title: 'Lunch', start: '2026-07-14T12:00', end: '2026-07-14T13:00' }

/** Creates and deletes an event; returns its id. */
async function deleted(client: Client, title = 'Lunch'): Promise<string> {
  const { id } = await client.creates({ ...lunch, title })
  assert.equal((await client.delete(`/events/${id}`)).status, 204)
  return id
}

const restore = async (client: Client, body: object) => (await client.post('/trash/restore', body)).body.data

const trashIds = async ({ admin }: World, query = ''): Promise<string[]> =>
  (await admin.get(`/trash${query}`)).body.data.map(({ id }: { id: string }) => id)

forEachEngine('what one phone deleted since an hour comes back, and nothing else', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, signIn, as, clock } = world
    const browser = await signIn('writer@example.org')
    const phone = (await browser.post('/auth/app-passwords', { name: 'Phone' })).body.data
    const dav = davOf(as('writer@example.org', phone.password))
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) await dav.put(`${MAIN}${name}.ics`, eventText(`${name}@example.org`))
    await dav.delete(`${MAIN}a.ics`)
    const byPage = await deleted(browser)
    clock.at += 3_600_000
    for (const name of ['b', 'c', 'd']) await dav.delete(`${MAIN}${name}.ics`)
    const byPassword = await deleted(writer)
    const byAdmin = await deleted(admin)

    const entries = (await admin.get('/trash?deleted_with=app_password')).body.data
    assert.equal(entries.length, 4)
    assert.equal(entries[0].credential_id, phone.id)
    const selection = { credential_id: phone.id, since: '2026-07-10T12:30:00Z' }
    const query = new URLSearchParams(selection)
    const since = (await admin.get(`/trash?${query}&per_page=2`)) as Awaited<ReturnType<Client['get']>>
    assert.deepEqual(since.body.meta.pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 })
    assert.match(String(since.headers.link), new RegExp(`credential_id=${phone.id}`))
    const [{ deleted_by: writerId }] = entries
    assert.deepEqual(await trashIds(world, `?deleted_by=${writerId}&deleted_with=password`), [byPassword])
    assert.deepEqual(await trashIds(world, `?deleted_by=${writerId}&deleted_with=session`), [byPage])
    assert.equal((await trashIds(world, '?until=2026-07-10T12:30:00Z')).length, 2)

    const foreseen = await restore(admin, { ...selection, dry_run: true })
    assert.deepEqual(
      { ...foreseen, events: foreseen.events.length },
      { dry_run: true, selected: 3, restored: 3, uid_conflict: 0, not_found: 0, not_stored: 0, next: null, events: 3 },
    )
    assert.equal((await trashIds(world)).length, 7)
    assert.deepEqual((await admin.get('/admin/audit?action=trash_restored')).body.data, [])

    const report = await restore(admin, selection)
    assert.deepEqual({ ...report, dry_run: true }, foreseen)
    assert.deepEqual(report.events.map(({ uid }: { uid: string }) => uid).sort(), [
      'b@example.org',
      'c@example.org',
      'd@example.org',
    ])
    for (const name of ['b', 'c', 'd']) assert.equal((await dav.get(`${MAIN}${name}.ics`)).status, 200)
    assert.equal((await dav.get(`${MAIN}a.ics`)).status, 404)
    const left = await trashIds(world)
    assert.ok(left.includes(byPage) && left.includes(byPassword) && left.includes(byAdmin))
    const [entry] = (await admin.get('/admin/audit?action=trash_restored')).body.data
    assert.deepEqual(entry.detail, {
      restored: 3,
      uid_conflict: 0,
      not_found: 0,
      not_stored: 0,
      credential_id: phone.id,
      since: '2026-07-10T12:30:00Z',
    })
    assert.deepEqual((await restore(admin, selection)).events, [])
  }),
)

forEachEngine('each event has its own result: a UID that is taken refuses that one only', (engine) =>
  withWorld(engine, async ({ admin, writer }) => {
    const dav = davOf(writer)
    const put = (name: string, uid: string) => dav.put(`${MAIN}${name}.ics`, eventText(uid))
    // Deleted twice under two ids: the later one comes back.
    for (const name of ['old', 'new']) {
      await put(name, 'twice@example.org')
      await dav.delete(`${MAIN}${name}.ics`)
    }
    await put('live', 'live@example.org')
    await dav.delete(`${MAIN}live.ics`)
    await put('again', 'live@example.org')
    const free = await deleted(writer)
    const selection = { since: '2026-07-10' }
    const results = ({ events }: { events: { uid: string; result: string }[] }) =>
      events.map(({ uid, result }) => `${uid.replace(/^(?!.*example).*/, 'free')} ${result}`).sort()
    const expected = [
      'free restored',
      'live@example.org uid_conflict',
      'twice@example.org restored',
      'twice@example.org uid_conflict',
    ]
    const foreseen = await restore(writer, { ...selection, dry_run: true })
    assert.deepEqual(results(foreseen), expected)
    const report = await restore(writer, selection)
    assert.deepEqual(results(report), expected)
    assert.deepEqual([report.restored, report.uid_conflict, report.selected], [2, 2, 4])
    assert.equal((await admin.get(`/events/${free}`)).status, 200)
    // Ids that are no ids, or not in the trash, select nothing.
    const none = await restore(writer, { event_ids: [free, 'x', "'", 'ä\u0001'] })
    assert.deepEqual([none.selected, none.events], [0, []])
  }),
)

forEachEngine('more events than one request handles are restored by several, conflicts included', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    const { restoreMany } = await import('../../../src/actions/history/restore-many.ts')
    const { OPERATOR } = await import('../../../src/domain/privacy/viewer.ts')
    const dav = davOf(writer)
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push(await deleted(writer, `Event ${i}`))
    for (const name of ['a', 'b', 'c']) {
      await dav.put(`${MAIN}${name}.ics`, eventText('same@example.org'))
      if (name !== 'c') await dav.delete(`${MAIN}${name}.ics`)
    }
    const found: string[] = []
    const selection = { since: 0 }
    let after: Parameters<typeof restoreMany>[3]['after']
    const sizes: number[] = []
    do {
      const options = { isDryRun: false, after, limit: 3, requestId: 'r' }
      const summary = await restoreMany(app.ctx, OPERATOR, selection, options)
      found.push(...summary.events.map(({ result }) => result))
      sizes.push(summary.selected)
      after = summary.next
    } while (after)
    assert.deepEqual(sizes, [7, 4, 1])
    assert.deepEqual(found.toSorted(), [...Array(5).fill('restored'), 'uid_conflict', 'uid_conflict'])
    for (const id of ids) assert.equal((await writer.get(`/events/${id}`)).status, 200)
  }),
)

forEachEngine('P45: a selection needs a condition that can be read, and the right to read and write', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader, anonymous } = world
    await deleted(writer)
    for (const [body, field, code] of [
      [{}, 'event_ids', 'required'],
      [{ dry_run: true }, 'event_ids', 'required'],
      [{ since: 'yesterday' }, 'since', 'invalid_format'],
      [{ since: '2026-07-10', after: 'x' }, 'after', 'invalid_format'],
      [{ credential_id: 'a\u0000b' }, 'credential_id', 'invalid_format'],
      [{ event_ids: [] }, 'event_ids', 'invalid_format'],
    ] as const) {
      const { status, body: answer } = await writer.post('/trash/restore', body)
      assert.equal(status, 422, JSON.stringify(answer))
      assert.deepEqual([answer.error.details.fields[0].field, answer.error.details.fields[0].code], [`/${field}`, code])
    }
    for (const query of ['since=x', 'until=2026-13-01', 'deleted_by=%00'])
      assert.equal((await writer.get(`/trash?${query}`)).body.error.code, 'invalid_parameter', query)
    const all = { since: '2026-01-01' }
    assert.equal((await reader.post('/trash/restore', all)).body.error.code, 'insufficient_capability')
    assert.equal((await anonymous.post('/trash/restore', all)).body.error.code, 'authentication_required')
    const browser = await world.signIn('writer@example.org')
    const made = await browser.post('/auth/tokens', { name: 'Robot', scopes: ['events:write'] })
    const blind = world.with({ authorization: `Bearer ${made.body.data.token}` })
    assert.equal((await blind.post('/trash/restore', all)).body.error.code, 'token_scope_insufficient')
    assert.equal((await trashIds(world)).length, 1)
  }),
)

forEachEngine('a restoration ends when its author loses access, and has audited what it did', (engine) =>
  withWorld(engine, async (world) => {
    const { app, writer, admin, addPerson, as } = world
    const { restoreMany } = await import('../../../src/actions/history/restore-many.ts')
    const helper = await addPerson('helper@example.org', 'writer')
    for (let i = 0; i < 3; i++) await deleted(writer, `Event ${i}`)
    assert.equal((await as('helper@example.org').get('/trash')).status, 200)
    const { findAccountById } = await import('../../../src/storage/accounts/accounts.ts')
    const { createAccountViewer } = await import('../../../src/domain/privacy/viewer.ts')
    const known = (await findAccountById(app.ctx.storage.reads, helper))!
    const viewer = createAccountViewer(known.account, true, { proof: 'password', passwordHash: known.passwordHash })
    let asked = 0
    // The signal is read before each event.
    const signal = {
      throwIfAborted() {
        asked += 1
        if (asked === 3) throw new Error('gone')
      },
    } as AbortSignal
    const options = { isDryRun: false, limit: 10, requestId: 'r', signal }
    await assert.rejects(restoreMany(app.ctx, viewer, { since: 0 }, options), /gone/)
    const [entry] = (await admin.get('/admin/audit?action=trash_restored')).body.data
    assert.equal(entry.detail.restored, 2)
    await admin.patch(`/admin/users/${helper}`, { approval_state: 'suspended' })
    const again = restoreMany(app.ctx, viewer, { since: 0 }, { ...options, signal: new AbortController().signal })
    await assert.rejects(again, { code: 'service_unavailable' })
    assert.equal((await trashIds(world)).length, 1)
  }),
)

forEachEngine('an event whose text cannot be read does not keep the others in the trash', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    const ids: string[] = []
    for (const title of ['One', 'Broken', 'Two']) {
      const { id } = await writer.creates({ title, start: '2026-07-07T19:00', end: '2026-07-07T21:00' })
      await writer.delete(`/events/${id}`)
      ids.push(id)
    }
    const { writes } = app.ctx.storage
    await writes.updateTable('trash').set({ ical: 'BEGIN:NONSENSE' }).where('event_id', '=', ids[1]!).execute()
    const { status, body, text } = await writer.post('/trash/restore', { event_ids: ids })
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.data.events.map(({ title, result }: { title: string; result: string }) => `${title} ${result}`).sort(),
      ['Broken not_stored', 'One restored', 'Two restored'],
    )
  }),
)
