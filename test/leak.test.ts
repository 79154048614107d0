// Canary words in every field of a private event: every public response, header and file is searched for them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { InjectOptions } from 'light-my-request'
import { cookieNameOf } from '../src/http/guard/cookie.ts'
import { lines, londonDefinition } from './ical/objects.ts'
import type { ApiResponse } from './support/http/api-response.ts'
import { captureLog } from './support/measure/captured-log.ts'
import { byRunLength } from './support/measure/run-length.ts'
import { makeNose, type Nose, planted } from './support/privacy/planted-words.ts'
import { type Engine, forEachEngine } from './support/storage/engines.ts'
import { ask, basicOf, type Client, type World, withWorld } from './support/world.ts'

const w = planted
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const BY_JSON = {
  title: w('title'),
  description: `First line\n${w('description')}`,
  location: w('location'),
  category: w('category'),
  url: `https://${w('host')}.example.org/${w('path')}?${w('query')}`,
  uid: `${w('uid')}@${w('uidhost')}.example.org`,
  visibility: 'private',
  start: '2026-07-14T19:00',
  end: '2026-07-14T20:00',
  rrule: 'FREQ=WEEKLY;COUNT=6',
}

const EDITED = {
  title: w('editedtitle'),
  description: w('editeddescription'),
  location: w('editedlocation'),
  category: w('editedcategory'),
  url: `https://${w('editedhost')}.example.org/`,
}

const SHIFTED = { title: w('shiftedtitle'), start: '2026-07-29T10:00', end: '2026-07-29T11:00' }

/** Everything a client can write into an event or one occurrence, each with a word that names the field. */
const wordLines = (of: string): string[] => [
  `SUMMARY;LANGUAGE=${w(`${of}language`)};ALTREP="cid:${w(`${of}altrep`)}":${w(`${of}summary`)}`,
  `DESCRIPTION:${w(`${of}text`)}`,
  `LOCATION;X-ADDRESS="${w(`${of}address`)}, 1":${w(`${of}place`)}`,
  `CATEGORIES:${w(`${of}kind`)},${w(`${of}otherkind`)}`,
  `URL:https://${w(`${of}url`)}.example.org/`,
  `COMMENT:${w(`${of}comment`)}`,
  `CONTACT:${w(`${of}contact`)}`,
  `RESOURCES:${w(`${of}resources`)}`,
  `RELATED-TO;RELTYPE=PARENT:${w(`${of}related`)}`,
  `REQUEST-STATUS:2.0;${w(`${of}status`)}`,
  `ORGANIZER;CN=${w(`${of}organizer`)};SENT-BY="mailto:${w(`${of}sentby`)}@example.org":mailto:${w(`${of}from`)}@example.org`,
  `ATTENDEE;CN=${w(`${of}attendee`)};DIR="ldap://${w(`${of}dir`)}":mailto:${w(`${of}guest`)}@example.org`,
  `ATTACH:https://example.org/${w(`${of}attachment`)}.pdf`,
  `ATTACH;ENCODING=BASE64;VALUE=BINARY:${base64(w(`${of}inline`))}`,
  `IMAGE;VALUE=URI:https://example.org/${w(`${of}image`)}.png`,
  `CONFERENCE;LABEL=${w(`${of}label`)};VALUE=URI:https://example.org/${w(`${of}room`)}`,
  `X-${w(`${of}xname`)};X-P=${w(`${of}xparam`)}:${w(`${of}xvalue`)}`,
  `${w(`${of}iananame`)}:${w(`${of}ianavalue`)}`,
  'GEO:51.5;-0.1',
  'TRANSP:TRANSPARENT',
  'PRIORITY:3',
  'SEQUENCE:7',
  'BEGIN:VALARM',
  `UID:${w(`${of}alarmuid`)}`,
  'ACTION:EMAIL',
  'TRIGGER:-PT15M',
  `SUMMARY:${w(`${of}alarmtitle`)}`,
  `DESCRIPTION:${w(`${of}alarmtext`)}`,
  `ATTENDEE:mailto:${w(`${of}alarmguest`)}@example.org`,
  `X-${w(`${of}alarmx`)}:1`,
  'END:VALARM',
  'BEGIN:VLOCATION',
  `UID:${w(`${of}venueuid`)}`,
  `NAME:${w(`${of}venue`)}`,
  'END:VLOCATION',
]

