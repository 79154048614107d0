// `daybook doctor`, `daybook health` and `daybook --version` as commands: text, exit codes, no secrets.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeVersion } from '../../src/cli/version.ts'
import { listen } from '../support/http/socket.ts'
import { withTls } from '../support/http/tls.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import { runCommandBeside, startService } from '../support/processes/process.ts'
import { forEachEngine, makePlace } from '../support/storage/engines.ts'
import { withWorld } from '../support/world.ts'

forEachEngine('beside a running service all is well, and the exit code is 0', async (engine) => {
  const place = await makePlace(engine)
  const port = String(20_000 + Math.floor(Math.random() * 10_000))
  const settings = { ...place.settings, DAYBOOK_PORT: port, DAYBOOK_HOST: '127.0.0.1' }
  const service = await startService(place.folder, { ...settings, DAYBOOK_PUBLIC_URL: `http://127.0.0.1:${port}` })
  try {
    const env = { ...settings, DAYBOOK_PUBLIC_URL: `http://127.0.0.1:${port}` }
    const result = await runCommandBeside(['doctor'], place.folder, env)
    assert.deepEqual([result.code, result.stderr], [0, ''], result.stdout)
    assert.match(result.stdout, /^public_url\n {2}ok {7}http:\/\/127\.0\.0\.1:\d+ is served by this calendar$/m)
    assert.match(result.stdout, /\nAll is well\.\n$/)
    const health = await runCommandBeside(['health'], place.folder, env)
    assert.deepEqual([health.code, health.stdout], [0, `the service at http://127.0.0.1:${port} is ready\n`])
  } finally {
    await service.kill()
  }
  const stopped = await runCommandBeside(['health'], place.folder, settings)
  assert.deepEqual([stopped.code, stopped.stdout], [1, ''])
  assert.match(stopped.stderr, /^daybook health: no service at http:\/\/127\.0\.0\.1:\d+: nothing answers there\n$/)
  const warned = await runCommandBeside(['doctor'], place.folder, settings)
  assert.equal(warned.code, 3)
  assert.match(warned.stdout, /warning {2}no service at .* \[service_stopped\]\n {11}Start it/)
  assert.match(warned.stdout, /\n1 warning\.\n$/)
  await place.remove()
})

test('no password of a setting is printed, whatever is wrong', async () => {
  const place = await makePlace('sqlite')
  const planted = {
    DAYBOOK_PORT: '9',
    DAYBOOK_DATABASE_URL: 'postgres://me:planted-word@127.0.0.1:9/daybook?password=planted-too',
    DAYBOOK_SMTP_URL: 'smtps://me:planted-word@127.0.0.1:9',
  }
  for (const settings of [
    planted,
    { ...planted, DAYBOOK_SMTP_URL: 'smtp://planted-word@@x/y' },
    { ...planted, DAYBOOK_DATABASE_URL: 'mysql://me:planted-word@x' },
  ])
    for (const args of [['doctor'], ['doctor', '--json', '--full', '--send', 'you@example.org'], ['health']]) {
      const { code, stdout, stderr } = await runLoadedCommand(args, place.folder, { ...place.settings, ...settings })
      assert.equal(code, 1)
      assert.doesNotMatch(stdout + stderr, /planted/)
    }
  await place.remove()
})

test('a wrong option is a usage error', async () => {
  const place = await makePlace('sqlite')
  for (const args of [['--send', 'no-address'], ['--fast']]) {
    const { code, stderr } = await runLoadedCommand(['doctor', ...args], place.folder, place.settings)
    assert.equal(code, 2)
    assert.match(stderr, /Usage: daybook doctor/)
  }
  await place.remove()
})

test('health asks over TLS, under a slug, and says why a service is not ready', async () => {
  await withTls(async (port, { place, app }) => {
    const { tls } = app.ctx.config
    const settings = {
      ...place.settings,
      DAYBOOK_HOST: '0.0.0.0',
      DAYBOOK_PORT: String(port),
      DAYBOOK_TLS_CERTIFICATE: tls!.certificatePath,
      DAYBOOK_TLS_KEY: tls!.keyPath,
    }
    const { code, stdout } = await runLoadedCommand(['health'], place.folder, settings)
    assert.deepEqual([code, stdout], [0, `the service at https://127.0.0.1:${port} is ready\n`])
  })
  await withWorld(
    'sqlite',
    async ({ app, place }) => {
      const port = String(await listen(app))
      const settings = { ...place.settings, DAYBOOK_HOST: '127.0.0.1', DAYBOOK_PORT: port, DAYBOOK_URL_SLUG: 'town' }
      assert.equal((await runLoadedCommand(['health'], place.folder, settings)).code, 0)
      app.drain()
      const { code, stderr } = await runLoadedCommand(['health'], place.folder, settings)
      assert.equal(code, 1)
      assert.match(stderr, /is not ready: stopping\n$/)
    },
    { settings: { DAYBOOK_URL_SLUG: 'town' } },
  )
})

test('--version prints the version, and commit and date of a bundle or a clone', async () => {
  const place = await makePlace('sqlite')
  const { code, stdout } = await runLoadedCommand(['--version'], place.folder)
  assert.equal(code, 0)
  assert.match(stdout, /^daybook \d+\.\d+\.\d+( \(commit [0-9a-f]{12}\))?\n$/)
  const commit = '0123456789abcdef0123456789abcdef01234567'
  const bare = describeVersion(place.folder, place.folder)
  assert.match(bare, /^daybook \d+\.\d+\.\d+$/)
  mkdirSync(join(place.folder, '.git'))
  writeFileSync(join(place.folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(place.folder, '.git', 'packed-refs'), `# pack-refs\n${commit} refs/heads/main\n`)
  assert.equal(describeVersion(place.folder, place.folder), `${bare} (commit 0123456789ab)`)
  const built = { commit: commit.replaceAll('0', 'f'), built_at: '2026-11-18T10:00:00.000Z' }
  writeFileSync(join(place.folder, 'build.json'), JSON.stringify(built))
  assert.equal(describeVersion(place.folder, place.folder), `${bare} (commit f123456789ab, built 2026-11-18)`)
  await place.remove()
})
