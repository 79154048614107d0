// Index rebuilds and extensions: short slices that yield to requests, can be stopped and resumed, and report progress.
import assert from 'node:assert/strict'
import { extendIndex, followZoneData, reindex } from '../../../src/actions/maintenance/reindex.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import { OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { event, file } from '../../ical/files.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { openWorld, type World, withWorld } from '../../support/world.ts'

const at = (day: number): string => `202607${String((day % 28) + 1).padStart(2, '0')}T090000Z`

const singles = (count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    event(`single-${i}`, `DTSTART:${at(i)}`, 'DURATION:PT1H', `SUMMARY:Single ${i}`, 'DESCRIPTION:Some words to find'),
  )

const weekly = (count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    event(`weekly-${i}`, `DTSTART:${at(i)}`, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY', `SUMMARY:Weekly ${i}`),
  )

/** As many rows as the index takes of one series. */
const hourly = (count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    event(
      `hourly-${i}`,
      `DTSTART:${at(i)}`,
      'DURATION:PT10M',
      `RRULE:FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join(',')}`,
      `SUMMARY:Hourly ${i}`,
    ),
  )

/** A public series with as many edited occurrences and words as one may have. */
function largeSeries(edits: number): string[] {
  const start = Date.parse('2026-07-01T09:00:00Z')
  const format = (day: number, hours = 0): string =>
    new Date(start + day * 86_400_000 + hours * 3_600_000).toISOString().replace(/[-:]|\.000/g, '')
  const words = (day: number): string => Array.from({ length: 20 }, (_, i) => `word${day * 7 + i}`).join(' ')
  return [
    event('large', `DTSTART:${format(0)}`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY', 'SUMMARY:Large', 'CLASS:PUBLIC'),
    ...Array.from({ length: edits }, (_, day) =>
      event(
        'large',
        `RECURRENCE-ID:${format(day)}`,
        `DTSTART:${format(day, 1)}`,
        'DURATION:PT1H',
        `SUMMARY:Edited ${day}`,
        `DESCRIPTION:${words(day)}`,
      ),
    ),
  ]
}

const fill = ({ app }: World, ...entries: string[]) =>
  importCalendar(app.ctx, OPERATOR, file(...entries), { isDryRun: false })

/** As older zone data would have left the rows: an hour off. */
async function shiftRows({ app }: World): Promise<void> {
  await app.ctx.storage.writes
    .updateTable('occurrences')
    .set((is) => ({ start_at: is('start_at', '+', 3_600_000), end_at: is('end_at', '+', 3_600_000) }))
    .execute()
}

const LIMIT = { ms: 50 }

// How many turns there are depends on the machine; a fast one needs few.
const assertTurns = ({ count }: { count: number }): void => assert.ok(count > 3, `requests had ${count} turns`)

const rebuiltWith = (world: World, version: string) => followZoneData(world.app.ctx, version)

forEachEngine('a rebuild and an extension of the index never block the event loop for long', (engine) =>
  withWorld(engine, async (world) => {
    // PostgreSQL works in a process of its own.
    const [single, week, hour] = engine === 'sqlite' ? [300, 30, 2] : [60, 10, 1]
    await fill(world, ...singles(single), ...weekly(week), ...hourly(hour))
    // The first run of both loads and compiles what the others use.
    await rebuiltWith(world, 'first')
    const rebuild = async (run: number): Promise<void> =>
      assert.equal((await rebuiltWith(world, `changed ${run}`))?.changed, single + week + hour)
    assertTurns(await assertShortTurns('the rebuild', LIMIT, rebuild, () => shiftRows(world)))
    const extend = async (run: number): Promise<void> => {
      const extended = await extendIndex(world.app.ctx)
      // Months later other series come near the end of their indexed span.
      if (run === 0) assert.equal(extended, week, 'series that are cut stay as they are')
    }
    const nextMonth = async (run: number): Promise<void> => {
      world.clock.at = Date.UTC(2027, 6 + run, 10, 12)
    }
    assertTurns(await assertShortTurns('the extension', LIMIT, extend, nextMonth))
    assert.equal((await reindex(world.app.ctx)).changed, 0)
  }),
)

forEachEngine('a series at the limits is derived again in short turns', (engine) =>
  withWorld(engine, async (world) => {
    const report = await fill(world, ...largeSeries(engine === 'sqlite' ? 2_000 : 300))
    assert.equal(report.created, 1)
    await rebuiltWith(world, 'first')
    const check = async (run: number): Promise<void> =>
      assert.equal((await rebuiltWith(world, `same ${run}`))?.changed, 0)
    assertTurns(await assertShortTurns('the check', LIMIT, check))
    const rebuild = async (run: number): Promise<void> =>
      assert.equal((await rebuiltWith(world, `changed ${run}`))?.changed, 1)
    assertTurns(await assertShortTurns('the rebuild', LIMIT, rebuild, () => shiftRows(world)))
  }),
)

const stateOf = ({ app }: World) => app.ctx.storage.reads.selectFrom('index_work').selectAll().execute()

forEachEngine('F50: a stopped rebuild continues where it was, also on another node', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world, ...singles(120), ...weekly(20))
    await shiftRows(world)
    const stopping = new AbortController()
    const first = await followZoneData(world.app.ctx, 'new', {
      signal: stopping.signal,
      onProgress: (done) => void (done >= 30 && stopping.abort()),
    })
    const done = first!.checked
    assert.ok(done >= 30 && done < 140, `${done} of 140`)
    const [work] = await stateOf(world)
    assert.deepEqual([work!.name, work!.done, work!.total, work!.is_finished], ['rebuild', done, 140, 0])
    const readiness = (await world.anonymous.send({ method: 'GET', url: '/readyz' })).body.data
    assert.equal(readiness.status, 'ready')
    const percent = Math.floor((100 * done) / 140)
    assert.deepEqual(readiness.checks.index, { status: 'rebuilding', work: 'rebuild', done: percent, total: 100 })
    const { meta } = (await world.admin.get('/admin/diagnostics')).body
    assert.deepEqual([meta.counts.index_done, meta.counts.index_total], [done, 140])
    assert.ok(meta.warnings.includes('index_rebuilding'))
    // Written meanwhile, by the version that rebuilds.
    await world.writer.creates({
      title: 'new',
      start: '2026-07-14T09:00',
      end: '2026-07-14T10:00',
      rrule: 'FREQ=DAILY',
    })
    const other = await openWorld(engine, world.place, { place: world.place })
    try {
      const second = await rebuiltWith(other, 'new')
      assert.ok(second!.checked === 140 - done || second!.checked === 141 - done, `${second!.checked} after ${done}`)
    } finally {
      await other.app.close()
    }
    assert.equal(await rebuiltWith(world, 'new'), undefined)
    assert.equal((await reindex(world.app.ctx)).changed, 0)
    const after = (await world.anonymous.send({ method: 'GET', url: '/readyz' })).body.data
    assert.deepEqual(after.checks.index, { status: 'ok' })
  }),
)

