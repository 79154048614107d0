// A rewind: the calendar is what it was at a moment, by ordinary changes, and a second one undoes it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packVersions } from '../../../src/actions/history/pack-versions.ts'
import { findRewindTarget, type VersionSpan } from '../../../src/domain/calendar/rewind-target.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const DAY_MS = 86_400_000

const event = (title: string, more: object = {}) => ({
  title,
  start: '2026-07-20T10:00',
  end: '2026-07-20T11:00',
  visibility: 'public',
  ...more,
})

/** What is stored of each event, without what every version changes. */
async function contentOf({ app }: World): Promise<unknown[]> {
  const columns = ['id', 'uid', 'ical', 'sent_ical', 'dav_name', 'visibility', 'title', 'created_by'] as const
  return app.ctx.storage.reads.selectFrom('events').select(columns).orderBy('id').execute()
}

const momentOf = ({ clock }: World): string => new Date(clock.at).toISOString()

const minutes = (world: World, count = 1): void => {
  world.clock.at += count * 60_000
}

forEachEngine('events created, changed and deleted since are as they were, and a rewind undoes a rewind', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, admin, anonymous, clock } = world
    const dav = davOf(writer)
    const changed = await writer.creates(event('Choir', { rrule: 'FREQ=DAILY;COUNT=5' }))
    const deleted = await writer.creates(event('Market'))
    const both = await writer.creates(event('Council'))
    const restored = await writer.creates(event('Fair'))
    await writer.creates(event('Untouched'))
    await dav.put(`${MAIN}a.ics`, eventText('a@example.org', 'X-COLOUR:red'))
    await writer.delete(`/events/${restored.id}`)
    const shown = (await anonymous.get('/public/events?view=month')).body.data
    const before = await contentOf(world)
    const moment = momentOf(world)
    minutes(world)
    await writer.patch(`/events/${changed.id}`, { title: 'Band', version: 1 })
    await writer.delete(`/events/${changed.id}/occurrences/20260721T100000`)
    await packVersions(world.app.ctx)
    await writer.delete(`/events/${deleted.id}`)
    await writer.patch(`/events/${both.id}`, { title: 'Meeting', visibility: 'private', version: 1 })
    await writer.delete(`/events/${both.id}`)
    await writer.post(`/trash/${restored.id}/restore`, undefined)
    const added = await writer.creates(event('New'))
    const passing = await writer.creates(event('Passing'))
    await writer.delete(`/events/${passing.id}`)
    const etag = (await dav.get(`${MAIN}a.ics`)).headers.etag!
    await dav.put(`${MAIN}a.ics`, eventText('a@example.org', 'X-COLOUR:blue'), { 'if-match': etag })
    minutes(world)
    const after = await contentOf(world)

    const dry = await admin.post('/admin/rewind', { to: moment, dry_run: true })
    assert.equal(dry.status, 200, dry.text)
    assert.deepEqual(await contentOf(world), after)
    const { data } = (await admin.post('/admin/rewind', { to: moment })).body
    const { events, undo_to: undoTo, ...counts } = data
    const expected = { deleted: 2, changed: 2, restored: 2, skipped: 0, published: 1, truncated: false }
    assert.deepEqual(counts, { dry_run: false, to: counts.to, ...expected })
    assert.deepEqual(dry.body.data.events, events)
    const results = events.map(({ id, result }: Record<string, string>) => [id, result])
    for (const [id, result] of [
      [changed.id, 'changed'],
      [added.id, 'deleted'],
      [restored.id, 'deleted'],
      [deleted.id, 'restored'],
      [both.id, 'restored'],
    ])
      assert.ok(
        results.some(([one, other]: string[]) => one === id && other === result),
        `${id} ${result}`,
      )
    assert.deepEqual(await contentOf(world), before)
    assert.deepEqual((await anonymous.get('/public/events?view=month')).body.data, shown)
    const history = (await writer.get(`/events/${changed.id}/history`)).body.data
    assert.deepEqual([history[0].version, history[0].through, history[0].by_name], [4, 'rewind', 'admin'])
    const [entry] = (await admin.get('/admin/audit?action=calendar_rewound')).body.data
    assert.deepEqual(entry.detail, { to: counts.to, deleted: 2, changed: 2, restored: 2, skipped: 0 })

    minutes(world)
    const undone = (await admin.post('/admin/rewind', { to: undoTo })).body.data
    assert.equal(undone.skipped, 0, JSON.stringify(undone))
    assert.deepEqual(await contentOf(world), after)
    clock.at += 1
    const nothing = (await admin.post('/admin/rewind', { to: momentOf(world) })).body.data
    assert.deepEqual([nothing.deleted, nothing.changed, nothing.restored, nothing.events], [0, 0, 0, []])
  }),
)

