// Static checks of the systemd unit, the container image and the compose files against the release.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../src/settings.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const COMPOSE = ['compose.yaml', 'compose.postgres.yaml']

test('the unit starts the launcher of the release and lets systemd-notify speak for the service', () => {
  const unit = read('packaging/daybook.service')
  const installed = '/opt/daybook/lib/node_modules/daybook'
  assert.match(
    unit,
    new RegExp(`^ExecStart=${installed}/node_modules/.bin/node ${installed}/bin/daybook.mjs start$`, 'm'),
  )
  assert.match(unit, /^Type=notify$/m)
  assert.match(unit, /^NotifyAccess=all$/m)
  assert.doesNotMatch(unit, /^MemoryDenyWriteExecute=yes/m, 'V8 could not compile')
})

test('the unit is hardened: systemd rates its exposure at 2.5 of 10 or less', (t) => {
  const unit = join(ROOT, 'packaging', 'daybook.service')
  const { status, stdout, error } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--threshold=25', '--no-pager', unit],
    { encoding: 'utf8' },
  )
  if (error) return t.skip('needs systemd-analyze')
  assert.equal(status, 0, stdout)
})

test('the image runs as a user that is not root, keeps its data in /data and has a health check', () => {
  const [, last] = read('Containerfile').split(/^FROM \$\{BASE_IMAGE\}$/m)
  assert.match(last!, /^USER [1-9]\d*:[1-9]\d*$/m)
  assert.match(last!, /^VOLUME \/data$/m)
  assert.match(last!, /^HEALTHCHECK .*CMD \["daybook", "health"\]$/m)
  assert.match(last!, /^ENTRYPOINT \["daybook"\]$/m, 'no shell between the runtime and the service')
})

test('settings in the image and the compose files exist, and so do the files that they name', () => {
  const known = new Set(settings.map(({ name }) => `DAYBOOK_${name.toUpperCase()}`))
  for (const path of ['Containerfile', ...COMPOSE])
    for (const [name] of read(path).matchAll(/DAYBOOK_[A-Z_]+/g)) assert.ok(known.has(name), `${path}: ${name}`)
  for (const path of COMPOSE) {
    for (const [, file] of read(path).matchAll(/(?:- |dockerfile: )(?:\.\/)?([\w./-]+?)(?::\/\S+:ro)?$/gm))
      if (/Containerfile|Caddyfile/.test(file!)) assert.ok(existsSync(join(ROOT, file!)), `${path}: ${file}`)
    assert.match(read(path), /read_only: true/)
    assert.match(read(path), /cap_drop: \[ALL\]/)
  }
  assert.equal(read('.containerignore'), read('.dockerignore'), 'Podman and Docker leave out the same')
})

test('a proxy of the compose files is trusted in the network that they define, and nowhere else', () => {
  for (const path of COMPOSE) {
    const text = read(path)
    assert.equal(/DAYBOOK_TRUST_PROXY: (\S+)/.exec(text)![1], /subnet: (\S+)/.exec(text)![1], path)
  }
})
