// F44: when the launcher or the service below it is killed, the other ends too.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitFor } from '../support/measure/wait-for.ts'
import { type LaunchedProcess, launch } from '../support/processes/launcher.ts'
import { type EmptyDatabase, makePlace } from '../support/storage/engines.ts'

async function withLaunched(
  args: string[],
  story: (launched: LaunchedProcess, place: EmptyDatabase) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const place = await makePlace('sqlite')
  const launched = launch(args, place.folder, { ...place.settings, ...settings })
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

test('F44: a service whose launcher is killed drains, closes its database and ends', async () => {
  await withLaunched(['start'], async (launched, place) => {
    const base = await whenReady(launched)
    await launched.findPid()
    launched.launcher.kill('SIGKILL')
    assert.equal((await launched.ended()).signal, 'SIGKILL')
    await assert.rejects(fetch(base), 'the port is free')
    const wal = join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db-wal')
    assert.ok(!existsSync(wal), 'the database was closed, as after SIGTERM')
  })
})

test('F44: processes that `npm run dev` started end when its launcher is killed', async () => {
  const place = await makePlace('sqlite')
  const launched = launch(['dev'], place.folder, place.settings, 'pipe', 'task.mjs')
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
  const launched = launch([watched], place.folder, place.settings, 'pipe', 'dev.mjs')
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
  await withLaunched(['start'], async (launched) => {
    await whenReady(launched)
    process.kill(await launched.findPid(), 'SIGKILL')
    assert.equal((await launched.ended()).code, 128 + 9)
    assert.match(launched.output(), /^daybook: the service was ended by SIGKILL\n/m)
  })
})

test('F44: a service that fails ends its launcher with the same code and one line', async () => {
  await withLaunched(
    ['start'],
    async (launched) => {
      assert.equal((await launched.ended()).code, 1)
      assert.match(
        launched.output(),
        /must be a number from 0 to 65535\ndaybook: the service ended with exit code 1\n$/,
      )
    },
    { DAYBOOK_PORT: 'eighty' },
  )
})

/** A command that waits for standard input, which stays open. */
async function withWaitingCommand(story: (launched: LaunchedProcess) => Promise<void>): Promise<void> {
  const place = await makePlace('sqlite')
  const path = join(place.folder, 'input')
  spawnSync('mkfifo', [path])
  const input = openSync(path, 'r+')
  const launched = launch(['import', '-'], place.folder, place.settings, input)
  try {
    await launched.findPid()
    await story(launched)
  } finally {
    launched.stop()
    await launched.ended()
    closeSync(input)
    await place.remove()
  }
}

test('F44: a command whose launcher is killed ends too', async () => {
  await withWaitingCommand(async (launched) => {
    launched.launcher.kill('SIGKILL')
    assert.equal((await launched.ended()).signal, 'SIGKILL')
  })
})

test('F44: a signal sent to the launcher reaches the command and is in its exit code', async () => {
  await withWaitingCommand(async (launched) => {
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
