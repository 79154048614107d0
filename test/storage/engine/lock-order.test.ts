// Lock order on PostgreSQL: events first, the calendar's counter last, because every writer needs the counter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { lockObjectHead } from '../../../src/storage/events/objects.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { type World, withWorld } from '../../support/world.ts'

const DAILY = { title: 'One', start: '2026-07-14T09:00', end: '2026-07-14T10:00', rrule: 'FREQ=DAILY;COUNT=9' }
const ICS = { 'content-type': 'text/calendar; charset=utf-8' }

/** Of an event whose row another transaction holds. */
const WRITES: Record<string, (world: World, event: { id: string; name: string; uid: string }) => Promise<ApiResponse>> =
  {
    'a move': ({ writer }, { name, id }) =>
      davOf(writer).send('MOVE', `${MAIN}${name}`, undefined, { destination: `${MAIN}moved-${id}.ics` }),
    'a PUT': ({ writer }, { name, uid }) => davOf(writer).put(`${MAIN}${name}`, eventText(uid), { 'if-match': '*' }),
    'a long PUT': ({ writer }, { name, uid }) => {
      const text = eventText(uid, ...Array.from({ length: 400 }, () => `X-LONG:${'x'.repeat(1_000)}`))
      return davOf(writer).put(`${MAIN}${name}`, text, { 'if-match': '*' })
    },
    'a CalDAV DELETE': ({ writer }, { name }) => davOf(writer).send('DELETE', `${MAIN}${name}`),
    'a PATCH': ({ writer }, { id }) => writer.patch(`/events/${id}`, { title: 'Two', version: 1 }),
    'a replacement': ({ writer }, { id }) => writer.put(`/events/${id}`, { ...DAILY, title: 'Two', version: 1 }),
    'a DELETE': ({ writer }, { id }) => writer.delete(`/events/${id}`),
    'an edited occurrence': ({ writer }, { id }) =>
      writer.patch(`/events/${id}/occurrences/20260715T090000`, { title: 'Two', version: 1 }),
    'a deleted occurrence': ({ writer }, { id }) => writer.delete(`/events/${id}/occurrences/20260715T090000`),
    'an import': ({ admin }, { uid }) => admin.post('/admin/import', eventText(uid, 'DESCRIPTION:Two'), ICS),
  }

test('a write that waits for its event does not block other writers', () =>
  withWorld('postgres', async (world) => {
    const { ctx } = world.app
    const { writes, reads } = ctx.storage
    for (const [kind, write] of Object.entries(WRITES)) {
      const { id } = await world.writer.creates(DAILY)
      const { dav_name: name, uid } = await reads
        .selectFrom('events')
        .select(['dav_name', 'uid'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const isHeld = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const holding = writes.transaction().execute(async (db) => {
        await lockObjectHead(db, name)
        isHeld.resolve()
        await release.promise
      })
      await isHeld.promise
      const written = write(world, { id, name, uid })
      try {
        await waitFor(`${kind} waits`, async () => (await countWaiting(world)) > 0)
        const { status } = await world.writer.post('/events', { ...DAILY, title: 'Other' })
        assert.equal(status, 201, kind)
      } finally {
        release.resolve()
        await holding
      }
      const { status, text } = await written
      assert.ok(status < 300, `${kind}: ${status} ${text}`)
    }
  }))

const WORDS = 1_200

/** A public series whose edited occurrences have many words. */
const wordy = (uid: string, letter: string): string => {
  const day = (i: number): string =>
    `2026${String(i < 17 ? 7 : 8).padStart(2, '0')}${String(i < 17 ? 15 + i : i - 16).padStart(2, '0')}`
  const edits = Array.from({ length: 20 }, (_, i) =>
    eventText(
      uid,
      'CLASS:PUBLIC',
      `RECURRENCE-ID:${day(i)}T180000Z`,
      `DESCRIPTION:${Array.from({ length: WORDS / 20 }, (_, n) => `${letter}${i}x${n}`).join(' ')}`,
    )
      .split('\r\n')
      .slice(3, -2),
  )
  const main = eventText(uid, 'CLASS:PUBLIC', 'RRULE:FREQ=DAILY;COUNT=30').split('\r\n').slice(0, -2)
  return [...main, ...edits.flat(), 'END:VCALENDAR', ''].join('\r\n')
}

test('a write of an event with many rows locks the counter only when they are written', () =>
  withWorld('postgres', async (world) => {
    const { writes } = world.app.ctx.storage
    const dav = davOf(world.writer)
    const url = `${MAIN}wordy.ics`
    const changes = {
      'a first PUT': () => dav.put(url, wordy('wordy', 'a')),
      'a PUT': () => dav.put(url, wordy('wordy', 'b'), { 'if-match': '*' }),
      'a DELETE': () => dav.delete(url),
    }
    for (const [kind, change] of Object.entries(changes)) {
      const isHeld = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const holding = writes.transaction().execute(async (db) => {
        await sql`lock table exceptions in share mode`.execute(db)
        isHeld.resolve()
        await release.promise
      })
      await isHeld.promise
      const changed = change()
      try {
        await waitFor(`${kind} waits`, async () => (await countWaiting(world)) > 0)
        const { status } = await world.writer.post('/events', DAILY)
        assert.equal(status, 201, kind)
      } finally {
        release.resolve()
        await holding
      }
      assert.equal((await changed).status, kind === 'a first PUT' ? 201 : 204, kind)
    }
  }))

/** Transactions of this database that wait for a lock of another one. */
async function countWaiting({ app }: World): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.ctx.storage.reads)
  return Number(rows[0]!.count)
}
