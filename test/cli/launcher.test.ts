// F44: the launcher becomes the service; where it cannot, both end when one of them is killed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitFor } from '../support/measure/wait-for.ts'
import { type LaunchedProcess, type LauncherNode, launch } from '../support/processes/launcher.ts'
import { type EmptyDatabase, makePlace } from '../support/storage/engines.ts'

const ROOT = join(import.meta.dirname, '..', '..')

async function withLaunched(
  args: string[],
  story: (launched: LaunchedProcess, place: EmptyDatabase) => Promise<void>,
  { node = 'pinned', settings = {} }: { node?: LauncherNode; settings?: Record<string, string> } = {},
): Promise<void> {
  const place = await makePlace('sqlite')
  const launched = launch(args, place.folder, { ...place.settings, ...settings }, { node })
  try {
    await story(launched, place)
  } finally {
    launched.stop()
    await launched.ended()
    await place.remove()
  }
}

const whenReady = ({ output }: LaunchedProcess): Promise<string> =>
  waitFor('the service is ready', () =>
    output().includes('Stop with Ctrl+C') ? /API +(\S+)/.exec(output())?.[1] : undefined,
  )

for (const node of ['pinned', 'other'] as const) {
  test(`F44: a launcher on the ${node} Node becomes the service: one process, ended by any signal`, async () => {
    await withLaunched(
      ['start'],
      async (launched) => {
        const base = await whenReady(launched)
        assert.ok(!launched.hasChild(), 'no second process')
        launched.launcher.kill('SIGKILL')
        assert.equal((await launched.ended()).signal, 'SIGKILL')
        await assert.rejects(fetch(base), 'the port is free')
      },
      { node },
    )
  })
}

const CHILD = { node: 'other without execve' } as const

test('F44: a service whose launcher is killed drains, closes its database and ends', async () => {
  await withLaunched(
    ['start'],
    async (launched, place) => {
      const base = await whenReady(launched)
      await launched.findPid()
      launched.launcher.kill('SIGKILL')
      assert.equal((await launched.ended()).signal, 'SIGKILL')
      await assert.rejects(fetch(base), 'the port is free')
      const wal = join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db-wal')
      assert.ok(!existsSync(wal), 'the database was closed, as after SIGTERM')
    },
    CHILD,
  )
})

test('F44: processes that `npm run dev` started end when its launcher is killed', async () => {
  const place = await makePlace('sqlite')
  const launched = launch(['dev'], place.folder, place.settings, { script: 'task.mjs' })
  try {
    const base = await whenReady(launched)
    await launched.findPid()
    launched.launcher.kill('SIGKILL')
    assert.equal((await launched.ended()).signal, 'SIGKILL')
    await assert.rejects(fetch(base), 'the port is free')
  } finally {
    launched.stop()
    await place.remove()
  }
})

test('`npm run dev` restarts the service when a file changes, and ends with it on SIGTERM', async () => {
  const place = await makePlace('sqlite')
  const watched = join(place.folder, 'watched')
  mkdirSync(watched)
  const launched = launch([watched], place.folder, place.settings, { script: 'dev.mjs' })
  const countStarts = (): number => launched.output().split('Stop with Ctrl+C').length - 1
  try {
    await waitFor('the service is ready', () => countStarts() === 1)
    writeFileSync(join(watched, 'changed.ts'), '')
    await waitFor('the service is started again', () => countStarts() === 2)
    launched.launcher.kill('SIGTERM')
    assert.equal((await launched.ended()).code, 0)
  } finally {
    launched.stop()
    await place.remove()
  }
})

test('F44: the launcher of a killed service reports it and ends with its signal', async () => {
  await withLaunched(
    ['start'],
    async (launched) => {
      await whenReady(launched)
      process.kill(await launched.findPid(), 'SIGKILL')
      assert.equal((await launched.ended()).code, 128 + 9)
      assert.match(launched.output(), /^daybook: the service was ended by SIGKILL\n/m)
    },
    CHILD,
  )
})

test('F44: a service that fails gives one line and exit code 1; a launcher above it ends with the same', async () => {
  const settings = { DAYBOOK_PORT: 'eighty' }
  const lines: Record<LauncherNode, RegExp> = {
    pinned: /must be a number from 0 to 65535\n$/,
    other: /must be a number from 0 to 65535\n$/,
    'other without execve': /must be a number from 0 to 65535\ndaybook: the service ended with exit code 1\n$/,
  }
  for (const [node, line] of Object.entries(lines) as [LauncherNode, RegExp][]) {
    await withLaunched(
      ['start'],
      async (launched) => {
        assert.equal((await launched.ended()).code, 1)
        assert.match(launched.output(), line)
      },
      { node, settings },
    )
  }
})

/** A command that waits for standard input, which stays open. */
async function withWaitingCommand(
  node: LauncherNode,
  story: (launched: LaunchedProcess) => Promise<void>,
): Promise<void> {
  const place = await makePlace('sqlite')
  const path = join(place.folder, 'input')
  spawnSync('mkfifo', [path])
  const input = openSync(path, 'r+')
  const launched = launch(['import', '-'], place.folder, place.settings, { stdin: input, node })
  try {
    await story(launched)
  } finally {
    launched.stop()
    await launched.ended()
    closeSync(input)
    await place.remove()
  }
}

