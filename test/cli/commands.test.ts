// The commands, as a newcomer types them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { forEachEngine, makePlace } from '../support/engines.ts'
import { runCommand, startService } from '../support/process.ts'

const PASSWORD = 'correct horse battery'
const authorization = (email: string) => `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`

forEachEngine(
  'start says where to go; the code and the command line each make an administrator while it runs',
  async (engine) => {
    const place = await makePlace(engine)
    const service = await startService(place.folder, place.settings)
    try {
      const output = service.output()
      assert.match(output, /Daybook is running at http:\/\/127\.0\.0\.1:\d+\//)
      assert.match(output, /API +http:\/\/127\.0\.0\.1:\d+\/api-root\/calendar\/v1\n/)
      const code = /Setup code \(good once\): (\S+)/.exec(output)?.[1]
      const setup = await fetch(`${service.base}/setup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, email: 'one@example.org', password: PASSWORD }),
      })
      assert.equal(setup.status, 201)
      const made = runCommand(
        ['admin', 'create', '--email', 'two@example.org', '--role', 'writer', '--password-stdin'],
        place.folder,
        place.settings,
        `${PASSWORD}\n`,
      )
      assert.deepEqual(made, { code: 0, stdout: 'two@example.org is now a writer.\n', stderr: '' })
      for (const email of ['one@example.org', 'two@example.org']) {
        const answer = await fetch(`${service.base}/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: authorization(email) },
          body: JSON.stringify({ title: email, start: '2026-07-14T09:00', end: '2026-07-14T10:00' }),
        })
        assert.equal(answer.status, 201)
      }
      const reindexed = runCommand(['reindex'], place.folder, place.settings)
      assert.deepEqual(reindexed, { code: 0, stdout: '2 events checked, 0 mended.\n', stderr: '' })
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
      assert.ok(!output.includes(PASSWORD))
    } finally {
      assert.equal(await service.kill('SIGTERM'), 0, 'told to stop, it ends in order')
      await place.remove()
    }
  },
)

test('F33: requests under way when it is told to stop are finished', async () => {
  const place = await makePlace('sqlite')
  runCommand(
    ['admin', 'create', '--email', 'w@example.org', '--password-stdin'],
    place.folder,
    place.settings,
    PASSWORD,
  )
  const service = await startService(place.folder, { ...place.settings, DAYBOOK_RATE_LIMITS: 'off' })
  try {
    const headers = { 'content-type': 'application/json', authorization: authorization('w@example.org') }
    const body = JSON.stringify({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    const sent = Array.from({ length: 20 }, () =>
      fetch(`${service.base}/events`, { method: 'POST', headers, body }).then(({ status }) => status),
    )
    await new Promise((resolve) => setTimeout(resolve, 30))
    const ended = service.kill('SIGTERM')
    const statuses = await Promise.all(sent)
    assert.ok(
      statuses.every((status) => status === 201 || status === 503),
      statuses.join(),
    )
    assert.equal(await ended, 0)
  } finally {
    await place.remove()
  }
})

test('Ctrl+C, which reaches launcher and service at once, ends both in order', async () => {
  const place = await makePlace('sqlite')
  const launcher = join(import.meta.dirname, '..', '..', 'bin', 'daybook.mjs')
  const child = spawn(process.execPath, [launcher, 'start'], {
    cwd: place.folder,
    env: { PATH: process.env.PATH, DAYBOOK_PORT: '0', ...place.settings },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await new Promise<void>((resolve) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
        if (output.includes('Stop with Ctrl+C')) resolve()
      })
    })
    process.kill(-child.pid!, 'SIGINT')
    assert.equal(await ended, 0)
  } finally {
    await place.remove()
  }
})

