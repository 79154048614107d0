// The commands of `daybook`, in real processes: start, stop, help, mistakes and administrators.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { offerSetupCode } from '../../src/actions/accounts/accounts.ts'
import { APPROVAL_STATES } from '../../src/domain/account/account.ts'
import { makeCertificate } from '../support/http/certificate.ts'
import { requireInstalled } from '../support/processes/launcher.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import { MAIN, makeEnvironment, runCommand, runCommandBeside, startService } from '../support/processes/process.ts'
import { forEachEngine, makePlace } from '../support/storage/engines.ts'
import { mintToken } from '../support/tokens.ts'
import { openWorld } from '../support/world.ts'

const PASSWORD = 'correct horse battery'
const authorization = (email: string) => `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`

forEachEngine(
  'start prints its address; the code and the command line each make an administrator while it runs',
  async (engine) => {
    const place = await makePlace(engine)
    const service = await startService(place.folder, place.settings)
    try {
      const output = service.output()
      assert.match(output, /Daybook is running at http:\/\/127\.0\.0\.1:\d+\//)
      assert.match(output, /API +http:\/\/127\.0\.0\.1:\d+\/api-root\/calendar\/v1\n/)
      const code = /Set up: http:\/\/127\.0\.0\.1:\d+\/setup#code=(\S+)/.exec(output)?.[1]
      const setup = await fetch(`${service.base}/setup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, email: 'one@example.org', password: PASSWORD }),
      })
      assert.equal(setup.status, 201)
      const made = await runCommandBeside(
        ['admin', 'create', '--email', 'two@example.org', '--role', 'writer', '--password-stdin'],
        place.folder,
        place.settings,
        `${PASSWORD}\n`,
      )
      assert.deepEqual(made, { code: 0, stdout: 'two@example.org is now a writer.\n', stderr: '' })
      const setUpAt = Date.now()
      for (const email of ['one@example.org', 'two@example.org']) {
        const answer = await fetch(`${service.base}/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: authorization(email) },
          body: JSON.stringify({ title: email, start: '2026-07-14T09:00', end: '2026-07-14T10:00' }),
        })
        assert.equal(answer.status, 201)
      }
      const reindexed = await runCommandBeside(['reindex'], place.folder, place.settings)
      assert.deepEqual(reindexed, { code: 0, stdout: '2 events checked, 0 repaired.\n', stderr: '' })
      const rewind = (...flags: string[]) =>
        runCommandBeside(['rewind', '--to', new Date(setUpAt).toISOString(), ...flags], place.folder, place.settings)
      const dry = await rewind('--dry-run', '--by', 'two@example.org')
      assert.match(dry.stdout, /^deleted {3}\w{26} {2}two@example\.org\nNothing was changed\. A rewind to /)
      const rewound = await rewind('--quiet')
      assert.match(rewound.stdout, /^2 deleted, 0 changed, 0 restored, 0 skipped\.\nTo undo it: daybook rewind --to /)
      const undo = rewound.stdout.trim().split(' ').at(-1)!
      const undone = await runCommandBeside(['rewind', '--to', undo, '--quiet'], place.folder, place.settings)
      assert.match(undone.stdout, /^0 deleted, 0 changed, 2 restored, 0 skipped\.\n/)
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
      assert.ok(!output.includes(PASSWORD))
    } finally {
      assert.equal(await service.kill('SIGTERM'), 0, 'it ends in order')
      await place.remove()
    }
  },
)

