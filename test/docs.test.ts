// Compares the documents with the code: errors, settings, commands and the OpenAPI description.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { PAGES } from '../src/contract/site.ts'
import { FINDING_CODES, levelOf } from '../src/doctor/finding.ts'
import { environmentName } from '../src/environment.ts'
import { errors, fieldCodes } from '../src/errors.ts'
import { settings } from '../src/settings.ts'
import { withWorld } from './support/world.ts'

const ROOT = join(import.meta.dirname, '..')
const page = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

test('the OpenAPI document is valid 3.1 and has every operation once', () =>
  withWorld('sqlite', async ({ anonymous }) => {
    const document = (await anonymous.get('/openapi.json')).body
    const result = await new Validator().validate(document)
    assert.equal(result.valid, true, JSON.stringify('errors' in result ? result.errors : ''))
    assert.equal(document.openapi, '3.1.0')
    const operations = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (methods) => Object.values(methods),
    )
    const ids = operations.map(({ operationId }) => operationId)
    assert.deepEqual(ids.toSorted(), [
      'bulkEvents',
      'changeOwnAccount',
      'changePassword',
      'changeSettings',
      'changeUser',
      'createAppPassword',
      'createEvent',
      'createFeedLink',
      'createToken',
      'deleteAppPassword',
      'deleteEvent',
      'deleteException',
      'deleteFeedLink',
      'deleteOccurrence',
      'deleteToken',
      'deleteUser',
      'emptyTrash',
      'endSession',
      'endSessions',
      'endUserSessions',
      'exportCalendar',
      'forgotPassword',
      'getCalendarFeed',
      'getChallenge',
      'getDocs',
      'getEvent',
      'getEventFile',
      'getEventVersion',
      'getFreeBusy',
      'getHealth',
      'getLinkedFeed',
      'getOccurrence',
      'getOpenApi',
      'getPublicEvent',
      'getPublicFreeBusy',
      'getSession',
      'getUser',
      'importCalendar',
      'listAppPasswords',
      'listAudit',
      'listCategories',
      'listChanges',
      'listDiagnostics',
      'listEventHistory',
      'listEvents',
      'listFeedLinks',
      'listOccurrences',
      'listPublicChanges',
      'listPublicEvents',
      'listSessions',
      'listSettings',
      'listSidebarEvents',
      'listTokens',
      'listTrash',
      'listUsers',
      'logIn',
      'logOut',
      'patchEvent',
      'patchOccurrence',
      'registerUser',
      'rejectUsers',
      'renameFeedLink',
      'replaceEvent',
      'resetPassword',
      'restoreEvent',
      'restoreEventVersion',
      'restoreEvents',
      'rewindCalendar',
      'sendTestMail',
      'setUp',
      'streamChanges',
      'streamPublicChanges',
      'verifyEmail',
    ])
  }))

/** Files that the pages load have a hash in their name, or are for other sites to load. */
const isNoFile = (path: string): boolean => !/^\/(?:assets\/:name|\w+\.(?:js|svg))$/.test(path)

test('P40: the addresses of the service are exactly the documented ones', () =>
  withWorld('sqlite', async ({ app, anonymous }) => {
    const documented = Object.keys((await anonymous.get('/openapi.json')).body.paths).map((path) =>
      `${app.site.base}${path}`.replace(/\{(\w+)\}/g, ':$1'),
    )
    const events = ['/events/:event_id', '/events/:event_id/:occurrence_key', '/feed.xml', '/feed.json', '/sitemap.xml']
    const pages = [...PAGES, ...events, '/frame', '/robots.txt', '/healthz', '/readyz', '/.well-known/caldav']
    // Answers to `daybook doctor` only.
    const selfCheck = `${app.site.base}/self-check`
    const collections = ['', '/principals', '/principals/:user_id', '/calendars', '/calendars/:calendar']
    const caldav = [...collections, '/calendars/main', '/calendars/main/:name'].map((path) => `/caldav${path}`)
    assert.deepEqual(app.paths().filter(isNoFile).sort(), [...documented, ...pages, ...caldav, selfCheck].sort())
    assert.ok(!documented.some((path) => path.includes('caldav')), 'CalDAV has its own documentation')
  }))