test('every command explains itself, and mistakes are one clear line', async () => {
  const place = await makePlace('sqlite')
  try {
    const overview = runCommand([], place.folder)
    assert.equal(overview.code, 0)
    for (const command of ['start', 'setup', 'admin create', 'reindex', 'demo']) {
      assert.ok(overview.stdout.includes(`daybook ${command}`), command)
      const help = runCommand([...command.split(' '), '--help'], place.folder)
      assert.equal(help.code, 0)
      assert.match(help.stdout, new RegExp(`^Usage: daybook ${command}`))
    }
    const cases: [string[], Record<string, string>, RegExp][] = [
      [['strat'], {}, /there is no command "strat"/],
      [['start', '--prot', '1'], {}, /--prot/],
      [['start'], { DAYBOOK_PORT: 'eighty' }, /^daybook start: DAYBOOK_PORT: must be a number from 0 to 65535\n$/],
      [['start'], { DAYBOOK_TIMEZONE: 'Mars' }, /^daybook start: DAYBOOK_TIMEZONE: must be an IANA time zone/],
      [['start'], { DAYBOOK_PROT: '1' }, /^daybook start: DAYBOOK_PROT: there is no such setting\n$/],
      [['admin', 'create', '--email', 'a@example.org', '--password-stdin'], {}, /password: This field is too short/],
      [['admin', 'create', '--email', 'nobody', '--password-stdin'], {}, /email: This field cannot be read/],
      [['admin', 'create', '--email', 'a@example.org'], {}, /use --password-stdin/],
    ]
    for (const [args, settings, message] of cases) {
      const result = runCommand(args, place.folder, { ...place.settings, ...settings }, 'short')
      assert.notEqual(result.code, 0, args.join(' '))
      assert.match(result.stderr, message)
      assert.ok(!result.stderr.includes('    at '), 'no stack')
    }
  } finally {
    await place.remove()
  }
})

test('a port that is taken is said in words', async () => {
  const place = await makePlace('sqlite')
  const first = await startService(place.folder, place.settings)
  try {
    const second = runCommand(['start'], place.folder, {
      ...place.settings,
      DAYBOOK_HOST: '127.0.0.1',
      DAYBOOK_PORT: new URL(first.url).port,
    })
    assert.equal(second.code, 1)
    assert.match(second.stderr, /^daybook start: port \d+ is taken\. Choose another: DAYBOOK_PORT=8081 npm start\n$/)
  } finally {
    await first.kill()
    await place.remove()
  }
})

test('setup takes its answers as flags, writes daybook.json and makes the administrator', async () => {
  const place = await makePlace('sqlite')
  try {
    const result = runCommand(
      [
        'setup',
        '--site-name',
        'Village hall',
        '--url-slug',
        'hall',
        '--yes',
        '--email',
        'a@example.org',
        '--password-stdin',
      ],
      place.folder,
      {},
      PASSWORD,
    )
    assert.equal(result.code, 0, result.stderr)
    assert.deepEqual(JSON.parse(readFileSync(join(place.folder, 'daybook.json'), 'utf8')), {
      site_name: 'Village hall',
      timezone: 'Europe/London',
      url_slug: 'hall',
    })
    assert.match(result.stdout, /a@example\.org is now an administrator\./)
    const wrong = runCommand(['setup', '--url-slug', 'Not A Slug', '--yes'], place.folder)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /daybook\.json "url_slug"/)
    assert.equal(
      JSON.parse(readFileSync(join(place.folder, 'daybook.json'), 'utf8')).url_slug,
      'hall',
      'a wrong answer is not kept',
    )
    const service = await startService(place.folder, {})
    assert.match(service.output(), /Village hall is running at/)
    assert.ok(!service.output().includes('Setup code'), 'there is an administrator already')
    assert.match(service.base, /\/hall\/api-root\/calendar\/v1$/)
    await service.kill()
  } finally {
    await place.remove()
  }
})

test('P40: the data folder and its file are the owner’s alone', async () => {
  const place = await makePlace('sqlite')
  try {
    runCommand(
      ['admin', 'create', '--email', 'a@example.org', '--password-stdin'],
      place.folder,
      place.settings,
      PASSWORD,
    )
    const folder = join(place.folder, 'data')
    assert.ok(existsSync(join(folder, 'daybook.db')))
    assert.equal(statSync(folder).mode & 0o077, 0)
    assert.equal(statSync(join(folder, 'daybook.db')).mode & 0o077, 0)
  } finally {
    await place.remove()
  }
})
