// Packages that the launcher of a clone installs: test tools that are there stay there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { makePlace } from '../support/storage/engines.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The arguments of npm, which here only notes them, and the parts that the launcher says are installed. */
async function installForRun(packages: string[]): Promise<{ args: string; parts: string | undefined }> {
  const place = await makePlace('sqlite')
  try {
    const root = join(place.folder, 'clone')
    for (const path of ['bin', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, path), join(root, path), { recursive: true })
    for (const path of ['src', 'node_modules/.bin', ...packages.map((name) => `node_modules/${name}`)])
      mkdirSync(join(root, path), { recursive: true })
    symlinkSync(process.execPath, join(root, 'node_modules', '.bin', 'node'))
    const tools = join(place.folder, 'tools')
    mkdirSync(tools)
    writeFileSync(join(tools, 'npm'), `#!/bin/sh\necho "$*" >'${join(place.folder, 'args')}'\n`)
    chmodSync(join(tools, 'npm'), 0o755)
    const code = `await (await import('./bin/launcher.mjs')).ensureInstalled('run')`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PATH: [tools, process.env.PATH].join(delimiter) },
    })
    assert.equal(status, 0, stderr)
    const [, parts] = readFileSync(join(root, 'node_modules', '.daybook-installed'), 'utf8').split(' ')
    return { args: readFileSync(join(place.folder, 'args'), 'utf8'), parts }
  } finally {
    await place.remove()
  }
}

test('a start in a fresh clone installs no test tools', async () => {
  const { args, parts } = await installForRun([])
  assert.match(args, /^ci .*--omit=dev$/m)
  assert.equal(parts, 'run')
})

test('a start keeps the test tools that `npm ci` has installed', async () => {
  const { args, parts } = await installForRun(['typescript'])
  assert.doesNotMatch(args, /omit/)
  assert.equal(parts, 'all')
})
