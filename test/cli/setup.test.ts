// `daybook setup` by flags and by piped lines: valid answers are written, an invalid one changes nothing.
import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Prompt } from '../../src/cli/prompt.ts'
import { findInForce } from '../../src/cli/setup/in-force.ts'
import { askSettings, configOf } from '../../src/cli/setup/settings.ts'
import { describeFailedMail } from '../../src/mail/describe-outcome.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { replaceSettings } from '../../src/storage/operations/settings.ts'
import { startMailServer } from '../support/http/mail-server.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import { type CommandResult, runCommand, runCommandBeside, startService } from '../support/processes/process.ts'
import { type EmptyDatabase, forEachEngine, makePlace } from '../support/storage/engines.ts'
import { openWorld } from '../support/world.ts'

const PASSWORD = 'correct horse battery'
const ZONE = { TZ: 'UTC' }

const fileIn = ({ folder }: EmptyDatabase): string => join(folder, 'daybook.json')
const settingsIn = (place: EmptyDatabase): Record<string, unknown> => JSON.parse(readFileSync(fileIn(place), 'utf8'))

function story(name: string, tell: (place: EmptyDatabase) => Promise<void>): void {
  test(name, async () => {
    const place = await makePlace('sqlite')
    try {
      await tell(place)
    } finally {
      await place.remove()
    }
  })
}

const setUp = (place: EmptyDatabase, args: string[], lines: string[] = [], settings: Record<string, string> = {}) =>
  runLoadedCommand(
    ['setup', ...args],
    place.folder,
    { ...ZONE, ...settings },
    lines.map((line) => `${line}\n`).join(''),
  )

/** Ended with one line that has the reason, and with nothing written. */
function assertRefused(result: CommandResult, place: EmptyDatabase, message: RegExp, before?: string): void {
  assert.equal(result.code, 1, result.stdout)
  assert.match(result.stderr, message)
  assert.equal(result.stderr.trimEnd().split('\n').length, 1, result.stderr)
  assert.ok(!result.stderr.includes('    at '), 'no stack')
  assert.equal(existsSync(fileIn(place)) ? readFileSync(fileIn(place), 'utf8') : undefined, before)
  assert.deepEqual(
    readdirSync(place.folder).filter((name) => name.endsWith('.new')),
    [],
  )
}

story('answers may be piped in, also the password; the calendar starts with them', async (place) => {
  const lines = ['Village hall', 'Europe/Berlin', '', 'hall', '', '', 'head@example.org', PASSWORD]
  const result = runCommand(['setup'], place.folder, ZONE, lines.map((line) => `${line}\n`).join(''))
  assert.equal(result.code, 0, result.stderr)
  assert.deepEqual(settingsIn(place), { site_name: 'Village hall', timezone: 'Europe/Berlin', url_slug: 'hall' })
  assert.equal(statSync(fileIn(place)).mode & 0o777, 0o600)
  assert.match(result.stdout, /Name of the calendar \[Daybook\]: Village hall\n/)
  assert.match(result.stdout, /head@example\.org is now an administrator\.\n/)
  assert.match(result.stdout, /Wrote daybook\.json: “Village hall” at http:\/\/localhost:8080\/hall, /)
  assert.match(result.stdout, /Start the calendar with: npm start\n$/)
  assert.ok(!result.stdout.includes(PASSWORD))
  const service = await startService(place.folder, {})
  try {
    assert.match(service.output(), /Village hall is running at/)
    assert.ok(!service.output().includes('Set up'))
    const basic = Buffer.from(`head@example.org:${PASSWORD}`).toString('base64')
    const answer = await fetch(`${service.base}/admin/users`, { headers: { authorization: `Basic ${basic}` } })
    assert.equal(answer.status, 200)
  } finally {
    await service.kill()
  }
})

story('existing settings are kept and suggested; an administrator is not asked for again', async (place) => {
  const file = { site_name: 'Old', timezone: 'Asia/Tokyo', port: 9000, trust_proxy: ['10.0.0.0/8'] }
  writeFileSync(fileIn(place), JSON.stringify(file), { mode: 0o644 })
  const first = await setUp(place, ['--yes', '--email', 'a@example.org', '--password-stdin'], [PASSWORD])
  assert.equal(first.code, 0, first.stderr)
  assert.deepEqual(settingsIn(place), file)
  assert.equal(statSync(fileIn(place)).mode & 0o777, 0o600, 'it may hold passwords from now on')
  const second = await setUp(place, ['--url-slug', 'town'], ['New', ''])
  assert.equal(second.code, 0, second.stderr)
  assert.match(second.stdout, /Name of the calendar \[Old\]: New\nTime zone \[Asia\/Tokyo\]: \n/)
  assert.match(second.stdout, /There is already an administrator: a@example\.org\.\n/)
  assert.ok(!second.stdout.includes('Administrator’s email'))
  assert.deepEqual(settingsIn(place), { ...file, site_name: 'New', url_slug: 'town' })
  const third = await setUp(place, ['--email', 'b@example.org', '--password-stdin', '--url-slug', ''], [PASSWORD])
  assert.match(third.stdout, /b@example\.org is now an administrator\./)
  assert.deepEqual(settingsIn(place), { ...file, site_name: 'New' }, 'an empty flag empties')
})