const TZID = `"${w('clinic')} time"`
const BY_IMPORT = lines(
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  `PRODID:-//${w('prodid')}//EN`,
  `X-WR-CALNAME:${w('calname')}`,
  ...londonDefinition(`${w('clinic')} time`),
  'BEGIN:VEVENT',
  `UID:${w('importeduid')}`,
  `CLASS:X-${w('class')}`,
  `DTSTART;TZID=${TZID}:20260715T100000`,
  `DTEND;TZID=${TZID}:20260715T110000`,
  'RRULE:FREQ=WEEKLY;COUNT=5',
  `EXDATE;TZID=${TZID}:20260722T100000`,
  ...wordLines('main'),
  'END:VEVENT',
  'BEGIN:VEVENT',
  `UID:${w('importeduid')}`,
  'CLASS:PUBLIC',
  `RECURRENCE-ID;TZID=${TZID}:20260729T100000`,
  `DTSTART;TZID=${TZID}:20260730T120000`,
  `DTEND;TZID=${TZID}:20260730T130000`,
  ...wordLines('moved'),
  'END:VEVENT',
  'BEGIN:VEVENT',
  `UID:${w('importeduid')}`,
  `RECURRENCE-ID;TZID=${TZID}:20260805T100000`,
  `DTSTART;TZID=${TZID}:20260805T100000`,
  `DTEND;TZID=${TZID}:20260805T110000`,
  ...wordLines('reworded'),
  'END:VEVENT',
  'BEGIN:VEVENT',
  `UID:${w('cancelleduid')}`,
  'CLASS:CONFIDENTIAL',
  'STATUS:CANCELLED',
  'DTSTART;VALUE=DATE:20260716',
  'DTEND;VALUE=DATE:20260718',
  ...wordLines('cancelled'),
  'END:VEVENT',
  'BEGIN:VTODO',
  `UID:${w('todo')}`,
  `SUMMARY:${w('todotitle')}`,
  'END:VTODO',
  'END:VCALENDAR',
)

const KEYS = ['20260714T190000', '20260721T190000', '20260715T100000', '20260722T100000', '20260729T100000', '20260716']

/** Was public, and is now private. */
const FORMERLY = {
  title: w('oncetitle'),
  category: w('oncecategory'),
  location: w('onceplace'),
  visibility: 'public',
  start: '2026-07-20',
  end: '2026-07-22',
  all_day: true,
}

/** The columns in which a private word may be stored, because it was sent for them. */
const HOMES =
  /^(?:events\.(?:title|description|location|category|more_categories|url|uid|search_text|ical|sent_ical)|event_versions\.ical|exceptions\.(?:title|description|location|category|url|search_text))$/

test('the search finds a word in any encoding', () => {
  const { find, words } = makeNose(`${w('title')} ${w('uid')}`)
  assert.equal(words.length, 2)
  const word = w('title')
  for (const text of [
    `"${word}"`,
    word.toUpperCase(),
    `x ${word.toLowerCase()} y`,
    `${word.slice(0, 4)}\r\n ${word.slice(4)}`,
    encodeURIComponent(word).replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    ...['', 'a', 'ab'].flatMap((before) => [base64(`${before}${word} and more`), base64(before + word.toLowerCase())]),
  ])
    assert.ok(find(text).length > 0, text)
  assert.deepEqual(find(`title ${base64('nothing of the kind')} %5A zq qz`), [])
})

forEachEngine(
  'P28, P29, P35, P36: no word of a private event is in any response to a reader without access',
  async (engine) => {
    const nose = makeNose(JSON.stringify([BY_JSON, EDITED, SHIFTED, FORMERLY]) + BY_IMPORT)
    const log = captureLog()
    try {
      await withWorld(
        engine,
        async (world) => {
          const ids = await plantAll(world, nose)
          await readEverything(world, ids, nose)
          await world.app.flushTraces()
          for (const path of ['/admin/diagnostics?limit=200', '/admin/audit?per_page=200'])
            assert.deepEqual(nose.find((await world.admin.get(path)).text), [], path)
          assert.deepEqual(await searchDatabase(world, nose), [])
          assert.deepEqual(searchFiles(world.place.folder, nose), [])
        },
        { settings: { DAYBOOK_RATE_LIMITS: 'on', DAYBOOK_LOG_LEVEL: 'info' } },
      )
      assert.deepEqual(nose.find(log.text()), [], 'the log')
    } finally {
      log.stop()
    }
  },
)

