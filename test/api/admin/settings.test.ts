// The settings for administrators: all of them with their sources, and no secret.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '../../../src/settings.ts'
import type { Json } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const read = async ({ admin }: World): Promise<Record<string, { value: string; origin: string; meaning: string }>> => {
  const { body } = await admin.get('/admin/settings')
  return Object.fromEntries(body.data.map((item: Json) => [item.name, item]))
}

forEachEngine('every setting is shown with its meaning and its source', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const shown = await read(world)
      assert.deepEqual(
        Object.keys(shown),
        settings.map(({ name }) => name),
      )
      const { site_name, port, timezone, rate_limits, week_start, public_url, mail_from } = shown
      assert.deepEqual([site_name!.value, site_name!.origin], ['Town', 'environment'])
      assert.deepEqual([port!.value, port!.origin], ['8080', 'default'])
      assert.deepEqual([timezone!.value, timezone!.origin], ['Europe/London', 'default'])
      assert.deepEqual([rate_limits!.value, rate_limits!.origin], ['off', 'environment'])
      assert.equal(week_start!.value, 'auto')
      assert.equal(public_url!.value, 'http://localhost:8080', 'also what follows from others')
      assert.equal(mail_from!.value, 'daybook@localhost')
      assert.match(site_name!.meaning, /name people see/)
    },
    { settings: { DAYBOOK_SITE_NAME: 'Town' } },
  ),
)

forEachEngine('no password is in the response, in whatever part of a setting it was', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { text } = await world.admin.get('/admin/settings')
      assert.doesNotMatch(text, /zqsecret|zquser/i)
      const { smtp_url, database_url } = await read(world)
      assert.equal(smtp_url!.value, 'smtps://…@mail.example.org:465')
      assert.match(database_url!.value, engine === 'sqlite' ? /^$/ : /^postgres:\/\/…@[^@/]+\/daybook_\w+$/)
      const { databaseUrl } = world.app.ctx.config
      const { password } = new URL(databaseUrl || 'postgres://x')
      assert.ok(!password || !text.includes(password), 'nor that of the real one')
    },
    { settings: { DAYBOOK_SMTP_URL: 'smtps://zquser:zqsecret@mail.example.org' } },
  ),
)

test('database addresses with a socket or with a password in the query show no secret', () =>
  withWorld('sqlite', async (world) => {
    const { config } = world.app.ctx
    for (const [databaseUrl, value] of [
      ['postgres://zquser:zqsecret@/town?host=/run/zqsecret', 'postgres://…'],
      ['postgres://db.example.org:5433/town?password=zqsecret&user=zquser', 'postgres://…@db.example.org:5433/town'],
      ['postgresql://zquser:zq%2Fsecret@db.example.org/town#zqsecret', 'postgres://…@db.example.org/town'],
    ] as const) {
      world.app.ctx.config = { ...config, databaseUrl }
      const { text } = await world.admin.get('/admin/settings')
      assert.doesNotMatch(text, /zqsecret|zquser|zq%2F/)
      assert.equal((await read(world)).database_url!.value, value)
    }
  }))