forEachEngine('clients synchronise a rewind like any other change', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer } = world
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, eventText('a@example.org'))
    await dav.put(`${MAIN}b.ics`, eventText('b@example.org'))
    const moment = momentOf(world)
    minutes(world)
    await dav.delete(`${MAIN}a.ics`)
    await dav.put(`${MAIN}c.ics`, eventText('c@example.org'))
    const etag = (await dav.get(`${MAIN}b.ics`)).headers.etag!
    await dav.put(`${MAIN}b.ics`, eventText('b@example.org', 'X-COLOUR:red'), { 'if-match': etag })
    const { found } = await dav.propfind(MAIN, '0', ['D:sync-token'])
    const token = found[0]!.props['D:sync-token']!.text
    minutes(world)
    await admin.post('/admin/rewind', { to: moment })
    const body = `<D:sync-collection xmlns:D="DAV:"><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`
    const report = await dav.send('REPORT', MAIN, body)
    assert.deepEqual(report.found.map(({ href, status = 200 }) => `${status} ${href}`).sort(), [
      `200 ${MAIN}a.ics`,
      `200 ${MAIN}b.ics`,
      `404 ${MAIN}c.ics`,
    ])
    assert.equal((await dav.get(`${MAIN}b.ics`)).text, eventText('b@example.org'))
  }),
)

forEachEngine(
  'with an account only its changes are undone, and not where another one changed the event later',
  (engine) =>
    withWorld(engine, async (world) => {
      const { admin, writer } = world
      const [one, two, three] = [
        await writer.creates(event('One')),
        await writer.creates(event('Two')),
        await writer.creates(event('Three')),
      ]
      const moment = momentOf(world)
      minutes(world)
      await admin.patch(`/events/${one.id}`, { location: 'Hall', version: 1 })
      await writer.patch(`/events/${one.id}`, { title: 'First', version: 2 })
      await writer.patch(`/events/${two.id}`, { title: 'Second', version: 1 })
      await admin.patch(`/events/${two.id}`, { location: 'Hall', version: 2 })
      await writer.delete(`/events/${three.id}`)
      const four = await writer.creates(event('Four'))
      const five = await admin.creates(event('Five'))
      minutes(world)
      const request = { to: moment, by: 'Writer@Example.org' }
      const { data } = (await admin.post('/admin/rewind', request)).body
      const resultOf = (id: string) => {
        const found = data.events.find((entry: { id: string }) => entry.id === id)
        return found && [found.result, found.reason]
      }
      assert.deepEqual(resultOf(one.id), ['changed', undefined])
      assert.deepEqual(resultOf(two.id), ['skipped', 'changed_later'])
      assert.deepEqual(resultOf(three.id), ['restored', undefined])
      assert.deepEqual(resultOf(four.id), ['deleted', undefined])
      assert.equal(resultOf(five.id), undefined)
      const kept = (await writer.get(`/events/${one.id}`)).body.data
      assert.deepEqual([kept.title, kept.location], ['One', 'Hall'])
      assert.equal((await admin.post('/admin/rewind', { ...request, by: 'no' })).body.error.code, 'validation_failed')
      const unknown = await admin.post('/admin/rewind', { ...request, by: 'no@example.org' })
      assert.equal(unknown.body.error.code, 'user_not_found')
    }),
)

