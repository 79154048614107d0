// How an installed release finds its own Node: inside its folder, beside it, or not at all.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..', '..')
const PLATFORM = `${process.platform}-${process.arch}`
const NODE_PACKAGE = `node-${PLATFORM === 'darwin-arm64' ? 'bin-' : ''}${PLATFORM}`
const folder = mkdtempSync(join(tmpdir(), 'daybook-own-node-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A release in node_modules of another project. */
function install(name: string): string {
  const release = join(folder, name, 'node_modules', 'daybook')
  for (const path of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, path), join(release, path), { recursive: true })
  return release
}

function linkNode(modules: string): void {
  mkdirSync(join(modules, NODE_PACKAGE, 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(modules, NODE_PACKAGE, 'bin', 'node'))
}

const run = (release: string) =>
  spawnSync(process.execPath, [join(release, 'bin', 'daybook.mjs'), 'help'], { encoding: 'utf8' })

test('npm may put the package with Node into the release or beside it', () => {
  const inside = install('inside')
  linkNode(join(inside, 'node_modules'))
  const beside = install('beside')
  linkNode(join(beside, '..'))
  for (const release of [inside, beside]) assert.match(run(release).stdout, /^Daybook, a self-hosted calendar server/)
})

test('a release without its Node names the package that is missing', () => {
  const { status, stderr } = run(install('without'))
  assert.equal(status, 1)
  assert.match(stderr, new RegExp(`^daybook: .*the package ${NODE_PACKAGE}\\) is not installed`))
})