story('an invalid answer ends it with its reason, by flag and by pipe, and nothing is written', async (place) => {
  const cases: [string[], string[], RegExp][] = [
    [['--url-slug', 'Not A Slug', '--yes'], [], /^daybook setup: --url-slug: must be lower-case/],
    [['--email', 'nobody', '--password-stdin'], [PASSWORD], /--email: must be an email address/],
    [['--email', 'a@example.org', '--password-stdin'], ['short'], /password: This field is too short/],
    [['--email', 'a@example.org', '--yes'], [], /use --password-stdin/],
    [['--yes', '--test-mail'], [], /--test-mail: there is no address to send it to/],
    [[], ['Hall', 'Mars'], /^daybook setup: timezone: must be an IANA time zone/],
    [[], ['Hall', '', '', '', '', '', 'nobody'], /^daybook setup: email: must be an email address\n$/],
    [[], ['Hall', '', '', '', '', '', 'a@example.org'], /password: This field is too short/],
  ]
  for (const [args, lines, message] of cases) assertRefused(await setUp(place, args, lines), place, message)
  const old = '{ "site_name": "Old" }'
  writeFileSync(fileIn(place), old)
  for (const [args, lines, message] of cases.slice(0, 3))
    assertRefused(await setUp(place, args, lines), place, message, old)
})

story('no account is created when the settings file cannot be written', async (place) => {
  const made = (settings: Record<string, string>) =>
    setUp(place, ['--yes', '--email', 'a@example.org', '--password-stdin'], [PASSWORD], settings)
  const elsewhere = await made({ DAYBOOK_CONFIG: 'absent/daybook.json' })
  assertRefused(elsewhere, place, /^daybook setup: .*absent.daybook\.json cannot be written: /)
  assert.ok(!existsSync(join(place.folder, 'data')), 'no database was opened')
  mkdirSync(fileIn(place))
  assert.match((await made({})).stderr, /^daybook setup: .*daybook\.json is a folder, not a file\n$/)
  rmSync(fileIn(place), { recursive: true })
  symlinkSync('absent.json', fileIn(place))
  assert.match((await made({})).stderr, /^daybook setup: .*daybook\.json is a broken symbolic link\n$/)
  assert.ok(lstatSync(fileIn(place)).isSymbolicLink(), 'it is not replaced')
  assert.ok(!existsSync(join(place.folder, 'data')))
  writeFileSync(join(place.folder, 'absent.json'), '{ "site_name": "Linked" }')
  assert.equal((await made({})).code, 0)
  assert.ok(lstatSync(fileIn(place)).isSymbolicLink(), 'what it leads to is written')
  assert.equal(JSON.parse(readFileSync(join(place.folder, 'absent.json'), 'utf8')).timezone, 'Europe/London')
})

story('an invalid email address is refused before the database is opened', async (place) => {
  assertRefused(await setUp(place, ['--email', 'nobody', '--yes']), place, /--email: must be an email address/)
  assert.ok(!existsSync(join(place.folder, 'data')))
})

story('an answer is checked also where the environment overrides it', async (place) => {
  const hidden = { DAYBOOK_TIMEZONE: 'Europe/Paris', DAYBOOK_SMTP_URL: '' }
  assertRefused(await setUp(place, ['--timezone', 'Mars', '--yes'], [], hidden), place, /--timezone: must be an IANA/)
  assertRefused(
    await setUp(place, ['--smtp-url', 'nonsense', '--yes'], [], hidden),
    place,
    /--smtp-url: must look like/,
  )
  const lines = ['Hall', 'Mars']
  assertRefused(await setUp(place, [], lines, hidden), place, /^daybook setup: timezone: must be an IANA time zone/)
  const before = '{ "timezone": "Mars" }'
  writeFileSync(fileIn(place), before)
  assertRefused(await setUp(place, ['--yes'], [], hidden), place, /timezone.*must be an IANA time zone/, before)
})

