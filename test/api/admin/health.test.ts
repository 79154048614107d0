// GET /admin/health: the findings of the doctor for administrators, without secrets and paths.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { rebuildTarget } from '../../../src/actions/maintenance/reindex.ts'
import type { FindingCode } from '../../../src/doctor/finding.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { acceptClock, setTzVersion } from '../../../src/storage/operations/instance.ts'
import { startMailServer } from '../../support/http/mail-server.ts'
import { listen } from '../../support/http/socket.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

interface Shown {
  code: FindingCode
  level: string
  message: string
  advice?: string
}

forEachEngine('a running service shows its findings to administrators only', (engine) =>
  withWorld(
    engine,
    async ({ app, admin, writer, anonymous }) => {
      await listen(app)
      const { status, body } = await admin.get('/admin/health')
      assert.equal(status, 200)
      const codes = body.data.findings.map(({ code }: Shown) => code)
      for (const code of ['database_ok', 'index_ok', 'clock_ok', 'mail_to_files', 'service_ok'])
        assert.ok(codes.includes(code), code)
      assert.deepEqual(
        [(await writer.get('/admin/health')).status, (await anonymous.get('/admin/health')).status],
        [403, 401],
      )
    },
    { now: new Date().toISOString() },
  ),
)

forEachEngine('bad cases are shown, and neither a password nor a path with them', async (engine) => {
  const mail = await startMailServer({ mode: 'refuse' })
  await withWorld(
    engine,
    async ({ app, admin, writer, place, clock }) => {
      const folder = place.settings.DAYBOOK_DATA_DIR!
      mkdirSync(folder, { recursive: true })
      chmodSync(folder, 0o755)
      await writer.creates({ title: 'planted-title', start: '2026-07-14T19:00', end: '2026-07-14T20:00' })
      await inTransaction(app.ctx.storage, async (db) => {
        await setTzVersion(db, rebuildTarget(app.ctx, process.versions.tz!))
        await db.deleteFrom('occurrences').execute()
        await acceptClock(db, clock.at - 10 * 86_400_000)
      })
      const { body, text } = await admin.get('/admin/health')
      const found: Shown[] = body.data.findings
      const codes = found.filter(({ level }) => level !== 'ok').map(({ code }) => code)
      for (const code of [
        'folder_open',
        'index_wrong',
        'clock_in_doubt',
        'mail_failing',
        'rate_limits_off',
        'public_url_unreachable',
      ] as const)
        assert.ok(codes.includes(code), `${code} in ${codes}`)
      for (const { code, level, advice } of found) assert.ok(level === 'ok' || advice, `${code} says what to do`)
      assert.doesNotMatch(text, /planted/)
      assert.ok(!text.includes(place.folder), 'no path')
      assert.equal((await admin.get('/admin/health')).text, text, 'the mail server is not asked each time')
    },
    {
      settings: {
        DAYBOOK_PUBLIC_URL: 'http://localhost:9',
        DAYBOOK_SMTP_TLS: 'off',
        DAYBOOK_SMTP_URL: `smtp://me:planted-word@127.0.0.1:${mail.port}`,
      },
    },
  )
  await mail.stop()
})
