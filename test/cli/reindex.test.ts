// `daybook reindex`: moves the indexed period to the current time, unless the clock needs a confirmation.
import assert from 'node:assert/strict'
import { confirmClock } from '../../src/actions/maintenance/clock-guard.ts'
import { moveIndexToNow, reindex } from '../../src/actions/maintenance/reindex.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import type { CommandResult } from '../support/processes/process.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const DAY_MS = 86_400_000
const EVENT = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', rrule: 'FREQ=WEEKLY' }

interface Span {
  index_from: number
  index_to: number
}

/** A calendar with a weekly series that was indexed around 2044, and in use when the clock had the given time. */
async function fill({ app, clock, writer }: World, lastUsedAt: number): Promise<Span> {
  await writer.creates(EVENT)
  clock.at = Date.parse('2044-03-01T00:00:00Z')
  await moveIndexToNow(app.ctx)
  await reindex(app.ctx)
  clock.at = lastUsedAt
  await confirmClock(app.ctx)
  return spanOf(app)
}

const spanOf = ({ ctx }: World['app']): Promise<Span> =>
  ctx.storage.reads.selectFrom('calendar').select(['index_from', 'index_to']).executeTakeFirstOrThrow()

const isAroundNow = ({ index_from, index_to }: Span): boolean => index_from < Date.now() && Date.now() < index_to

const runReindex = ({ place }: World, ...flags: string[]): Promise<CommandResult> =>
  runLoadedCommand(['reindex', ...flags], place.folder, place.settings)

const REPAIRED = { code: 0, stdout: '1 events checked, 1 repaired.\n', stderr: '' }

forEachEngine('reindex moves an index to the current time that a wrong clock had moved to 2044', (engine) =>
  withWorld(engine, async (world) => {
    assert.ok(!isAroundNow(await fill(world, Date.now())))
    assert.deepEqual(await runReindex(world), REPAIRED)
    assert.ok(isAroundNow(await spanOf(world.app)))
  }),
)

for (const [years, words] of [
  [-3, 'ahead of'],
  [3, 'behind'],
] as const)
  forEachEngine(`reindex with a clock years ${words} the last use moves no index until --accept-clock`, (engine) =>
    withWorld(engine, async (world) => {
      const before = await fill(world, Date.now() + years * 365 * DAY_MS)
      const { code, stdout, stderr } = await runReindex(world)
      assert.deepEqual([code, stdout], [0, '1 events checked, 0 repaired.\n'])
      assert.match(stderr, new RegExp(`^The clock is more than three days ${words} the time when`))
      assert.match(stderr, /run: daybook reindex --accept-clock\n$/)
      assert.deepEqual(await spanOf(world.app), before)
      assert.deepEqual(await runReindex(world, '--accept-clock'), REPAIRED)
      assert.ok(isAroundNow(await spanOf(world.app)))
      assert.deepEqual(await runReindex(world), { ...REPAIRED, stdout: '1 events checked, 0 repaired.\n' })
    }),
  )