story('run again with the same address it reports that, keeps the account and writes the settings', async (place) => {
  const run = (name: string, password: string) =>
    setUp(place, ['--site-name', name, '--email', 'A@example.org', '--password-stdin'], [password])
  assert.equal((await run('One', PASSWORD)).code, 0)
  const again = await run('Two', 'another long password')
  assert.equal(again.code, 0, again.stderr)
  assert.match(again.stdout, /There is already an account for A@example\.org; it stays as it is\.\n/)
  assert.ok(!again.stdout.includes('admin grant'), 'it is an administrator')
  assert.equal(settingsIn(place).site_name, 'Two')
  const service = await startService(place.folder, {})
  try {
    const basic = Buffer.from(`a@example.org:${PASSWORD}`).toString('base64')
    const answer = await fetch(`${service.base}/admin/users`, { headers: { authorization: `Basic ${basic}` } })
    assert.equal(answer.status, 200, 'with its old password')
  } finally {
    await service.kill()
  }
})

story(
  'for an account that is not an administrator it prints the command to make it one, and what that needs',
  async (place) => {
    const world = await openWorld('sqlite', place)
    await world.addPerson('proven@example.org', 'writer')
    await world.addPerson('unproven@example.org', 'writer', 'pending_approval', false)
    await world.app.close()
    const run = (email: string) => setUp(place, ['--email', email, '--password-stdin'], [PASSWORD])
    const proven = await run('proven@example.org')
    assert.equal(proven.code, 0, proven.stderr)
    assert.match(proven.stdout, /To make it an administrator: npx daybook admin grant --email proven@example\.org\n/)
    assert.doesNotMatch(proven.stdout, /new password/)
    const unproven = await run('unproven@example.org')
    assert.match(unproven.stdout, /npx daybook admin grant --email unproven@example\.org\n/)
    assert.match(unproven.stdout, /asks for a new password, because another person may have chosen the current one/)
  },
)

story('piped and stored answers are shown without passwords', async (place) => {
  const smtp = 'smtp://me:hu@sh@127.0.0.1:1'
  const first = await setUp(place, [], ['Hall', '', '', '', '', smtp, 'off', '', ''])
  assert.equal(first.code, 0, first.stderr)
  assert.equal(settingsIn(place).smtp_url, smtp)
  const second = await setUp(place, [], [])
  const wrong = await setUp(place, [], ['Hall', '', '', '', 'postgres://me:hu/sh@127.0.0.1/x'])
  assert.match(wrong.stderr, /^daybook setup: database_url: must begin with postgres/)
  for (const { stdout, stderr } of [first, second, wrong])
    assert.ok(!/hu.?sh|sh@/.test(stdout + stderr), stdout + stderr)
})

test('every setting is checked when it is given', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ 'site-name': 'a'.repeat(101) }, /^--site-name: must be 1 to 100 characters on one line$/],
    [{ timezone: 'Mars' }, /^--timezone: must be an IANA time zone/],
    [{ 'public-url': 'calendar.example.org' }, /^--public-url: must be an http/],
    [{ 'url-slug': 'admin' }, /^--url-slug: must be lower-case/],
    [{ 'database-url': 'mysql://x' }, /^--database-url: must begin with postgres/],
    [
      { 'database-url': 'postgres://me:hush@127.0.0.1:1/x' },
      /^--database-url: cannot reach the database at 127\.0\.0\.1:1: nothing answers there$/,
    ],
    [{ 'smtp-url': 'mail.example.org' }, /^--smtp-url: must look like smtp:/],
    [{ 'smtp-url': 'smtp://a%zz:b@localhost' }, /^--smtp-url: must look like smtp:/],
    [{ 'smtp-url': 'smtp://localhost', 'smtp-tls': 'maybe' }, /^--smtp-tls: must be on or off$/],
    [{ 'mail-from': 'nobody' }, /^--mail-from: must be an email address$/],
  ]
  for (const [flags, message] of cases) await assert.rejects(askSettings({}, { flags, prompt: undefined }), { message })
})

story('a settings file with another error is kept and reported before any prompt', async (place) => {
  for (const [content, message] of [
    ['{ "port": "eighty" }', /^daybook setup: daybook\.json "port": must be a number/],
    ['{ "prot": 1 }', /there is no setting "prot"/],
    ['{', /is not valid JSON/],
    ['[]', /must hold one JSON object/],
  ] as const) {
    writeFileSync(fileIn(place), content)
    const result = await setUp(place, [], ['Hall'])
    assertRefused(result, place, message, content)
    assert.equal(result.stdout, '')
  }
  writeFileSync(fileIn(place), '{ "timezone": "Mars", "url_slug": "town" }')
  const mended = await setUp(place, ['--timezone', 'Europe/Paris', '--yes'])
  assert.equal(mended.code, 0, mended.stderr)
  assert.deepEqual(settingsIn(place), { site_name: 'Daybook', timezone: 'Europe/Paris', url_slug: 'town' })
})