test('F44: a command whose launcher is killed ends too', async () => {
  await withWaitingCommand('other without execve', async (launched) => {
    await launched.findPid()
    launched.launcher.kill('SIGKILL')
    assert.equal((await launched.ended()).signal, 'SIGKILL')
  })
})

test('F44: a signal sent to the launcher reaches the command and is in its exit code', async () => {
  await withWaitingCommand('other without execve', async (launched) => {
    await launched.findPid()
    launched.launcher.kill('SIGTERM')
    assert.equal((await launched.ended()).code, 128 + 15)
    assert.equal(launched.output(), '', 'nothing is said about a signal that was asked for')
  })
})

test('a command run by the launcher reads standard input, exits by itself and keeps its exit code', async () => {
  await withLaunched(['import', '-'], async (launched) => {
    launched.launcher.stdin!.end('this is no calendar')
    assert.equal((await launched.ended()).code, 1)
    assert.match(launched.output(), /^daybook import: [^\n]+\n$/)
  })
})

/** Of the service, not of the launcher that became it. */
const REPORT_LIMITS = `import { getHeapStatistics } from 'node:v8'
if (process.argv[1].endsWith('main.cjs')) process.on('exit', () => console.log('limits ' + JSON.stringify(
  { heapMib: getHeapStatistics().heap_size_limit / 1_048_576, arenas: process.env.MALLOC_ARENA_MAX })))`

test('the heap of the service follows memory_limit, of the environment or of daybook.json', async () => {
  for (const from of ['environment', 'file']) {
    const place = await makePlace('sqlite')
    const report = join(place.folder, 'report-limits.mjs')
    writeFileSync(report, REPORT_LIMITS)
    if (from === 'file') writeFileSync(join(place.folder, 'daybook.json'), '{"memory_limit":"128"}')
    const launched = launch(['start'], place.folder, {
      ...place.settings,
      NODE_OPTIONS: `--import=${report}`,
      ...(from === 'environment' ? { DAYBOOK_MEMORY_LIMIT: '128' } : {}),
    })
    try {
      await whenReady(launched)
      launched.launcher.kill('SIGTERM')
      assert.equal((await launched.ended()).code, 0)
      const { heapMib, arenas } = JSON.parse(/^limits (.+)$/m.exec(launched.output())![1]!)
      assert.ok(heapMib >= 512 && heapMib < 560, `${heapMib} MiB: four times the limit and the young generation`)
      assert.equal(arenas, '1', 'threads share a pool of memory')
    } finally {
      launched.stop()
      await place.remove()
    }
  }
})

test('the compiled code is stored while the service runs, for the start after a kill', async () => {
  const place = await makePlace('sqlite')
  const cache = join(place.folder, 'compiled')
  const launched = launch(['start'], place.folder, { ...place.settings, NODE_COMPILE_CACHE: cache })
  const stored = (): number =>
    readdirSync(cache, { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).length
  try {
    await whenReady(launched)
    await waitFor('it is stored', () => existsSync(cache) && stored() > 2)
  } finally {
    launched.stop()
    await launched.ended()
    await place.remove()
  }
})

/** A folder with what is built, the launcher and Node, and neither sources nor packages. */
function makeRelease(folder: string): string {
  const root = join(folder, 'release')
  for (const path of ['bin', 'dist', join('web', 'dist'), 'package.json'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true })
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'node_modules', '.bin', 'node'))
  return root
}

test('a clone on a Node that npm does not install the build tools for is refused in one line', async () => {
  const place = await makePlace('sqlite')
  try {
    const root = join(place.folder, 'clone')
    for (const path of ['bin', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, path), join(root, path), { recursive: true })
    mkdirSync(join(root, 'src'))
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, 'bin/daybook.mjs', 'start']
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^daybook: A clone is built by tools .* 20\.19 or later, and this is 18\.20\.4\. A release .*\n$/,
    )
  } finally {
    await place.remove()
  }
})

test('the bundle needs no source and no package: pages, version and worker thread are found', async () => {
  const place = await makePlace('sqlite')
  const root = makeRelease(place.folder)
  const launched = launch(['start'], place.folder, place.settings, { root })
  try {
    const base = await whenReady(launched)
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as { info: { version: string } }
    assert.equal(document.info.version, version)
    const page = await (await fetch(new URL('/', base))).text()
    assert.match(page, /"command":"daybook"/, 'not as in a clone')
    const [, script] = /src="([^"]+\.js)"/.exec(page)!
    assert.equal((await fetch(new URL(script!, base))).status, 200, 'the pages')
    assert.equal((await fetch(`${base}/public/calendar.ics`)).status, 200, 'the worker thread')
    const register = async (): Promise<number> => {
      const person = { email: 'new@example.org', password: 'seven quiet herons 12', display_name: 'New' }
      const body = JSON.stringify(person)
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${base}/users/register`, { method: 'POST', headers, body })).status
    }
    renameSync(join(root, 'dist'), join(root, 'away'))
    assert.equal(await register(), 500, 'a part that is loaded when it is needed')
    renameSync(join(root, 'away'), join(root, 'dist'))
    assert.equal(await register(), 202, 'after an update in place')
  } finally {
    launched.stop()
    await launched.ended()
    await place.remove()
  }
})
