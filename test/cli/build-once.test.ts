// A build runs when an input has changed, however the change is made, and not when only times have.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { waitFor } from '../support/measure/wait-for.ts'

interface BuildOptions {
  folder: string
  inputs: string[]
  workFolder: string
}

interface BuildOnce {
  buildOnce(options: BuildOptions & { build: (folder: string) => void }): void
  isBuilt(options: BuildOptions): boolean
}

const MODULE = join(import.meta.dirname, '..', '..', 'bin', 'build-once.mjs')
const { buildOnce, isBuilt } = (await import(MODULE)) as BuildOnce

function makeSources(): BuildOptions & { root: string; source: string } {
  const root = mkdtempSync(join(tmpdir(), 'daybook-build-'))
  const source = join(root, 'src', 'a.ts')
  mkdirSync(join(root, 'src'))
  writeFileSync(source, 'one')
  writeFileSync(join(root, 'lock.json'), '{}')
  return {
    root,
    source,
    folder: join(root, 'src', 'dist'),
    inputs: [join(root, 'src'), join(root, 'lock.json')],
    workFolder: join(root, '.build'),
  }
}

test('a build runs again for another content, even with the size and times of before, and for nothing else', async () => {
  const { root, source, ...options } = makeSources()
  let builds = 0
  const build = (): number => {
    const before = builds
    buildOnce({
      ...options,
      build() {
        builds++
      },
    })
    return builds - before
  }
  try {
    assert.equal(build(), 1, 'missing')
    assert.equal(build(), 0)
    assert.ok(!isBuilt(options), 'times this new prove nothing yet')
    await waitFor('the times are old enough to be trusted', () => build() === 0 && isBuilt(options))

    const { atime, mtime } = statSync(source)
    writeFileSync(source, 'two')
    utimesSync(source, atime, mtime)
    assert.ok(!isBuilt(options))
    assert.equal(build(), 1, 'same size, same modification time')
    utimesSync(source, new Date(), new Date())
    assert.equal(build(), 0, 'another time only')
    renameSync(source, join(root, 'src', 'b.ts'))
    assert.equal(build(), 1, 'another name')
    rmSync(options.folder, { recursive: true })
    assert.equal(build(), 1, 'removed')
    const copy = `${root}-copy`
    cpSync(root, copy, { recursive: true })
    const moved = (path: string): string => path.replace(root, copy)
    const fail = (): void => assert.fail('a copy is built already')
    buildOnce({
      folder: moved(options.folder),
      inputs: options.inputs.map(moved),
      workFolder: moved(options.workFolder),
      build: fail,
    })
    rmSync(copy, { recursive: true })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

test('processes that build at the same time, or are killed meanwhile, leave a whole build', async () => {
  const { root, source, ...options } = makeSources()
  const main = join(options.folder, 'main.js')
  const buildFrom = (folder: string): void => writeFileSync(join(folder, 'main.js'), readFileSync(source))
  try {
    buildOnce({
      ...options,
      build(folder) {
        // Another process begins later and ends earlier.
        buildOnce({ ...options, workFolder: join(root, '.build', 'other'), build: buildFrom })
        assert.ok(existsSync(main))
        buildFrom(folder)
      },
    })
    assert.equal(readFileSync(main, 'utf8'), 'one')

    writeFileSync(source, 'two')
    const script = `const { buildOnce } = await import(${JSON.stringify(pathToFileURL(MODULE))})
      buildOnce({ ...${JSON.stringify(options)}, build() {
        process.stdout.write('building')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      } })`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    assert.equal(readFileSync(main, 'utf8'), 'one', 'the earlier build stays until the next is whole')
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.ok(!isBuilt(options))
    assert.equal(readdirSync(options.workFolder).length, 1)
    buildOnce({ ...options, build: buildFrom })
    assert.equal(readFileSync(main, 'utf8'), 'two')
    assert.deepEqual(readdirSync(options.workFolder), [], 'what was left by the killed one is removed')

    writeFileSync(source, 'three')
    const failing = (): void => {
      throw new Error('a syntax error')
    }
    assert.throws(() => buildOnce({ ...options, build: failing }), /a syntax error/)
    assert.equal(readFileSync(main, 'utf8'), 'two')
    assert.deepEqual(readdirSync(options.workFolder), [])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

test('a service that may not write to the project starts from a build of the same contents', {
  skip: !process.seteuid,
}, () => {
  const { root, source, ...options } = makeSources()
  const isRoot = process.geteuid!() === 0
  try {
    buildOnce({ ...options, build: (folder) => writeFileSync(join(folder, 'main.js'), '') })
    utimesSync(source, new Date(), new Date(0))
    for (const path of [root, options.folder]) chmodSync(path, 0o555)
    chmodSync(join(options.folder, '.built-from'), 0o444)
    // Permissions do not hold for root.
    if (isRoot) process.seteuid!(65_534)
    buildOnce({ ...options, build: () => assert.fail('nothing has to be built') })
    if (isRoot) process.seteuid!(0)
    chmodSync(root, 0o755)
    writeFileSync(source, 'two')
    rmSync(options.workFolder, { recursive: true })
    chmodSync(root, 0o555)
    if (isRoot) process.seteuid!(65_534)
    assert.throws(() => buildOnce({ ...options, build: () => {} }), { code: 'EACCES' })
  } finally {
    if (isRoot) process.seteuid!(0)
    for (const path of [root, options.folder]) chmodSync(path, 0o755)
    rmSync(root, { recursive: true, force: true })
  }
})