/** The ids of all events; everything else about them is a secret. */
async function plantAll({ writer, admin, anonymous, clock }: World, nose: Nose): Promise<string[]> {
  const { id } = await writer.creates(BY_JSON)
  assert.equal((await writer.patch(`/events/${id}/occurrences/20260721T190000`, { ...EDITED, version: 1 })).status, 200)
  const moved = { ...SHIFTED, version: 2 }
  assert.equal((await writer.patch(`/events/${id}/occurrences/20260728T190000`, moved)).status, 200)
  const once = await writer.creates(FORMERLY)
  for (const path of ['/public/events?view=month', '/public/calendar.ics', '/events', '/public/categories'])
    assert.ok(nose.find((await anonymous.get(path)).text).length > 0, 'it is public and kept as such')
  assert.equal((await writer.patch(`/events/${once.id}`, { visibility: 'private', version: 1 })).status, 200)
  const file = { 'content-type': 'text/calendar' }
  const taken = await admin.post('/admin/import', BY_IMPORT, file)
  assert.deepEqual([taken.body.data.created, taken.body.data.skipped], [2, 1], taken.text)
  clock.at += 1_000
  await writer.creates({ ...FORMERLY, title: 'Open day', category: 'Town', location: 'Hall' })
  const all = (await admin.get('/admin/export.ics')).text.replace(/\r\n /g, '')
  const notKept = ['prodid', 'calname', 'clinic', 'todo', 'todotitle'].map(w)
  const missing = nose.words.filter((word) => !all.includes(word) && !notKept.includes(word))
  assert.deepEqual(
    missing.filter((word) => !all.includes(base64(word))),
    [],
    'its keepers have every word',
  )
  return (await admin.get('/events?per_page=200')).body.data.map(({ id }: { id: string }) => id)
}

interface NamedReader {
  name: string
  client: Client
}

/** Anonymous, and every account that can authenticate but has no access. */
async function readersOf(world: World): Promise<NamedReader[]> {
  const { anonymous, addPerson, as, app } = world
  await addPerson('pending@example.org', 'admin', 'pending_approval')
  await addPerson('rejected@example.org', 'admin', 'rejected')
  await addPerson('suspended@example.org', 'admin', 'suspended')
  await addPerson('unverified@example.org', 'admin', 'approved', false)
  return [
    { name: 'anonymous', client: anonymous },
    { name: 'pending', client: as('pending@example.org') },
    { name: 'rejected', client: as('rejected@example.org') },
    { name: 'suspended', client: as('suspended@example.org') },
    { name: 'unverified', client: as('unverified@example.org') },
    { name: 'with a bad cookie', client: world.with({ cookie: `${cookieNameOf(app.ctx.secret)}=nobodys` }) },
    { name: 'with a wrong password', client: world.with({ authorization: basicOf('admin@example.org', 'wrong') }) },
  ]
}

/** No limit is reached, also where the machine is so busy that each read is charged the maximum. */
const PAUSE_MS = 20_000

/** Handlers do not depend on the engine: on PostgreSQL the short run reads a third of each kind of request. */
const someOf = <T>(engine: Engine, requests: readonly T[]): readonly T[] =>
  requests.filter((_, index) => engine === 'sqlite' || index % byRunLength(3, 1) === 0)