story('the settings file may be in another place, and the environment applies', async (place) => {
  const settings = { DAYBOOK_CONFIG: 'elsewhere.json', DAYBOOK_DATA_DIR: 'kept' }
  const made = await setUp(place, ['--site-name', 'Hall', '--yes', '--email', 'a@example.org'], [PASSWORD], settings)
  assert.equal(made.code, 1)
  const args = ['--site-name', 'Hall', '--yes', '--email', 'a@example.org', '--password-stdin']
  const result = await setUp(place, args, [PASSWORD], settings)
  assert.match(result.stdout, /Wrote elsewhere\.json: “Hall” at .*events in .*kept.daybook\.db/)
  assert.ok(!existsSync(fileIn(place)))
  assert.ok(existsSync(join(place.folder, 'kept', 'daybook.db')))
  assert.ok(!existsSync(join(place.folder, 'data')))
})

story('a test mail reaches the administrator through the configured server', async (place) => {
  const server = await startMailServer()
  try {
    const result = await runCommandBeside(
      ['setup'],
      place.folder,
      ZONE,
      ['Hall', '', 'https://hall.example.org', '', '', server.url, 'off', 'calendar@hall.example.org']
        .concat(['head@example.org', 'yes', PASSWORD, ''])
        .join('\n'),
    )
    assert.equal(result.code, 0, result.stderr)
    assert.match(result.stdout, /A test mail is on its way\.\n/)
    const [mail] = await server.waitFor(1)
    assert.deepEqual([mail!.from, mail!.to], ['calendar@hall.example.org', ['head@example.org']])
    assert.deepEqual(settingsIn(place), {
      site_name: 'Hall',
      timezone: 'Europe/London',
      public_url: 'https://hall.example.org',
      smtp_url: server.url,
      smtp_tls: 'off',
      mail_from: 'calendar@hall.example.org',
    })
    const again = await runLoadedCommand(['setup', '--yes', '--test-mail'], place.folder, ZONE)
    assert.equal(again.code, 0, again.stderr)
    assert.deepEqual((await server.waitFor(2))[1]!.to, ['head@example.org'], 'to the one there is')
    const quiet = await runLoadedCommand(['setup'], place.folder, ZONE, '\n')
    assert.equal(quiet.code, 0, quiet.stderr)
    assert.equal(server.mails.length, 2, 'none was requested')
  } finally {
    await server.stop()
  }
})

story('a mail server that refuses is explained in one sentence, and nothing is written', async (place) => {
  const server = await startMailServer({ login: { user: 'me', password: 'right' } })
  const where = `127\\.0\\.0\\.1:${server.port}`
  const args = (url: string, tls = 'off') =>
    ['--smtp-url', url, '--smtp-tls', tls, '--email', 'a@example.org', '--password-stdin', '--test-mail'] as string[]
  const attempt = (url: string, tls?: string) =>
    runLoadedCommand(['setup', ...args(url, tls)], place.folder, ZONE, PASSWORD)
  try {
    const withLogin = server.url.replace('//', '//me:wrong@')
    assertRefused(
      await attempt(withLogin),
      place,
      new RegExp(`: the test mail was not sent: ${where}: the mail server refused the user name or the password\n$`),
    )
    assertRefused(await attempt(server.url, 'on'), place, new RegExp(`${where}: it does not offer encryption`))
    await server.become('reject')
    assertRefused(
      await attempt(server.url.replace('//', '//me:right@')),
      place,
      new RegExp(`${where} does not accept mail for that address \\(550\\)\n$`),
    )
    await server.become('refuse')
    const refused = await attempt(withLogin)
    assertRefused(refused, place, new RegExp(`${where}: nothing answers there\n$`))
    assert.ok(!`${refused.stdout}${refused.stderr}`.includes('wrong'))
    const untried = await setUp(place, ['--smtp-url', withLogin, '--smtp-tls', 'off', '--yes'])
    assert.equal(untried.code, 0, 'a server that is down just now may be set all the same')
    assert.ok(!untried.stdout.includes('wrong'))
    const kept = await setUp(place, [], [])
    assert.match(kept.stdout, /\[smtp:\/\/me:…@127\.0\.0\.1:\d+\]/, 'a password is not shown again')
    assert.equal(settingsIn(place).smtp_url, withLogin)
  } finally {
    await server.stop()
  }
})

