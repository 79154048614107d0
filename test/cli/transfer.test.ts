// `daybook import` and `daybook export` as commands, for moving a calendar.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { apple, event, file, google } from '../ical/files.ts'
import { byRunLength } from '../support/measure/run-length.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import {
  MAIN,
  makeEnvironment,
  runCommand,
  runCommandBeside,
  runLaunchedCommand,
  startService,
} from '../support/processes/process.ts'
import { ENGINES, forEachEngine, makePlace, makeReadyPlace } from '../support/storage/engines.ts'

const single = (uid: string, ...more: string[]): string =>
  event(uid, 'DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z', 'SUMMARY:Single', ...more)

forEachEngine('a file is imported beside a running service, which shows it at once', async (engine) => {
  const place = await makePlace(engine)
  const service = await startService(place.folder, place.settings)
  try {
    writeFileSync(
      join(place.folder, 'calendar.ics'),
      file(single('a', 'CLASS:PUBLIC'), single('b', 'RRULE:FREQ=DAILY;INTERVAL=1001')),
    )
    const dry = await runLoadedCommand(['import', 'calendar.ics', '--dry-run'], place.folder, place.settings)
    assert.equal(
      dry.stdout.split('\n').at(-2),
      'Nothing was changed. The result would be: 1 created, 0 updated, 0 unchanged, 1 skipped.',
    )
    assert.deepEqual(await titlesOf(service.base), [])
    const done = runCommand(['import', 'calendar.ics'], place.folder, place.settings)
    assert.deepEqual(done, {
      code: 0,
      stdout: [
        'skipped  line 12  Single: Its recurrence rule repeats too often or too long.',
        '1 created, 0 updated, 0 unchanged, 1 skipped.',
        '',
      ].join('\n'),
      stderr: '2 of 2 events\n',
    })
    assert.deepEqual(await titlesOf(service.base), ['Single'])
    const quiet = await runLoadedCommand(['import', '-', '--quiet'], place.folder, place.settings, apple)
    assert.deepEqual(quiet, { code: 0, stdout: '1 created, 0 updated, 0 unchanged, 1 skipped.\n', stderr: '' })
    const out = runCommand(['export'], place.folder, place.settings)
    assert.match(out.stdout, /^BEGIN:VCALENDAR\r\n[\s\S]*UID:a\r\n[\s\S]*END:VCALENDAR\r\n$/)
    assert.deepEqual([out.code, out.stderr], [0, ''])
  } finally {
    await service.kill()
    await place.remove()
  }
})

async function titlesOf(base: string): Promise<string[]> {
  const answer = await fetch(`${base}/events?view=day&from=2026-07-14`)
  return ((await answer.json()) as { data: { title: string }[] }).data.map(({ title }) => title)
}

test('a calendar moves from SQLite to PostgreSQL by a file that only its owner can read', async () => {
  const [from, to] = [await makePlace(ENGINES[0]!), await makePlace(ENGINES[1]!)]
  try {
    assert.equal(runCommand(['demo'], from.folder, from.settings).code, 0)
    assert.equal((await runLoadedCommand(['import', '-', '--quiet'], from.folder, from.settings, google)).code, 0)
    const path = join(from.folder, 'calendar.ics')
    const written = runCommand(['export', path], from.folder, from.settings)
    assert.deepEqual(written, { code: 0, stdout: `The calendar is in ${path}.\n`, stderr: '' })
    assert.equal(statSync(path).mode & 0o777, 0o600, 'P40')
    assert.deepEqual(
      readdirSync(from.folder).filter((name) => name.endsWith('.new')),
      [],
    )
    const taken = await runLoadedCommand(['import', path, '--quiet'], to.folder, to.settings)
    assert.match(taken.stdout, /^\d{3} created, 0 updated, 0 unchanged, 0 skipped\.\n$/)
    assert.equal((await runLoadedCommand(['export', '-'], to.folder, to.settings)).stdout, readFileSync(path, 'utf8'))
    assert.match(runCommand(['reindex'], to.folder, to.settings).stdout, /, 0 repaired\./)
  } finally {
    await from.remove()
    await to.remove()
  }
})

/** Memory of the command, not of its launcher. */
const REPORT_MEMORY = `if (/main\\.(?:ts|cjs)$/.test(process.argv[1])) process.on('exit', () => console.error(
  JSON.stringify({ maxRSS: process.resourceUsage().maxRSS, arenas: process.env.MALLOC_ARENA_MAX })))`