async function readEverything(world: World, ids: readonly string[], nose: Nose): Promise<void> {
  const readers = await readersOf(world)
  const paths = documentedPaths(world, ids)
  let answers = 0
  let successes = 0
  const read = async ({ name, client }: NamedReader, request: InjectOptions): Promise<void> => {
    world.clock.at += PAUSE_MS
    const url = String(request.url)
    const answer = await client.send(request)
    answers += 1
    if (answer.status === 200) successes += 1
    assert.notEqual(answer.status, 429, url)
    assert.ok(answer.status < 500, `${answer.status} ${url}`)
    assert.deepEqual(nose.find(textOf(answer, url)), [], `${request.method} ${url}, ${name}`)
  }
  const some = <T>(requests: readonly T[]) => someOf(world.engine, requests)
  for (const reader of readers)
    for (const url of paths) for (const method of some(['GET', 'HEAD'] as const)) await read(reader, { method, url })
  const [anonymous, pending] = readers as [NamedReader, NamedReader]
  const asked = questions(world, ids, nose)
  for (const url of some(asked)) await read(anonymous, { method: 'GET', url })
  for (const url of some(asked.slice(0, 200))) await read(pending, { method: 'GET', url })
  for (const url of pagesOf(world, ids)) await read(anonymous, { method: 'GET', url })
  // Straight to the server: a malformed address is refused before the checks on responses apply.
  for (const url of oddAddresses(world, ids)) {
    const { headers, body, statusCode } = await ask(world.app, { url })
    assert.ok(statusCode < 500, url)
    assert.deepEqual(nose.find(JSON.stringify(headers) + body), [], url)
  }
  for (const reader of [anonymous, pending]) for (const request of some(oddRequests(paths))) await read(reader, request)
  for (const reader of readers) for (const request of some(calDavRequests(ids))) await read(reader, request)
  const [all, good] = world.engine === 'sqlite' ? [2_000, 500] : [700, 200]
  assert.ok(answers > all && successes > good, `${answers} answers were read, ${successes} of them good`)
}

/** `Link` repeats the reader's own query; where that contained a word, it is ignored. */
const textOf = ({ text, headers: { link, ...headers } }: ApiResponse, url: string): string =>
  JSON.stringify(/zq/i.test(url) ? headers : { ...headers, link }) + text

/** Every readable address of the OpenAPI document, for each event and some of its occurrences. */
function documentedPaths({ app }: World, ids: readonly string[]): string[] {
  const { paths } = app.openApi() as { paths: Record<string, Record<string, object>> }
  return Object.entries(paths)
    .filter(([, methods]) => 'get' in methods)
    .flatMap(([path]) => (path.includes('{event_id}') ? ids.map((id) => path.replace('{event_id}', id)) : [path]))
    .flatMap((path) =>
      path.includes('{occurrence_key}') ? KEYS.map((key) => path.replace('{occurrence_key}', key)) : [path],
    )
    .map((path) => `${app.site.base}${path.replace(/\{\w+\}/g, ids[0]!)}`)
}

const PARAMETERS: Record<string, string[]> = {
  view: ['list', 'day', 'week', 'month', 'year', 'decade'],
  from: ['2026-07-01', '2026-07-14T19:00', '1900-01-01', 'yesterday'],
  to: ['2026-08-31', '2025-01-01', '%00'],
  timezone: ['Asia/Tokyo', 'Mars/Base'],
  expand: ['true', 'false', 'maybe'],
  page: ['1', '2', '0', '-1', '1e9'],
  per_page: ['1', '200', '201'],
  limit: ['1', '20', '21'],
  sort: ['title', 'updated_at', 'created_at'],
  fields: ['title', 'uid'],
  include: ['private'],
}

/** Every parameter on every list, valid and invalid; every word as a search term. */
function questions({ app }: World, ids: readonly string[], nose: Nose): string[] {
  const doors = [
    '/public/events',
    '/events',
    `/events/${ids[0]}/occurrences`,
    '/public/sidebar-events',
    '/public/calendar.ics',
  ]
  const asked = Object.entries(PARAMETERS).flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
  const sought = nose.words.flatMap((word) => [
    `/public/events?q=${word}`,
    `/public/events?view=year&q=${word.slice(0, -3)}`,
    `/events?view=month&category=${word}`,
    `/public/calendar.ics?category=${word}`,
  ])
  return [...doors.flatMap((door) => asked.map((query) => `${door}?${query}`)), ...sought].map(
    (path) => app.site.base + path,
  )
}

