// Commands of a user who may not use a file: they name it and say so in words.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Finding } from '../../src/doctor/finding.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import { runUnprivileged } from '../support/processes/process.ts'
import { type EmptyDatabase, makePlace, makeReadyPlace } from '../support/storage/engines.ts'

type Run = (...args: string[]) => { code: number | null; stdout: string; stderr: string }

/** A calendar with its backup `whole`, and commands as a user without special rights. */
async function withUser(t: TestContext, story: (place: EmptyDatabase, run: Run) => Promise<void>): Promise<void> {
  if (!runUnprivileged(['--version'], '/')) return t.skip('needs setpriv')
  const place = await makeReadyPlace('sqlite')
  try {
    assert.equal((await runLoadedCommand(['backup', 'whole'], place.folder, place.settings)).code, 0)
    await story(place, (...args) => runUnprivileged(args, place.folder, place.settings)!)
  } finally {
    await place.remove()
  }
}

/** Makes the folder `closed` in the place, which the user may enter and not write to. */
function makeClosed({ folder }: EmptyDatabase): string {
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o500)
  return closed
}

const NO_PERMISSION = 'this user has no permission (EACCES)'
const NOT_RESTORED = 'Nothing is half restored: run the command again.'

test('a restore names the backup that this user may not read', (t) =>
  withUser(t, async (place, run) => {
    chmodSync(join(place.folder, 'whole'), 0o000)
    for (const flags of [['--dry-run'], []])
      assert.deepEqual(run('restore', 'whole', ...flags), {
        code: 1,
        stdout: '',
        stderr: `daybook restore: whole cannot be read: ${NO_PERMISSION}\n`,
      })
  }))

test('a restore names the folder that this user may not write to', async (t) => {
  const server = await makePlace('postgres')
  try {
    await withUser(t, async (place) => {
      const closed = makeClosed(place)
      const restore = (settings: Record<string, string>) =>
        runUnprivileged(['restore', 'whole'], place.folder, settings)!.stderr
      const refused = (folder: string) =>
        `daybook restore: ${folder} cannot be written: ${NO_PERMISSION}. ${NOT_RESTORED}\n`
      assert.equal(restore({ DAYBOOK_DATA_DIR: closed }), refused(closed))
      assert.equal(restore({ DAYBOOK_DATA_DIR: join(closed, 'data') }), refused(join(closed, 'data')))
      assert.equal(restore({ ...server.settings, TMPDIR: closed }), refused(closed))
      const data = place.settings.DAYBOOK_DATA_DIR!
      chmodSync(join(data, 'daybook.db'), 0o000)
      assert.equal(restore(place.settings), refused(data))
      chmodSync(data, 0o000)
      assert.equal(restore(place.settings), refused(data))
      chmodSync(data, 0o700)
    })
  } finally {
    await server.remove()
  }
})

test('a backup names the folder that this user may not write to', (t) =>
  withUser(t, async (place, run) => {
    makeClosed(place)
    assert.equal(run('backup', 'closed/x').stderr, `daybook backup: closed/x cannot be written: ${NO_PERMISSION}\n`)
    assert.equal(run('export', 'closed/x').stderr, `daybook export: closed/x cannot be written: ${NO_PERMISSION}\n`)
    const { stderr } = runUnprivileged(['backup', '-'], place.folder, {
      ...place.settings,
      TMPDIR: join(place.folder, 'closed'),
    })!
    assert.equal(stderr, `daybook backup: ${place.folder}/closed cannot be written: ${NO_PERMISSION}\n`)
  }))

test('an import names the file that this user may not read, or the folder of its copy', (t) =>
  withUser(t, async (place, run) => {
    const closed = makeClosed(place)
    chmodSync(join(place.folder, 'whole'), 0o000)
    assert.equal(run('import', 'whole').stderr, `daybook import: whole cannot be read: ${NO_PERMISSION}\n`)
    const { stderr } = runUnprivileged(['import', '-'], place.folder, { ...place.settings, TMPDIR: closed })!
    assert.equal(stderr, `daybook import: ${closed} cannot be written: ${NO_PERMISSION}\n`)
  }))

test('a command says that this user may not use the calendar', (t) =>
  withUser(t, async (place, run) => {
    const data = place.settings.DAYBOOK_DATA_DIR!
    const refused = `cannot open the calendar in ${data}: this user has no permission; run the command as the user of the service\n`
    chmodSync(join(data, 'daybook.db'), 0o000)
    for (const command of ['backup', 'export']) assert.equal(run(command).stderr, `daybook ${command}: ${refused}`)
    chmodSync(data, 0o000)
    for (const command of ['backup', 'export']) assert.equal(run(command).stderr, `daybook ${command}: ${refused}`)
    chmodSync(data, 0o700)
  }))

test('the doctor says that this user may not use the data folder or its file, and what to do', (t) =>
  withUser(t, async (place, run) => {
    const data = place.settings.DAYBOOK_DATA_DIR!
    const examine = (): Finding[] => JSON.parse(run('doctor', '--json').stdout).findings
    for (const path of [join(data, 'daybook.db'), data]) {
      chmodSync(path, 0o000)
      const findings = examine()
      const database = findings.find(({ area }) => area === 'database')!
      assert.deepEqual(
        [database.code, database.message],
        ['database_unreachable', 'this user may not read the database'],
      )
      assert.match(database.advice!, /^Run the command as the user of the service\./)
      assert.equal(
        findings.find(({ code }) => code === 'check_failed'),
        undefined,
      )
      const disk = findings.find(({ area }) => area === 'disk')!
      if (path !== data) assert.equal(disk.code, 'disk_ok')
      else
        assert.deepEqual([disk.code, disk.message], ['file_not_accessible', 'this user may not enter the data folder'])
      chmodSync(path, 0o700)
    }
  }))
