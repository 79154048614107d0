// Two services with one secret, filled repeatedly with the two sides of a pair of calendars.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { createCategory } from '../../../src/actions/categories/manage-categories.ts'
import { patchEvent } from '../../../src/actions/events/events.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import { createAccountViewer, OPERATOR, type Viewer } from '../../../src/domain/privacy/viewer.ts'
import { MINUTE_MS } from '../../../src/domain/time/instant.ts'
import { signedName } from '../../../src/secrets.ts'
import { findAccountByEmailKey } from '../../../src/storage/accounts/accounts.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { lines } from '../../ical/objects.ts'
import { type EmptyDatabase, type Engine, makeReadyPlace } from '../storage/engines.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { fileEvent } from './twin-files.ts'
import { INTERNAL, indexOfUid, type Side, sideOf, type TwinEvent } from './twins.ts'

export interface TwinWorlds {
  sides: readonly [World, World]
  close(): Promise<void>
}

export const NOW = '2026-07-10T12:00:00Z'
export const PENDING = 'pending@example.org'

/** Masked UIDs are signed with the secret, so two calendars can only look the same if they share it. */
export async function openTwinWorlds(engine: Engine): Promise<TwinWorlds> {
  const [one, two] = [await openSide(engine), await openSide(engine)]
  await two.app.ctx.storage.writes.updateTable('instance').set({ secret: one.app.ctx.secret }).execute()
  await two.app.close()
  const sides = [one, await openWorld(engine, two.place, { ...quick(two.place), place: two.place, now: NOW })] as const
  for (const [side, { app }] of sides.entries()) {
    const internal = { name: INTERNAL[side as Side].name, visibility: 'internal' } as const
    await createCategory(app.ctx, OPERATOR, internal, { requestId: 'twins' })
  }
  if (engine === 'sqlite')
    for (const { app } of sides) await sql`pragma synchronous = off`.execute(app.ctx.storage.writes)
  return {
    sides,
    async close() {
      for (const { app, place } of sides) {
        await app.close()
        await place.remove()
      }
    },
  }
}

/** No test here is about power cuts, and thousands of commits that wait for the disk take longer than all the rest. */
function quick({ settings }: EmptyDatabase): Pick<WorldOptions, 'settings'> {
  const url = settings.DAYBOOK_DATABASE_URL
  if (!url) return {}
  const hasty = `${url}?options=${encodeURIComponent('-c synchronous_commit=off')}`
  return { settings: { DAYBOOK_DATABASE_URL: hasty, DAYBOOK_DURABLE_COMMITS: 'off' } }
}

async function openSide(engine: Engine): Promise<World> {
  const place = await makeReadyPlace(engine)
  const world = await openWorld(engine, place, { ...quick(place), now: NOW })
  await world.addPerson(PENDING, 'admin', 'pending_approval')
  return world
}

/** Replaces the current calendar. Events are imported; edits are made as edits. */
export async function fill(world: World, side: Side, events: readonly TwinEvent[]): Promise<void> {
  const { app, clock } = world
  await inTransaction(app.ctx.storage, (db) => db.deleteFrom('events').execute())
  const author = side === 0 ? OPERATOR : await keeperOf(world)
  const take = (chosen: number[], visibility: 'public' | 'private', by: Viewer): Promise<void> =>
    takeIn(world, by, chosen, (index) => fileEvent(events[index]!, index, side, visibility))
  const indexes = events.map((_, index) => index).filter((index) => isThere(events[index]!, side))
  const open = indexes.filter((index) => events[index]!.placing.visibility === 'public')
  const hidden = indexes.filter((index) => !open.includes(index))
  await take([...open, ...hidden.filter((index) => events[index]!.placing.wasPublic)], 'public', OPERATOR)
  const before = clock.at
  clock.at += sideOf(events[0]!, side).createdMinutesLate * MINUTE_MS
  await take(hidden, 'private', author)
  for (const index of hidden)
    for (let version = 1; version <= sideOf(events[index]!, side).edits; version++)
      await editTitle(world, idOf(index), version)
  clock.at = before
  // What the sides had before may differ, and tokens count it. Histories are compared in api/changes/non-interference.
  const { writes } = app.ctx.storage
  await writes.updateTable('calendar').set({ public_revision: 2 }).execute()
  await writes.updateTable('events').set({ public_revision: 1, public_created_revision: 1 }).execute()
}

/** Where one side has a cancelled event, the other may have deleted it. */
const isThere = ({ placing, words }: TwinEvent, side: Side): boolean =>
  !(placing.isGone && placing.visibility === 'private' && side === 1 && words[1].cancelsInstead)

/** Random, and the same on both sides. */
export const idOf = (index: number): string => signedName('ids of twins', `${index}`)

async function takeIn(
  { app }: World,
  author: Viewer,
  indexes: number[],
  textOf: (index: number) => string,
): Promise<void> {
  if (indexes.length === 0) return
  const file = `${lines('BEGIN:VCALENDAR', 'VERSION:2.0')}${indexes.map(textOf).join('')}${lines('END:VCALENDAR')}`
  const { skipped, events } = await importCalendar(app.ctx, author, file, { idOf: (uid) => idOf(indexOfUid(uid)) })
  assert.equal(skipped, 0, `the test wrote a file that is not taken: ${JSON.stringify(events)}\n${file}`)
}

async function editTitle({ app: { ctx } }: World, id: string, times: number): Promise<void> {
  const { version } = await ctx.storage.reads
    .selectFrom('events')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await patchEvent(ctx, OPERATOR, id, { title: `changed ${times} times` }, undefined, { version })
}

async function keeperOf({ app: { ctx } }: World): Promise<Viewer> {
  const found = await findAccountByEmailKey(ctx.storage.reads, 'admin@example.org')
  assert.ok(found)
  return createAccountViewer(found.account, true, { proof: 'password', passwordHash: found.passwordHash })
}
