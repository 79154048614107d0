// Revisions, versions, ETags and sync tokens after a restore: none comes again.
import assert from 'node:assert/strict'
import { MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { AT, makeBackup, SYNC, tokenIn, withRestored } from '../../support/storage/backups.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

forEachEngine('F35: a second restore of the same backup repeats no version, ETag or sync token', (engine) =>
  withWorld('sqlite', async (world) => {
    const event = await world.writer.creates({ title: 'first', start: '2026-07-21T09:00', end: '2026-07-21T10:00' })
    const deleted = await world.writer.creates({ title: 'gone', start: '2026-07-21T09:00', end: '2026-07-21T10:00' })
    await world.writer.delete(`/events/${deleted.id}`)
    const account = (await world.admin.get('/admin/users')).body.data[0].id
    const backup = await makeBackup(world)
    const seen = new Set<string>()
    const note = (value: string): void => {
      assert.equal(seen.has(value), false, value)
      seen.add(value)
    }
    const late = AT.restoredAt + 60_000
    // The last clock is behind everything that was stored before.
    for (const restoredAt of [undefined, AT.restoredAt, late, 1, 1]) {
      const change = async ({ writer, admin }: World): Promise<void> => {
        const { headers, body } = await writer.patch(`/events/${event.id}`, {
          title: `${restoredAt}`,
          version: (await writer.get(`/events/${event.id}`)).body.data.version,
        })
        note(headers.etag as string)
        note(`event ${body.data.version}`)
        const { headers: back, body: again } = await writer.post(`/trash/${deleted.id}/restore`, undefined)
        note(back.etag as string)
        note(`deleted event ${again.data.version}`)
        const { headers: of, body: user } = await admin.patch(`/admin/users/${account}`, {
          version: (await admin.get(`/admin/users/${account}`)).body.data.version,
          display_name: `${restoredAt}`,
        })
        note(of.etag as string)
        note(`account ${user.data.version}`)
        note(tokenIn((await davOf(writer).report(MAIN, SYNC(''))).text))
        note((await writer.get('/events?from=2026-07-01&to=2026-09-01')).headers.etag as string)
      }
      if (restoredAt === undefined) await change(world)
      else await withRestored(backup, engine, { restoredAt, keepsCredentials: false }, change)
    }
    assert.equal(seen.size, 40)
  }),
)

forEachEngine('SEQUENCE in a feed stays within 31 bits after a restore', (engine) =>
  withWorld('sqlite', async (world) => {
    await world.writer.creates({ title: 'first', start: '2026-07-21T09:00', end: '2026-07-21T10:00' })
    const url = new URL((await world.reader.post('/auth/feeds', { name: 'Phone' })).body.data.url).pathname
    const read = async ({ anonymous }: World): Promise<string> => (await anonymous.send({ method: 'GET', url })).text
    const before = await read(world)
    assert.match(before, /\r\nSEQUENCE:\d{1,9}\r\n/)
    await withRestored(await makeBackup(world), engine, { ...AT, keepsCredentials: true }, async (restored) =>
      assert.equal(await read(restored), before),
    )
  }),
)

const YEAR = 365 * 86_400_000

interface RestoredNumbers {
  event: number
  account: number
  token: number
}

forEachEngine('F35: a restore with a clock ten years behind gives higher numbers than before', (engine) =>
  withWorld('sqlite', async (world) => {
    const { id } = await world.writer.creates({ title: 'A', start: '2026-07-21T09:00', end: '2026-07-21T10:00' })
    const backup = await makeBackup(world)
    const restoreAt = async (restoredAt: number, replaced = 0): Promise<RestoredNumbers> => {
      let found: RestoredNumbers | undefined
      const read = async ({ app, writer }: World) => {
        const { reads } = app.ctx.storage
        const calendar = await reads.selectFrom('calendar').selectAll().executeTakeFirstOrThrow()
        const account = await reads.selectFrom('users').select('version').executeTakeFirstOrThrow()
        const { body } = await writer.get(`/events/${id}`)
        assert.equal(calendar.sync_floor, calendar.revision)
        const token = Math.min(calendar.revision, calendar.accounts_revision)
        found = { event: body.data.version, account: account.version, token }
      }
      await withRestored(backup, engine, { restoredAt, keepsCredentials: false }, read, ({ writes }) =>
        writes.updateTable('calendar').set({ revision: replaced }).execute(),
      )
      return found!
    }
    const before = await restoreAt(AT.restoredAt)
    const behind = await restoreAt(AT.restoredAt - 10 * YEAR)
    for (const name of ['event', 'account', 'token'] as const)
      assert.ok(behind[name] > before[name], `${name}: ${behind[name]} > ${before[name]}`)
    const replaced = AT.restoredAt + YEAR
    for (const restoredAt of [AT.restoredAt, AT.restoredAt - 10 * YEAR]) {
      const after = await restoreAt(restoredAt, replaced)
      for (const name of ['event', 'account', 'token'] as const)
        assert.ok(after[name] > replaced, `${name}: ${after[name]} > ${replaced}`)
    }
  }),
)