function oddAddresses({ app: { site } }: World, ids: readonly string[]): string[] {
  const [id = ''] = ids
  const names = [
    id.slice(1),
    `${id}0`,
    id.toUpperCase(),
    `${id}'`,
    `${id}%27`,
    `${id}%00`,
    `${id};x`,
    `${id}.json`,
    '*',
  ]
  const longer = ['null', '-1', '0', 'x'.repeat(300), '%F0%9F%98%80', '%ff', `${id},${ids[1]}`]
  const keys = ['20260722T100000', '2026-07-14', '20260714T180000Z', 'tomorrow', '%', '*', '20260230', `${KEYS[0]}%2F`]
  return [
    ...[...names, ...longer].flatMap((name) =>
      ['/events/', '/public/events/', '/feeds/', '/admin/users/'].map((door) => door + name),
    ),
    ...keys.map((key) => `/events/${id}/occurrences/${key}`),
    ...['/debug', '/events/search', '/metrics', '/public', '/public/events.json', '/export.ics', '/calendar.ics'],
  ].map((path) => site.base + path)
}

const pagesOf = ({ app: { site } }: World, ids: readonly string[]): string[] => [
  ...ids.flatMap((id) => ['', ...KEYS.map((key) => `/${key}`)].map((date) => `/events/${id}${date}`)),
  ...[
    '/',
    '/verify',
    '/reset-password',
    '/forgot-password',
    '/healthz',
    '/readyz',
    '/robots.txt',
    '/sitemap.xml',
    '/feed.xml',
  ],
  ...['/.well-known/caldav', '/favicon.ico', '/server-status', '/.env', '/data/daybook.db', site.base],
]

/** Every method on every address, with no body, with an empty one and with one that is not JSON. */
function oddRequests(paths: readonly string[]): InjectOptions[] {
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'REPORT', 'SEARCH', 'TRACE']
  const some = paths.filter((path, index) => index % 3 === 0 || !path.includes('/events/'))
  return some.flatMap((url) =>
    methods.flatMap((method): InjectOptions[] => {
      const request = { method: method as 'POST', url, headers: { 'if-match': '"x"' } }
      if (!['POST', 'PUT', 'PATCH'].includes(method)) return [request]
      return ['{}', '{"title":1,"version":1}', '{'].map((payload) => ({
        ...request,
        headers: { 'content-type': 'application/json' },
        payload,
      }))
    }),
  )
}

/** Every request of calendar clients, on every resource; none of these readers has access. */
function calDavRequests(ids: readonly string[]): InjectOptions[] {
  const main = '/caldav/calendars/main/'
  const declared = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
  const data = '<D:prop><D:getetag/><C:calendar-data/></D:prop>'
  const names = ids.map((id) => `${main}${id}.ics`)
  const reports = [
    `<C:calendar-query ${declared}>${data}<C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>`,
    `<C:calendar-multiget ${declared}>${data}${names.map((name) => `<D:href>${name}</D:href>`).join('')}</C:calendar-multiget>`,
    `<D:sync-collection ${declared}><D:sync-token/><D:sync-level>1</D:sync-level>${data}</D:sync-collection>`,
    `<C:free-busy-query ${declared}><C:time-range start="20260701T000000Z" end="20260901T000000Z"/></C:free-busy-query>`,
  ]
  const places = ['/caldav/', '/caldav/principals/', '/caldav/calendars/', main, ...names]
  const ask = (method: string, url: string, more: object = {}): InjectOptions => ({
    method: method as 'GET',
    url,
    headers: { depth: '1' },
    ...more,
  })
  return [
    ...places.flatMap((url) => ['PROPFIND', 'OPTIONS', 'GET', 'PUT', 'DELETE'].map((method) => ask(method, url))),
    ...[main, ...names].flatMap((url) => reports.map((payload) => ask('REPORT', url, { payload }))),
    ...names.map((url) => ask('MOVE', url, { headers: { destination: `${main}x.ics` } })),
  ]
}

async function searchDatabase({ app }: World, nose: Nose): Promise<string[]> {
  const db = app.ctx.storage.reads
  const found = new Set<string>()
  for (const { name } of await db.introspection.getTables())
    for (const row of await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute())
      for (const [column, value] of Object.entries(row))
        if (!HOMES.test(`${name}.${column}`))
          for (const word of nose.find(String(value))) found.add(`${word} in ${name}.${column}`)
  return [...found]
}

/** Mails and all other files in the folder, but not the database itself. */
const searchFiles = (folder: string, nose: Nose): string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile() && !/daybook\.db/.test(path))
    .flatMap((path) => nose.find(readFileSync(path, 'latin1')).map((word) => `${word} in ${path}`))
