// Settings: from the environment or a file, checked once at start, invalid ones named.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, loadConfig } from '../src/config.ts'
import { PAGES } from '../src/contract/site.ts'
import { environmentName } from '../src/environment.ts'
import { RESERVED_SLUGS } from '../src/setting-values.ts'
import { settings } from '../src/settings.ts'

const inFolder = (tell: (folder: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-config-'))
  try {
    tell(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('without any settings there is a complete configuration for this machine', () =>
  inFolder((folder) => {
    const config = loadConfig({}, folder)
    assert.equal(config.host, 'localhost')
    assert.equal(config.port, 8080)
    assert.equal(config.publicUrl.href, 'http://localhost:8080/')
    assert.equal(config.timezone, 'Europe/London')
    assert.equal(config.weekStart, 0)
    assert.equal(config.defaultVisibility, 'private')
    assert.equal(config.databaseUrl, '')
    assert.equal(config.dataDir, join(folder, 'data'))
    assert.equal(config.rateLimits, true)
    assert.deepEqual(config.trustProxy, [])
    assert.ok(Object.isFrozen(config))
  }))

test('the environment wins over the file, the file over the defaults', () =>
  inFolder((folder) => {
    writeFileSync(
      join(folder, 'daybook.json'),
      JSON.stringify({ port: 9000, week_start: 'sunday', trust_proxy: ['10.0.0.0/8', '::1'], rate_limits: false }),
    )
    const config = loadConfig({ DAYBOOK_PORT: '9001' }, folder)
    assert.equal(config.port, 9001)
    assert.equal(config.weekStart, 6)
    assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '::1'])
    assert.equal(config.rateLimits, false)
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ site_name: 'Elsewhere' }))
    assert.equal(loadConfig({ DAYBOOK_CONFIG: 'other.json' }, folder).siteName, 'Elsewhere')
  }))

test('an invalid value stops the start with one line that names the setting', () =>
  inFolder((folder) => {
    const wrong: Record<string, string[]> = {
      port: ['x', '-1', '70000', '80.5'],
      public_url: ['calendar.example.org', 'ftp://x', 'https://x/path', 'https://u@x/', 'https://x/?q'],
      url_slug: [
        'Town',
        '-a',
        'a-',
        'a b',
        'a/b',
        'a'.repeat(64),
        'api-root',
        'public',
        'admin',
        'dav',
        'caldav',
        'auth',
        'assets',
        'health',
        'well-known',
        'verify',
        'forgot-password',
        'reset-password',
      ],
      timezone: ['Mars/Olympus', '+01:00'],
      week_start: ['moonday'],
      default_visibility: ['secret'],
      database_url: ['mysql://x', 'postgres://u:sek/ret@db.example.org/x', 'postgres://u:1/ret@db.example.org/x'],
      database_pool_size: ['0', 'many'],
      memory_limit: ['127', '65537', '256M'],
      trust_proxy: ['999.1.1.1', 'dead', '10.0.0.0/99', 'everyone', '10.0.0.0/8; ::1'],
      proxy_header: ['x-real-ip'],
      tls_certificate: ['only-one.pem'],
      rate_limits: ['maybe'],
      log_level: ['loud'],
      metrics_token: ['short', 'with a space inside', 'fünfzehn-zeichen-und-mehr', 'x'.repeat(201)],
      metrics_port: ['x', '-1', '65536', '127.0.0.1:9464'],
      site_name: [
        'x'.repeat(101),
        'Town\nhall',
        'Town\r\nhall',
        'Town\thall',
        'a\u0000b',
        'a\u0085b',
        'a\u2028b',
        '\u001b[31mred',
      ],
    }
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        assert.throws(
          () => loadConfig({ [environmentName(name)]: value }, folder),
          (error) =>
            error instanceof ConfigError &&
            /^[^\n]+$/.test(error.message) &&
            !error.message.includes('ret') &&
            error.message.toLowerCase().includes(name),
          `${name}=${value}`,
        )
      }
    }
    assert.throws(
      () => loadConfig({ DAYBOOK_TLS_CERTIFICATE: 'no.pem', DAYBOOK_TLS_KEY: 'no.pem' }, folder),
      /tls_certificate: the file .* cannot be read/,
    )
    assert.throws(() => loadConfig({ DAYBOOK_NONSENSE: '1' }, folder), /DAYBOOK_NONSENSE: unknown setting/)
    assert.throws(() => loadConfig({ DAYBOOK_CONFIG: 'absent.json' }, folder), /DAYBOOK_CONFIG/)
    for (const [text, message] of [
      ['{', /not valid JSON/],
      ['[]', /one JSON object/],
      ['{"prot":1}', /there is no setting "prot"/],
      ['{"port":"x"}', /daybook\.json "port"/],
    ] as const) {
      writeFileSync(join(folder, 'daybook.json'), text)
      assert.throws(() => loadConfig({}, folder), message)
    }
  }))

test('a settings path that is a folder or a broken link has an error of its own', () =>
  inFolder((folder) => {
    mkdirSync(join(folder, 'daybook.json'))
    assert.throws(() => loadConfig({}, folder), /daybook\.json is a folder, not a file$/)
    rmSync(join(folder, 'daybook.json'), { recursive: true })
    symlinkSync(join(folder, 'absent.json'), join(folder, 'daybook.json'))
    assert.throws(() => loadConfig({}, folder), /daybook\.json is a broken symbolic link$/)
  }))

test('the documentation lists every reserved slug', () => {
  const manual = readFileSync(join(import.meta.dirname, '..', 'docs', 'settings.md'), 'utf8')
  assert.equal(/^Reserved as `url_slug`: (.*)\.$/m.exec(manual)?.[1], RESERVED_SLUGS.join(', '))
})

test('the first path segment of every page is a reserved slug', () => {
  const beginnings = PAGES.map((path) => path.split('/')[1]!).filter(Boolean)
  for (const word of beginnings) assert.ok(RESERVED_SLUGS.includes(word), word)
})

test('a database address is accepted in every form its driver supports', () =>
  inFolder((folder) => {
    for (const url of [
      'postgres://localhost/x',
      'postgresql://me:p%2Fa%40ss@db.example.org:5433/x?sslmode=verify-full',
      'postgres://me:p@ss@db.example.org/x',
      'postgres:///x?host=/run/postgresql',
      'postgres://me:pass@/x?host=/run/postgresql',
    ])
      assert.equal(loadConfig({ DAYBOOK_DATABASE_URL: url }, folder).databaseUrl, url)
  }))

test('valid slugs are accepted', () =>
  inFolder((folder) => {
    for (const slug of ['a', 'town', 'st-mary-2', `a${'b'.repeat(61)}c`])
      assert.equal(loadConfig({ DAYBOOK_URL_SLUG: slug }, folder).urlSlug, slug)
  }))

test('every setting has a name, a default that is accepted, and a sentence', () =>
  inFolder((folder) => {
    assert.equal(new Set(settings.map(({ name }) => name)).size, settings.length)
    for (const { name, help } of settings) {
      assert.match(name, /^[a-z_]+$/)
      assert.match(help, /[.]$/)
    }
    loadConfig(Object.fromEntries(settings.map((setting) => [environmentName(setting.name), setting.default])), folder)
  }))