forEachEngine('an unfinished rebuild for another target does not count as finished', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world, ...singles(60))
    await rebuiltWith(world, 'one')
    const stopping = new AbortController()
    const stop = { signal: stopping.signal, onProgress: () => stopping.abort() }
    await followZoneData(world.app.ctx, 'two', stop)
    await shiftRows(world)
    assert.equal((await rebuiltWith(world, 'one'))?.changed, 60)
  }),
)

forEachEngine('a service rebuilds after it listens, and stops in the middle at shutdown', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world, ...singles(150))
    await world.app.ctx.storage.writes.updateTable('instance').set({ tz_version: 'old' }).execute()
    await shiftRows(world)
    const one = await openWorld(engine, world.place, { place: world.place })
    assert.deepEqual(await stateOf(one), [], 'nothing begins before it listens')
    await one.app.server.listen({ port: 0, host: '127.0.0.1' })
    await waitFor('the first slice', async () => (await stateOf(world)).some(({ done }) => done > 0))
    await one.app.close()
    const two = await openWorld(engine, world.place, { place: world.place })
    try {
      await two.app.server.listen({ port: 0, host: '127.0.0.1' })
      await waitFor('the end of the rebuild', async () =>
        (await stateOf(world)).some(({ name, is_finished }) => name === 'rebuild' && is_finished === 1),
      )
    } finally {
      await two.app.close()
    }
    assert.equal((await reindex(world.app.ctx)).changed, 0)
  }),
)