test('examples in the OpenAPI document are accepted by the service', () =>
  withWorld('sqlite', async ({ anonymous, writer }) => {
    const { schemas } = (await anonymous.get('/openapi.json')).body.components
    const created = await writer.post('/events', schemas.NewEvent.examples[0])
    assert.equal(created.status, 201, created.text)
    const path = `/events/${created.body.data.id}`
    assert.equal((await writer.put(path, schemas.EventReplacement.examples[0])).status, 200)
    assert.equal((await writer.patch(path, schemas.EventPatch.examples[0])).status, 200)
    assert.equal(
      (await writer.patch(`${path}/occurrences/20260721T190000`, schemas.OccurrencePatch.examples[0])).status,
      200,
    )
  }))

test('docs/errors.md lists every code with its status and sentence, and no other', () => {
  const rows = [...page('docs/errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)].map(
    ([, status, code, message]) => `${status} ${code} ${message}`,
  )
  assert.deepEqual(
    rows,
    Object.entries(errors).map(([code, { status, message }]) => `${status} ${code} ${message}`),
  )
  const fields = [...page('docs/errors.md').matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(
    ([, code, message]) => `${code} ${message}`,
  )
  assert.deepEqual(
    fields,
    Object.entries(fieldCodes).map(([code, message]) => `${code} ${message}`),
  )
})

test('docs/doctor.md lists every finding of the doctor with its level', () => {
  const rows = [...page('docs/doctor.md').matchAll(/^\| `(\w+)` \| (warning|problem) \|/gm)].map(
    ([, code, level]) => `${code} ${level}`,
  )
  const findings = FINDING_CODES.filter((code) => levelOf(code) !== 'ok').map((code) => `${code} ${levelOf(code)}`)
  assert.deepEqual(rows.sort(), findings.sort())
})

test('docs/settings.md lists every setting with its default and sentence', () => {
  const rows = [...page('docs/settings.md').matchAll(/^\| `(\w+)` \| `(DAYBOOK_\w+)` \| (.*?) \| (.+) \|$/gm)].map(
    ([, name, env, value, help]) => [name, env, value, help],
  )
  assert.deepEqual(
    rows,
    settings.map((setting) => [
      setting.name,
      environmentName(setting.name),
      setting.default ? `\`${setting.default}\`` : '',
      setting.help,
    ]),
  )
})

test('docs/faults.md lists every fault that tests name, with the files', () => {
  const listed = [...page('docs/faults.md').matchAll(/^\| (F\d+) \|.*\| (.*?) \|$/gm)].flatMap(([, number, places]) =>
    [...places!.matchAll(/`([\w/-]+)`/g)].map(([, name]) => `${number} test/${name}.test.ts`),
  )
  const named = globSync('test/**/*.test.ts', { cwd: ROOT }).flatMap((file) => {
    const opening = page(file).split('\n')[0]!
    const titles = [...page(file).matchAll(/^.*['`]((?:[FP]\d+, )*[FP]\d+): /gm)].map(([, numbers]) => numbers)
    const numbers = new Set([opening, ...titles].join(' ').match(/\bF\d+\b/g))
    return [...numbers].map((number) => `${number} ${file.replaceAll('\\', '/')}`)
  })
  assert.deepEqual(listed.toSorted(), named.toSorted())
})

test('docs/architecture.md is short and names every folder', () => {
  const text = page('docs/architecture.md')
  assert.ok(text.split('\n').length <= 150)
  const rooms = new Set(globSync('src/*', { cwd: ROOT }).map((path) => path.replace(/^src[\\/]/, '')))
  for (const room of rooms) assert.ok(text.includes(`\`${room.endsWith('.ts') ? room : `${room}/`}\``), room)
})

test('documents name commands as a release has them; npx, for a clone, stands only where that is said', () => {
  const named = ['README.md', ...globSync('docs/*.md', { cwd: ROOT })].flatMap((path) =>
    (page(path).match(/npx daybook/g) ?? []).map(() => path.replaceAll('\\', '/')),
  )
  assert.deepEqual(named.toSorted(), ['README.md', 'docs/operations.md'])
})

test('links between the documents have targets', () => {
  for (const path of [...globSync('*.md', { cwd: ROOT }), ...globSync('docs/*.md', { cwd: ROOT })]) {
    for (const [, target] of page(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)) {
      assert.ok(existsSync(join(ROOT, path, '..', target!)), `${path} → ${target}`)
    }
  }
})