test('a file of any length is imported within 150 MiB, also from standard input', async () => {
  const place = await makePlace('sqlite')
  const count = byRunLength(1_000, 100_000)
  try {
    const report = join(place.folder, 'report-memory.mjs')
    writeFileSync(report, REPORT_MEMORY)
    const settings = { ...place.settings, NODE_OPTIONS: `--import=${report}` }
    const text = file(...Array.from({ length: count }, (_, i) => single(`${i}`, 'DESCRIPTION:Everyone is welcome.')))
    // Once before measuring: compiling and caching the program does not count.
    runLaunchedCommand(['import', '-', '--quiet', '--dry-run'], place.folder, settings, file(single('first')))
    const { stdout, stderr } = runLaunchedCommand(['import', '-', '--quiet'], place.folder, settings, text)
    assert.equal(stdout, `${count} created, 0 updated, 0 unchanged, 0 skipped.\n`)
    const { maxRSS, arenas } = JSON.parse(stderr)
    assert.ok(maxRSS / 1_024 < 150, `${maxRSS / 1_024} MiB`)
    assert.equal(arenas, '1', 'threads share a pool of memory')
  } finally {
    await place.remove()
  }
})

test('a file that cannot be read or written gives one line and exit code 1', async () => {
  const place = await makePlace('sqlite')
  const run = (...args: string[]) => runLoadedCommand(args, place.folder, place.settings)
  try {
    writeFileSync(join(place.folder, 'text.ics'), 'hello\n')
    writeFileSync(join(place.folder, 'latin.ics'), Buffer.from(apple, 'latin1'))
    writeFileSync(join(place.folder, 'broken.ics'), google.replace('METHOD:PUBLISH', 'END:VEVENT'))
    const problems: [string[], string][] = [
      [['import', 'nowhere.ics'], 'there is no file nowhere.ics'],
      [['import', 'text.ics/a.ics'], 'text.ics/a.ics cannot be read: a part of the path is not a folder (ENOTDIR)'],
      [['import', '.'], '. cannot be read: it is a folder (EISDIR)'],
      [['import', 'text.ics'], 'this is not a calendar file: there is no calendar, line 1'],
      [['import', 'latin.ics'], 'the file is not UTF-8'],
      [['import', 'broken.ics'], 'this is not a calendar file: END does not match BEGIN, line 5'],
      [
        ['export', 'nowhere/calendar.ics'],
        'nowhere/calendar.ics cannot be written: the folder does not exist (ENOENT)',
      ],
    ]
    for (const [args, problem] of problems) {
      assert.deepEqual(await run(...args), { code: 1, stdout: '', stderr: `daybook ${args[0]}: ${problem}\n` })
    }
    assert.equal((await run('import')).code, 2)
    assert.equal((await run('import', 'one.ics', 'two.ics')).code, 2)
    assert.equal((await run('export', '--unknown')).code, 2)
    assert.match((await run('import', '--help')).stdout, /^Usage: daybook import FILE\|-/)
    assert.match((await run()).stdout, /daybook import +import a calendar file\n.*daybook export +export/)
  } finally {
    await place.remove()
  }
})

test('an export replaces a file atomically, even through a symlink, and keeps the old file if it fails', async () => {
  const place = await makePlace('sqlite')
  const run = (...args: string[]) => runLoadedCommand(args, place.folder, place.settings)
  const path = (name: string): string => join(place.folder, name)
  try {
    await runLoadedCommand(['import', '-'], place.folder, place.settings, google)
    writeFileSync(path('old.ics'), 'old', { mode: 0o644 })
    symlinkSync(path('old.ics'), path('link.ics'))
    assert.equal((await run('export', 'link.ics')).code, 0)
    assert.match(readFileSync(path('old.ics'), 'utf8'), /Choir/)
    assert.equal(statSync(path('old.ics')).mode & 0o777, 0o600)
    assert.ok(existsSync(path('link.ics')))
    mkdirSync(path('folder'))
    assert.equal((await run('export', 'folder')).code, 1)
    if (process.getuid?.() !== 0) {
      chmodSync(path('folder'), 0o500)
      assert.equal((await run('export', 'folder/new.ics')).code, 1)
    }
    assert.deepEqual(
      readdirSync(place.folder).filter((name) => name.endsWith('.new')),
      [],
    )
  } finally {
    await place.remove()
  }
})

test('an export to a pipe writes into it and keeps the pipe', async () => {
  const place = await makePlace('sqlite')
  try {
    await runLoadedCommand(['import', '-'], place.folder, place.settings, google)
    const path = join(place.folder, 'pipe')
    execFileSync('mkfifo', [path])
    const reading = promisify(execFile)('cat', [path])
    const { code, stderr } = await runCommandBeside(['export', 'pipe'], place.folder, place.settings)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match((await reading).stdout, /^BEGIN:VCALENDAR[\s\S]*Choir[\s\S]*END:VCALENDAR\r\n$/)
    assert.ok(statSync(path).isFIFO())
  } finally {
    await place.remove()
  }
})

