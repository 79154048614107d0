// Events of a megabyte: feeds and exports are built in short turns, with the same bytes and ETags.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { withPermit } from '../../../src/actions/costly-work/semaphore.ts'
import { directReaders } from '../../../src/storage/dialect.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { event, file } from '../../ical/files.ts'
import { davOf } from '../../support/http/dav.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const COUNT = 16

/** Rows only: no words are indexed, which does not matter here. */
async function fillWithLarge({ writer, app }: World): Promise<void> {
  const dav = davOf(writer)
  for (let i = 0; i < COUNT; i++)
    assert.equal((await dav.put(`${MAIN}${i}.ics`, eventText(`${i}@example.org`, 'CLASS:PUBLIC'))).status, 201)
  const ical = eventText('long@example.org', ...Array.from({ length: 10_000 }, () => `X-LONG:${'x'.repeat(65)}`))
  const publicText = `BEGIN:VEVENT\r\n${`DESCRIPTION:${'ü'.repeat(70)}\r\n`.repeat(6_500)}END:VEVENT\r\n`
  await app.ctx.storage.writes.updateTable('events').set({ ical, public_ical: publicText }).execute()
}

/** In one turn only a few of the events are handled. */
const SHORT = { share: 0.2 }

const SMALL = { title: 'Small', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

forEachEngine('F45: feeds and exports of large events are made in short turns', (engine) =>
  withWorld(engine, async (world) => {
    await fillWithLarge(world)
    const { anonymous, admin, writer, app } = world
    // Starts the thread that reads, and warms up the code.
    assert.equal((await anonymous.head('/public/calendar.ics?from=2026-01-01')).status, 200)
    const head = async (query: string): Promise<void> => {
      const { status, headers } = await anonymous.head(`/public/calendar.ics${query}`)
      assert.equal(status, 200)
      assert.ok(Number(headers['content-length']) > COUNT * 900_000)
    }
    // A change before each run, because the feed of an unchanged calendar is cached.
    await assertShortTurns(
      'a whole feed',
      SHORT,
      () => head(''),
      () => writer.creates(SMALL),
    )
    await assertShortTurns('a filtered feed', SHORT, (run) => head(`?from=2026-01-0${run + 2}`))
    await app.ctx.storage.writes.deleteFrom('events').where('title', '=', SMALL.title).execute()
    const { bytes, headers } = await anonymous.get('/public/calendar.ics')
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
    assert.equal(headers.etag, `"${digest}"`)
    const { result } = await assertShortTurns('an export', SHORT, () => admin.get('/admin/export.ics'))
    assert.equal(result.text.split('BEGIN:VEVENT').length - 1, COUNT)
    await app.ctx.storage.writes.deleteFrom('events').execute()
  }),
)

forEachEngine('an import reads the large events it changes one at a time', (engine) =>
  withWorld(engine, async (world) => {
    await fillWithLarge(world)
    const { reads } = world.app.ctx.storage
    const read = directReaders.get(reads)!
    const lengths: number[] = []
    directReaders.set(reads, async (text, parameters) => {
      const rows = await read(text, parameters)
      const texts = rows.flatMap((row) => Object.values(row as object)).filter((value) => typeof value === 'string')
      lengths.push(texts.reduce((sum, value) => sum + value.length, 0))
      return rows
    })
    const events = Array.from({ length: COUNT }, (_, i) => event(`${i}@example.org`, 'DTSTART:20260714T100000Z'))
    const { body } = await world.admin.send({
      method: 'POST',
      url: `${world.app.site.base}/admin/import`,
      headers: { 'content-type': 'text/calendar' },
      payload: file(...events),
    })
    assert.equal(body.data.updated, COUNT)
    assert.ok(lengths.reduce((sum, one) => sum + one) > COUNT * 1_000_000, 'their texts are read')
    assert.ok(Math.max(...lengths) < 2_000_000, `${Math.max(...lengths)} characters at once`)
  }),
)

forEachEngine(
  'the file of one long event is a costly read on its own connection, and that of a short one is not',
  (engine) =>
    withWorld(engine, async (world) => {
      await fillWithLarge(world)
      const { anonymous, app, writer } = world
      const small = await writer.creates({ ...SMALL, visibility: 'public' })
      const { storage } = app.ctx
      const { openReader } = storage
      let opened = 0
      storage.openReader = () => {
        opened += 1
        return openReader()
      }
      const idOf = async (number: number): Promise<string> =>
        (
          await storage.reads
            .selectFrom('events')
            .select('id')
            .where('uid', '=', `${number}@example.org`)
            .executeTakeFirstOrThrow()
        ).id
      assert.equal((await anonymous.get(`/public/events/${small.id}/event.ics`)).status, 200)
      assert.equal(opened, 0)
      const { result } = await assertShortTurns('a file', { ms: 100 }, async (run) =>
        anonymous.get(`/public/events/${await idOf(run)}/event.ics`),
      )
      assert.equal(result.status, 200)
      assert.ok(result.bytes.length > 900_000)
      assert.ok(opened > 0)
      let free = (): void => {}
      const released = new Promise<void>((resolve) => {
        free = resolve
      })
      // All permits of reads are taken: a long file waits, a short one does not.
      const busy = ['one', 'two'].map((key) => withPermit(app.ctx, { key, charge: () => {} }, () => released))
      let isSent = false
      const waiting = anonymous.get(`/public/events/${await idOf(9)}/event.ics`).then((answer) => {
        isSent = true
        return answer
      })
      assert.equal((await anonymous.get(`/public/events/${small.id}/event.ics?again`)).status, 200)
      assert.equal(isSent, false)
      free()
      await Promise.all(busy)
      assert.equal((await waiting).status, 200)
    }),
)

forEachEngine('whole feeds are built one at a time, across all networks', (engine) =>
  withWorld(engine, async ({ app, anonymous }) => {
    let finish = (): void => {}
    const building = withPermit(
      app.ctx,
      { key: 'feed', charge: () => {} },
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
      { queue: 'feeds' },
    )
    const { openReader } = app.ctx.storage
    let opened = 0
    app.ctx.storage.openReader = () => {
      opened += 1
      return openReader()
    }
    const whole = anonymous.get('/public/calendar.ics')
    assert.equal((await anonymous.get('/public/calendar.ics?from=2026-01-01')).status, 200)
    assert.equal(opened, 1, 'a filtered feed does not wait for a whole one')
    finish()
    await building
    assert.equal((await whole).status, 200)
    await waitFor('the whole feed was built', () => opened === 2)
  }),
)