test('F33: requests in progress at SIGTERM are finished', async () => {
  const place = await makePlace('sqlite')
  await runLoadedCommand(
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
    await Promise.race(sent)
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
  requireInstalled()
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

test('a command whose output is no longer read ends without an error', async () => {
  const place = await makePlace('sqlite')
  try {
    const script = `{ "${process.execPath}" "${MAIN}" help; echo "code $?" >&2; } | true`
    const { stderr } = spawnSync('sh', ['-c', script], { env: makeEnvironment(place.settings), encoding: 'utf8' })
    assert.equal(stderr, 'code 0\n')
  } finally {
    await place.remove()
  }
})

test('every command has help, and a mistake is one clear line', async () => {
  const place = await makePlace('sqlite')
  try {
    const overview = runCommand([], place.folder)
    assert.equal(overview.code, 0)
    assert.match(overview.stdout, /^ +daybook --version /m)
    for (const command of ['start', 'setup', 'admin create', 'admin grant', 'rewind', 'reindex', 'demo']) {
      assert.ok(overview.stdout.includes(`daybook ${command}`), command)
      const help = await runLoadedCommand([...command.split(' '), '--help'], place.folder)
      assert.equal(help.code, 0)
      assert.match(help.stdout, new RegExp(`^Usage: daybook ${command}`))
    }
    const cases: [string[], Record<string, string>, RegExp][] = [
      [['strat'], {}, /there is no command "strat"/],
      [['start', '--prot', '1'], {}, /--prot/],
      [['start'], { DAYBOOK_PORT: 'eighty' }, /^daybook start: DAYBOOK_PORT: must be a number from 0 to 65535\n$/],
      [['start'], { DAYBOOK_TIMEZONE: 'Mars' }, /^daybook start: DAYBOOK_TIMEZONE: must be an IANA time zone/],
      [['start'], { DAYBOOK_PROT: '1' }, /^daybook start: DAYBOOK_PROT: unknown setting\n$/],
      [['admin', 'create', '--email', 'a@example.org', '--password-stdin'], {}, /password: This field is too short/],
      [['admin', 'create', '--email', 'nobody', '--password-stdin'], {}, /email: This field has an invalid format/],
      [['admin', 'create', '--email', 'a@example.org'], {}, /use --password-stdin/],
      [['rewind'], {}, /--to is required/],
      [['rewind', '--to', 'tomorrow'], {}, /there is no calendar|--to is not a moment/],
      [['admin', 'create', '--email', 'nobody'], {}, /email: This field has an invalid format/],
      [
        ['admin', 'create', '--email', 'a@example.org', '--role', 'king'],
        {},
        /^daybook admin create: --role must be one/,
      ],
      [['admin', 'grant', '--email', 'nobody'], {}, /email: This field has an invalid format/],
      [
        ['start'],
        { DAYBOOK_DATABASE_URL: 'postgres://me:hush/hush@127.0.0.1/x' },
        /^daybook start: DAYBOOK_DATABASE_URL: must begin with postgres:\/\/ [^\n]*%2F[^\n]*\n$/,
      ],
      [
        ['start'],
        { DAYBOOK_TLS_CERTIFICATE: 'a-file', DAYBOOK_TLS_KEY: 'a-file' },
        /^daybook start: tls_certificate: the file contains no PEM certificate\n$/,
      ],
    ]
    /** In separate processes: what a command has opened must not keep it from exiting. */
    const casesWithDatabase: typeof cases = [
      [['admin', 'grant', '--email', 'a@example.org'], {}, /^daybook admin grant: There is no such user\.\n$/],
      [
        ['start'],
        { DAYBOOK_DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/x' },
        /^daybook start: cannot reach the database at 127\.0\.0\.1:1: nothing answers there\n$/,
      ],
      [
        ['admin', 'grant', '--email', 'a@example.org'],
        { DAYBOOK_DATABASE_URL: 'postgres://me:hush@nowhere.invalid/x' },
        /^daybook admin grant: cannot reach the database at nowhere\.invalid:5432: there is no host of that name\n$/,
      ],
      [['start'], { DAYBOOK_DATA_DIR: 'a-file/data' }, /^daybook start: cannot open the calendar in .*a-file.data: /],
    ]
    writeFileSync(join(place.folder, 'a-file'), 'nothing of use')
    for (const [args, settings, message] of [...cases, ...casesWithDatabase]) {
      const run = casesWithDatabase.some(([own]) => own === args) ? runCommand : runLoadedCommand
      const result = await run(args, place.folder, { ...place.settings, ...settings }, 'short')
      assert.notEqual(result.code, 0, args.join(' '))
      assert.match(result.stderr, message)
      assert.ok(!result.stderr.includes('    at '), 'no stack')
      assert.ok(!result.stderr.includes('hush'), 'no password')
    }
    for (const command of ['admin create', 'admin grant']) {
      const { code, stdout, stderr } = await runLoadedCommand(command.split(' '), place.folder, place.settings)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, new RegExp(`^daybook ${command}: --email is required\n\nUsage: daybook ${command} --email`))
    }
    assert.equal(runCommand(['start', 'now'], place.folder, place.settings).code, 2)
    const king = ['admin', 'create', '--email', 'a@example.org', '--role', 'king', '--password-stdin']
    assert.equal((await runLoadedCommand(king, place.folder, place.settings, PASSWORD)).code, 2)
  } finally {
    await place.remove()
  }
})

test('a password is exactly one line, and a name is one non-empty line', async () => {
  const place = await makePlace('sqlite')
  try {
    const create = (input: string, ...more: string[]) =>
      runLoadedCommand(
        ['admin', 'create', '--email', 'a@example.org', '--password-stdin', ...more],
        place.folder,
        place.settings,
        input,
      )
    for (const input of [`${PASSWORD}\n${PASSWORD}\n`, `${PASSWORD}\n\n`, `\n${PASSWORD}`]) {
      const { code, stderr } = await create(input)
      assert.equal(code, 1)
      assert.equal(stderr, 'daybook admin create: standard input must contain exactly one line, the password\n')
    }
    const email = ['--email', 'a@example.org', '--password-stdin']
    const bytes = Buffer.from([...Buffer.from(PASSWORD), 0xff])
    const malformed = runCommand(['admin', 'create', ...email], place.folder, place.settings, bytes)
    assert.equal(malformed.code, 1)
    assert.match(malformed.stderr, /not valid UTF-8/)
    for (const name of ['', '   ', 'Ann\tLee', 'Ann\nLee']) {
      const { code, stderr } = await create(PASSWORD, '--name', name)
      assert.equal(code, 1, name)
      assert.match(stderr, /display_name: This field (?:is too short|has an invalid format)\.\n$/)
    }
    assert.equal((await create(`${PASSWORD}\r\n`, '--name', ' Ann Lee ')).code, 0)
  } finally {
    await place.remove()
  }
})

for (const host of ['0.0.0.0', '::'])
  test(`listening everywhere (${host}), it prints addresses that can be opened`, async () => {
    const place = await makePlace('sqlite')
    const service = await startService(place.folder, { ...place.settings, DAYBOOK_HOST: host })
    try {
      assert.match(service.output(), /is running at http:\/\/localhost:\d+\//)
      assert.match(service.output(), /Set up: http:\/\/localhost:\d+\/setup#code=/)
      assert.ok(!service.output().includes('0.0.0.0') && !service.output().includes('[::]'))
      assert.equal((await fetch(`${service.base}/openapi.json`)).status, 200)
    } finally {
      await service.kill()
      await place.remove()
    }
  })

test('the start warns where https is required and no request can arrive by it', async () => {
  const place = await makePlace('sqlite')
  const settings = { ...place.settings, DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' }
  const service = await startService(place.folder, settings)
  try {
    assert.match(service.output(), /^ {2}Warning {6}every request will be refused with https_required/m)
  } finally {
    await service.kill()
    await place.remove()
  }
})

test('a port in use is reported in plain words', async () => {
  const place = await makePlace('sqlite')
  const first = await startService(place.folder, place.settings)
  try {
    const second = runCommand(['start'], place.folder, {
      ...place.settings,
      DAYBOOK_HOST: '127.0.0.1',
      DAYBOOK_PORT: new URL(first.url).port,
    })
    assert.equal(second.code, 1)
    assert.match(
      second.stderr,
      /^daybook start: port \d+ is already in use\. Choose another: DAYBOOK_PORT=8081 npm start\n$/,
    )
  } finally {
    await first.kill()
    await place.remove()
  }
})

test('setup accepts its answers as flags, writes daybook.json and creates the administrator', async () => {
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
      { TZ: 'UTC' },
      PASSWORD,
    )
    assert.equal(result.code, 0, result.stderr)
    assert.deepEqual(JSON.parse(readFileSync(join(place.folder, 'daybook.json'), 'utf8')), {
      site_name: 'Village hall',
      timezone: 'Europe/London',
      url_slug: 'hall',
    })
    assert.match(result.stdout, /a@example\.org is now an administrator\./)
    const wrong = await runLoadedCommand(['setup', '--url-slug', 'Not A Slug', '--yes'], place.folder)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^daybook setup: --url-slug: must be/)
    assert.equal(
      JSON.parse(readFileSync(join(place.folder, 'daybook.json'), 'utf8')).url_slug,
      'hall',
      'a wrong answer is not kept',
    )
    const service = await startService(place.folder, {})
    assert.match(service.output(), /Village hall is running at/)
    assert.ok(!service.output().includes('Set up'), 'there is an administrator already')
    assert.match(service.base, /\/hall\/api-root\/calendar\/v1$/)
    await service.kill()
  } finally {
    await place.remove()
  }
})

test('a key that does not match the certificate is reported before anything starts', async () => {
  const place = await makePlace('sqlite')
  try {
    const [one, two] = [makeCertificate('localhost'), makeCertificate('localhost')]
    writeFileSync(join(place.folder, 'cert.pem'), one.certificate)
    writeFileSync(join(place.folder, 'key.pem'), two.key)
    const tls = { DAYBOOK_TLS_CERTIFICATE: 'cert.pem', DAYBOOK_TLS_KEY: 'key.pem' }
    const other = runCommand(['start'], place.folder, { ...place.settings, ...tls })
    assert.deepEqual(other, {
      code: 1,
      stdout: '',
      stderr: 'daybook start: tls_certificate and tls_key: the key does not match the certificate\n',
    })
    const none = await runLoadedCommand(['start'], place.folder, {
      ...place.settings,
      ...tls,
      DAYBOOK_TLS_KEY: 'cert.pem',
    })
    assert.match(none.stderr, /^daybook start: tls_key: the file contains no PEM key/)
    assert.ok(!existsSync(join(place.folder, 'data')), 'nothing was opened')
  } finally {
    await place.remove()
  }
})

forEachEngine(
  'admin grant makes an account of any state an administrator, also while the service runs',
  async (engine) => {
    const place = await makePlace(engine)
    const world = await openWorld(engine, place)
    try {
      const grant = ['admin', 'grant', '--email']
      for (const state of APPROVAL_STATES) {
        await world.addPerson(`${state}@example.org`, 'reader', state)
        const code = await offerSetupCode(world.app.ctx)
        assert.equal(code, undefined, 'there is an administrator')
        const granted = await runLoadedCommand(
          [...grant, `${state.toUpperCase()}@example.org`],
          place.folder,
          place.settings,
        )
        assert.deepEqual(granted, {
          code: 0,
          stdout: `${state}@example.org is now an administrator.\n`,
          stderr: '',
        })
        assert.equal((await world.as(`${state}@example.org`).get('/admin/users')).status, 200, state)
      }
      const again = runCommand([...grant, 'approved@example.org'], place.folder, place.settings)
      assert.equal(again.code, 0, 'once more changes nothing')
      const rows = await world.app.ctx.storage.reads
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'user_changed')
        .orderBy('seq')
        .execute()
      assert.deepEqual(
        rows.map(({ actor_id, request_id, detail }) => [actor_id, request_id, JSON.parse(detail).role_to]),
        Array(4).fill([null, null, 'admin']),
      )
    } finally {
      await world.app.close()
      await place.remove()
    }
  },
)

forEachEngine(
  'an account with an unverified address becomes an administrator only with a new password, and its credentials end',
  async (engine) => {
    const place = await makePlace(engine)
    // Where addresses need no verification, such an account may already be approved.
    const world = await openWorld(engine, place, { settings: { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off' } })
    const email = 'unproven@example.org'
    const fresh = 'gravel under the bridge'
    const grant = (input?: string) =>
      runLoadedCommand(
        ['admin', 'grant', '--email', email, ...(input === undefined ? [] : ['--password-stdin'])],
        place.folder,
        place.settings,
        input,
      )
    try {
      const id = await world.addPerson(email, 'writer', 'approved', false)
      const browser = await world.signIn(email)
      const appPassword = (await browser.post('/auth/app-passwords', { name: 'Phone' })).body.data
      const token = await mintToken(world, 'verify', id)
      const { code, stdout, stderr } = await grant()
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^daybook admin grant: the account needs a new password, [^\n]*--password-stdin\n$/)
      assert.match((await grant('short')).stderr, /password: This field is too short/)
      assert.equal((await world.as(email).get('/admin/users')).status, 403, 'nothing has changed')
      assert.deepEqual(await grant(`${fresh}\n`), {
        code: 0,
        stdout: `${email} is now an administrator.\n`,
        stderr: '',
      })
      assert.equal((await world.as(email, fresh).get('/admin/users')).status, 200)
      assert.equal((await world.as(email).get('/events')).status, 401, 'the old password')
      assert.equal((await world.as(email, appPassword.password).get('/events')).status, 401, 'the app password')
      assert.equal((await browser.get('/auth/session')).status, 401, 'the session')
      assert.equal((await world.anonymous.post('/users/verify', { token })).status, 422, 'the link')
      const audit = await world.app.ctx.storage.reads
        .selectFrom('audit')
        .select(['action', 'actor_id'])
        .where('subject_id', '=', id)
        .where('action', 'in', ['user_changed', 'password_reset'])
        .orderBy('seq')
        .execute()
      assert.deepEqual(
        audit.map(({ action, actor_id }) => [action, actor_id]),
        [
          ['user_changed', null],
          ['password_reset', null],
        ],
      )
    } finally {
      await world.app.close()
      await place.remove()
    }
  },
)

test('P40: the data folder and its file are readable by the owner only', async () => {
  const place = await makePlace('sqlite')
  try {
    await runLoadedCommand(
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