test('a pipe is read to its end, and no folder has a copy of it while it is imported', async () => {
  const place = await makePlace('sqlite')
  const temporary = join(place.folder, 'temporary')
  try {
    mkdirSync(temporary)
    const path = join(place.folder, 'pipe')
    execFileSync('mkfifo', [path])
    const settings = { ...place.settings, TMPDIR: temporary }
    const importing = runCommandBeside(['import', 'pipe', '--quiet'], place.folder, settings)
    const pipe = createWriteStream(path)
    const text = file(...Array.from({ length: 1_000 }, (_, i) => single(`p${i}`)))
    pipe.write(text.slice(0, 100_000))
    await waitFor('the pipe is being read', () => pipe.bytesWritten === 100_000)
    assert.deepEqual(readdirSync(temporary, { recursive: true }), [])
    pipe.end(text.slice(100_000))
    const { code, stdout } = await importing
    assert.deepEqual([code, stdout], [0, '1000 created, 0 updated, 0 unchanged, 0 skipped.\n'])
    const device = await runLoadedCommand(['import', '/dev/zero'], place.folder, place.settings)
    assert.match(device.stderr, /\/dev\/zero cannot be read: not a file or a pipe/)
    assert.equal(device.code, 1)
  } finally {
    await place.remove()
  }
})

const hasLimits = spawnSync('prlimit', ['--version']).status === 0

test('an export whose last bytes cannot be written fails, and the old file stays', {
  skip: !hasLimits && 'prlimit of util-linux is not installed',
}, async () => {
  const place = await makePlace('sqlite')
  const path = join(place.folder, 'calendar.ics')
  try {
    const long = Array.from({ length: 40 }, (_, i) => single(`l${i}`, `DESCRIPTION:${'x'.repeat(9_000)}`))
    await runLoadedCommand(['import', '-', '--quiet'], place.folder, place.settings, file(...long))
    await runLoadedCommand(['export', 'calendar.ics'], place.folder, place.settings)
    const whole = readFileSync(path, 'utf8')
    for (const missing of [1, 5, 14, 20_000]) {
      const limit = `--fsize=${Buffer.byteLength(whole) - missing}`
      const { status, stderr } = spawnSync('prlimit', [limit, process.execPath, MAIN, 'export', 'calendar.ics'], {
        cwd: place.folder,
        env: makeEnvironment(place.settings),
        encoding: 'utf8',
      })
      assert.match(stderr, /calendar\.ics cannot be written: .*\(EFBIG\)/, `${missing} bytes less`)
      assert.equal(status, 1)
      assert.equal(readFileSync(path, 'utf8'), whole)
    }
  } finally {
    await place.remove()
  }
})

const hasFullDevice = existsSync('/dev/full')

test('an export to a full standard output reports the error', {
  skip: !hasFullDevice && 'this system has no /dev/full',
}, async () => {
  const place = await makeReadyPlace('sqlite')
  try {
    const { status, stderr } = spawnSync('sh', ['-c', `"$0" "$1" export - > /dev/full`, process.execPath, MAIN], {
      cwd: place.folder,
      env: makeEnvironment(place.settings),
      encoding: 'utf8',
    })
    assert.match(stderr, /standard output cannot be written: the disk is full \(ENOSPC\)/)
    assert.equal(status, 1)
  } finally {
    await place.remove()
  }
})

test('an import that stored nothing has an exit code of its own', async () => {
  const place = await makePlace('sqlite')
  const codeOf = async (text: string, ...flags: string[]): Promise<number | null> =>
    (await runLoadedCommand(['import', '-', '--quiet', ...flags], place.folder, place.settings, text)).code
  try {
    const bad = single('b', 'RRULE:FREQ=DAILY;INTERVAL=1001')
    const ended = runCommand(['import', '-', '--quiet'], place.folder, place.settings, file(bad))
    assert.equal(ended.code, 3, 'of the process')
    assert.equal(await codeOf(file(bad), '--dry-run'), 3)
    assert.equal(await codeOf(file(bad, single('a'))), 0)
    assert.equal(await codeOf(file(bad, single('a'))), 0, 'what is here already was taken in')
    assert.equal(await codeOf(file()), 0)
  } finally {
    await place.remove()
  }
})

test('text of a file cannot send control characters to the terminal', async () => {
  const place = await makePlace('sqlite')
  try {
    const hostile = file(single('a', 'RRULE:FREQ=DAILY;INTERVAL=1001').replace('Single', 'A\u009b31m\\nB\u202eC'))
    const { stdout } = await runLoadedCommand(['import', '-'], place.folder, place.settings, hostile)
    assert.match(stdout, /^skipped {2}line 4 {2}A 31m B C: /)
  } finally {
    await place.remove()
  }
})
