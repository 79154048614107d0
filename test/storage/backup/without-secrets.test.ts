// A backup without secrets: none is in the file, a restore makes new ones, accounts need passwords.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { grantAdministration } from '../../../src/actions/accounts/change-account.ts'
import { followZoneData, reindex } from '../../../src/actions/maintenance/reindex.ts'
import { checkBackup } from '../../../src/storage/backup/backup-file.ts'
import { writeBackup } from '../../../src/storage/backup/write-backup.ts'
import { readInstance } from '../../../src/storage/operations/instance.ts'
import { AT, HEADER, withRestored } from '../../support/storage/backups.ts'
import { ENGINES, forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const TIMES = { start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

async function fill({ writer, admin, signIn }: World): Promise<void> {
  await writer.creates({ ...TIMES, title: 'open', visibility: 'public' })
  await writer.creates({ ...TIMES, title: 'zqhidden', visibility: 'private' })
  const browser = await signIn('writer@example.org')
  assert.equal((await browser.post('/auth/app-passwords', { name: 'Phone' })).status, 201)
  assert.equal((await browser.post('/auth/tokens', { name: 'Script', scopes: ['events:read'] })).status, 201)
  assert.equal((await browser.post('/auth/feeds', { name: 'Feed' })).status, 201)
  const mail = { smtp_url: 'smtp://post@mail.example.org:587', smtp_password: 'zqpassword' }
  assert.equal((await admin.patch('/admin/settings', { ...mail, version: 1 })).status, 200)
}

/** Everything in the database that opens something. */
async function readSecrets({ app }: World): Promise<string[]> {
  const { reads } = app.ctx.storage
  const hashes = await Promise.all(
    (['app_passwords', 'api_tokens', 'feed_links'] as const).map((table) =>
      reads.selectFrom(table).select('hash').executeTakeFirstOrThrow(),
    ),
  )
  const users = await reads.selectFrom('users').select('password_hash').execute()
  const mail = await reads.selectFrom('settings').select('value').where('name', '=', 'smtp_password').executeTakeFirst()
  const { secret } = await readInstance(reads)
  return [secret, mail!.value, ...hashes.map(({ hash }) => hash), ...users.map((user) => user.password_hash)]
}

const uidsIn = (text: string): string[] => text.match(/^UID:.*$/gm)!.toSorted()

forEachEngine('a backup without secrets holds none, and a restore makes new ones', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world)
    const secrets = await readSecrets(world)
    assert.equal(secrets.length, 8)
    const { app, place } = world
    const backup = join(place.folder, 'open.backup')
    const database = join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db')
    assert.equal(
      (await writeBackup(app.ctx.storage, database, backup, HEADER, { withoutSecrets: true })).hasSecrets,
      false,
    )
    const bytes = readFileSync(backup)
    for (const secret of secrets) assert.equal(bytes.includes(secret), false, secret)
    assert.equal(checkBackup(backup).rows.get('users'), 3)
    const uids = uidsIn((await world.anonymous.get('/public/calendar.ics')).text)
    const made = new Set([secrets[0]])
    for (const target of ENGINES)
      await withRestored(backup, target, { ...AT, keepsCredentials: true }, async (restored) => {
        const { ctx } = restored.app
        made.add((await readInstance(ctx.storage.reads)).secret)
        assert.deepEqual(ctx.config.stored, { smtp_url: 'smtp://post@mail.example.org:587' })
        assert.equal((await restored.admin.get('/events')).status, 401)
        assert.equal(
          (await restored.admin.post('/auth/login', { email: 'admin@example.org', password: '' })).status,
          401,
        )
        const password = 'another good password'
        await grantAdministration(ctx, 'admin@example.org', password)
        const admin = restored.as('admin@example.org', password)
        assert.equal((await admin.get('/events?expand=false')).body.meta.pagination.total, 2)
        await followZoneData(ctx, process.versions.tz!)
        assert.equal((await reindex(ctx)).changed, 0)
        const now = uidsIn((await restored.anonymous.get('/public/calendar.ics')).text)
        assert.deepEqual([now.length, now.filter((uid) => uids.includes(uid)).length], [2, 1], 'the masked one is new')
      })
    assert.equal(made.size, 1 + ENGINES.length, 'each restore makes its own')
  }),
)
