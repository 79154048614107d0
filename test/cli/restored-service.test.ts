// The whole service on a restored database: ready, with diagnostics and scheduled backups.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from '../support/measure/wait-for.ts'
import { runCommandBeside, startService } from '../support/processes/process.ts'
import { ENGINES, type Engine, forEachEngine, makePlace } from '../support/storage/engines.ts'

const EMAIL = 'admin@example.org'
const PASSWORD = 'correct horse battery'
const headers = { authorization: `Basic ${Buffer.from(`${EMAIL}:${PASSWORD}`).toString('base64')}` }
/** A service that never becomes ready need not be watched for minutes. */
const SOON = { deadlineMs: 60_000 }

forEachEngine('a service on a restored calendar is ready and makes backups', async (engine) => {
  const place = await makePlace(engine)
  try {
    const create = ['admin', 'create', '--email', EMAIL, '--password-stdin']
    await runCommandBeside(create, place.folder, place.settings, PASSWORD)
    assert.equal((await runCommandBeside(['backup', 'all.backup'], place.folder, place.settings)).code, 0)
    for (const target of ENGINES) await startRestored(join(place.folder, 'all.backup'), target)
  } finally {
    await place.remove()
  }
})

async function startRestored(backup: string, engine: Engine): Promise<void> {
  const place = await makePlace(engine)
  try {
    const restored = await runCommandBeside(['restore', backup], place.folder, place.settings)
    assert.equal(restored.code, 0, restored.stderr)
    const folder = join(place.folder, 'backups')
    const service = await startService(place.folder, { ...place.settings, DAYBOOK_BACKUP_DIR: folder })
    try {
      const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200
      await waitFor('the restored service is ready', isReady, SOON)
      assert.equal((await fetch(`${service.base}/admin/diagnostics`, { headers })).status, 200)
      const isMade = () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.backup'))
      await waitFor('a scheduled backup', isMade, SOON)
    } finally {
      await service.kill()
    }
  } finally {
    await place.remove()
  }
}