forEachEngine('a moment that is not kept, in the future or no moment is refused', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { admin, clock } = world
      const early = await admin.post('/admin/rewind', { to: new Date(clock.at - 2 * DAY_MS - 1_000).toISOString() })
      assert.equal(early.body.error.code, 'rewind_too_early')
      assert.equal(early.body.error.details.from, '2026-07-08T12:00:00Z')
      assert.equal((await admin.post('/admin/rewind', { to: early.body.error.details.from })).status, 200)
      for (const to of ['2027-01-01', 'yesterday', ''])
        assert.equal((await admin.post('/admin/rewind', { to })).body.error.details.fields[0].field, '/to')
      assert.equal((await admin.post('/admin/rewind', {})).body.error.code, 'validation_failed')
      // Without an offset in the zone of the calendar, which is an hour ahead of UTC.
      const { data } = (await admin.post('/admin/rewind', { to: '2026-07-10T13:00', dry_run: true })).body
      assert.equal(data.to, '2026-07-10T12:00:00Z')
    },
    { settings: { DAYBOOK_HISTORY_DAYS: '2' } },
  ),
)

forEachEngine('an event whose UID another one has by now, or whose text is not kept, is skipped', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, app } = world
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, eventText('a@example.org'))
    const lost = await writer.creates(event('Lost'))
    const moment = momentOf(world)
    minutes(world)
    await writer.patch(`/events/${lost.id}`, { title: 'Later', version: 1 })
    await app.ctx.storage.writes.deleteFrom('event_versions').execute()
    await dav.delete(`${MAIN}a.ics`)
    await dav.put(`${MAIN}b.ics`, eventText('a@example.org'))
    // Not undone, as another account changed it later.
    const [row] = await app.ctx.storage.reads.selectFrom('events').selectAll().where('dav_name', '=', 'b.ics').execute()
    await admin.patch(`/events/${row!.id}`, { title: 'Other', version: 1 })
    minutes(world)
    const { data } = (await admin.post('/admin/rewind', { to: moment, by: 'writer@example.org' })).body
    const reasons = data.events.map(({ reason }: { reason: string }) => reason)
    assert.deepEqual(reasons.sort(), ['changed_later', 'not_kept', 'uid_conflict'])
    assert.equal((await writer.get(`/events/${lost.id}`)).body.data.title, 'Later')
  }),
)

forEachEngine('only administrators rewind', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    const body = { to: '2026-07-10T12:00:00Z' }
    for (const [client, code] of [
      [anonymous, 'authentication_required'],
      [reader, 'admin_required'],
      [writer, 'admin_required'],
    ] as const)
      assert.equal((await client.post('/admin/rewind', body)).body.error.code, code)
  }),
)

const span = (version: number, at: number, by: string, ended?: Partial<VersionSpan>): VersionSpan => ({
  version,
  at,
  by,
  endedAt: undefined,
  deletion: undefined,
  ...ended,
})

test('the target of a rewind is the state at the moment, or before the last changes of one person', () => {
  const [ann, ben] = ['ann', 'ben']
  const current = [span(1, 10, ann, { endedAt: 20 }), span(2, 20, ben, { endedAt: 30 }), span(3, 30, ann)]
  const timeline = { createdAt: 10, versions: current, wasDeletedBefore: false }
  assert.equal(findRewindTarget(timeline, 30, undefined), undefined)
  assert.deepEqual(findRewindTarget(timeline, 25, undefined), { version: 2 })
  assert.deepEqual(findRewindTarget(timeline, 10, undefined), { version: 1 })
  assert.equal(findRewindTarget(timeline, 5, undefined), 'absent')
  assert.deepEqual(findRewindTarget(timeline, 25, ann), { version: 2 })
  assert.equal(findRewindTarget(timeline, 5, ann), 'changed_later')
  assert.equal(findRewindTarget(timeline, 15, ben), 'changed_later')
  assert.equal(findRewindTarget(timeline, 25, ben), undefined)
  const partly = { ...timeline, versions: current.slice(1) }
  assert.equal(findRewindTarget(partly, 15, undefined), 'unknown')
  assert.equal(findRewindTarget({ ...partly, wasDeletedBefore: true }, 15, undefined), 'absent')
  const deletion = { by: ben }
  const gap = [span(1, 10, ann, { endedAt: 20, deletion }), span(2, 40, ann)]
  assert.equal(
    findRewindTarget({ ...timeline, versions: gap.slice(1), wasDeletedBefore: true }, 25, undefined),
    'absent',
  )
  assert.deepEqual(findRewindTarget({ ...timeline, versions: gap }, 15, undefined), { version: 1 })
  assert.equal(findRewindTarget({ ...timeline, versions: gap }, 15, ann), 'absent')
})