test('every mail failure has a sentence', () => {
  const config = configOf({ smtp_url: 'smtps://mail.example.org' })
  const failed = (result: 'refused' | 'deferred' | 'unreachable', cause: string) =>
    describeFailedMail({ result, problem: 'x', cause }, config)
  assert.equal(describeFailedMail({ result: 'sent' }, config), undefined)
  assert.equal(failed('unreachable', 'EDNS'), 'mail.example.org:465: there is no host of that name')
  assert.equal(
    failed('unreachable', 'ESOCKET'),
    'mail.example.org:465: nothing answers there, or its certificate is not trusted',
  )
  assert.equal(failed('deferred', 'ETIMEDOUT'), 'mail.example.org:465: it did not answer in time')
  assert.equal(failed('deferred', 'EENVELOPE 451'), 'mail.example.org:465 did not accept the mail (EENVELOPE 451)')
})

test('the current value is suggested, after that of the file; an unknown one is not', async () => {
  const known = { site_name: 'Hall' }
  const quiet = { flags: {}, prompt: undefined }
  const inForce = { site_name: 'Riverside Hall', timezone: 'Europe/Vienna' }
  assert.deepEqual(await askSettings(known, quiet, inForce), { site_name: 'Hall', timezone: 'Europe/Vienna' })
  for (const place of [
    { data_dir: 'absent' },
    { database_url: 'nonsense' },
    { database_url: 'postgres://127.0.0.1:1/x' },
  ])
    assert.deepEqual(await findInForce(place, quiet), {})
  assert.ok(!existsSync('absent'))
})

test('on a terminal an invalid answer is asked for again', async () => {
  const typed = ['', 'Mars', 'Europe/Paris', 'ftp://x', '', 'Not A', 'town', 'mysql://x', '', 'nonsense', '-']
  const asked: string[] = []
  const printed: string[] = []
  const prompt: Prompt = {
    isTerminal: true,
    async ask(question) {
      asked.push(question)
      return typed.shift() ?? assert.fail('one question too many')
    },
    askHidden: () => assert.fail('nothing secret'),
    say: (text) => void printed.push(text),
    close() {},
  }
  const answers = await askSettings({ site_name: 'Old', smtp_tls: 'off' }, { flags: {}, prompt })
  assert.deepEqual(answers, { site_name: 'Old', timezone: 'Europe/Paris', url_slug: 'town' })
  assert.deepEqual(typed, [])
  assert.equal(printed.length, 5)
  assert.equal(printed[0], 'Not valid: must be an IANA time zone such as Europe/London.')
  assert.equal(asked.filter((question) => question.startsWith('Time zone')).length, 2)
  assert.ok(!asked.some((question) => question.startsWith('Encrypt')), 'not where there is no mail server')
})

forEachEngine('setup opens the configured database, and suggests what was chosen there', async (engine) => {
  const place = await makePlace(engine)
  try {
    const { app } = await openWorld(engine, place, { place })
    const choices = { site_name: 'Riverside Hall', timezone: 'Europe/Vienna', week_start: 'sunday' }
    await inTransaction(app.ctx.storage, (db) => replaceSettings(db, {}, choices, 0))
    await app.close()
    const url = place.settings.DAYBOOK_DATABASE_URL
    const args = ['setup', ...(url ? ['--database-url', url] : []), '--email', 'a@example.org', '--password-stdin']
    const settings = { ...ZONE, DAYBOOK_DURABLE_COMMITS: 'off' }
    const result = runCommand(args, place.folder, settings, PASSWORD)
    assert.equal(result.code, 0, result.stderr)
    assert.match(result.stdout, engine === 'postgres' ? /events in PostgreSQL/ : /events in .*daybook\.db/)
    const chosen = { site_name: 'Riverside Hall', timezone: 'Europe/Vienna' }
    assert.deepEqual(settingsIn(place), { ...chosen, ...(url ? { database_url: url } : {}) })
    assert.equal(existsSync(join(place.folder, 'data', 'daybook.db')), engine === 'sqlite')
    if (!url) return
    const wrong = new URL(url)
    wrong.pathname = '/no_such_database'
    const refused = runCommand(['setup', '--database-url', wrong.href, '--yes'], place.folder, settings)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /--database-url: cannot use the database at \S+: it has no database of that name\n$/)
    assert.equal(settingsIn(place).database_url, url)
  } finally {
    await place.remove()
  }
})
