// CalDAV access: approved accounts see everything, all others nothing.
import assert from 'node:assert/strict'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../support/world.ts'

const CALENDAR = '/caldav/calendars/main/'
const OBJECT = `${CALENDAR}secret.ics`
const XML = { 'content-type': 'application/xml' }
const DAV = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
const DATA = '<D:prop><D:getetag/><C:calendar-data/></D:prop>'
const EVENTS = '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"/></C:comp-filter></C:filter>'

const TEXT = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//Client//EN',
  'BEGIN:VEVENT',
  'UID:secret@example.org',
  'DTSTAMP:20260701T000000Z',
  'DTSTART:20260714T190000Z',
  'DTEND:20260714T210000Z',
  'CLASS:PRIVATE',
  'SUMMARY:Biopsy',
  'ATTENDEE:mailto:biopsy@example.org',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')

type Request = [method: string, url: string, headers: Record<string, string>, payload?: string]

const READS: Request[] = [
  ['PROPFIND', '/', { depth: '1' }],
  ['PROPFIND', '/caldav/', { depth: '1' }],
  ['PROPFIND', CALENDAR, { depth: '1' }],
  ['PROPFIND', OBJECT, { depth: '0' }],
  ['GET', OBJECT, {}],
  ['HEAD', OBJECT, {}],
  ['REPORT', CALENDAR, { ...XML, depth: '1' }, `<C:calendar-query ${DAV}>${DATA}${EVENTS}</C:calendar-query>`],
  [
    'REPORT',
    CALENDAR,
    { ...XML, depth: '1' },
    `<C:calendar-multiget ${DAV}>${DATA}<D:href>${OBJECT}</D:href></C:calendar-multiget>`,
  ],
  [
    'REPORT',
    CALENDAR,
    { ...XML, depth: '0' },
    `<D:sync-collection ${DAV}><D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`,
  ],
  [
    'REPORT',
    CALENDAR,
    { ...XML, depth: '1' },
    `<C:free-busy-query ${DAV}><C:time-range start="20260701T000000Z" end="20260801T000000Z"/></C:free-busy-query>`,
  ],
]

const WRITES: Request[] = [
  ['PUT', OBJECT, { 'content-type': 'text/calendar', 'if-match': '*' }, TEXT.replace('Biopsy', 'Changed')],
  ['PUT', `${CALENDAR}new.ics`, { 'content-type': 'text/calendar' }, TEXT.replace('secret@', 'new@')],
  ['DELETE', OBJECT, {}],
  ['DELETE', `${CALENDAR}none.ics`, {}],
  ['MOVE', OBJECT, { destination: `${CALENDAR}moved.ics` }],
]

const send = (client: Client, [method, url, headers, payload]: Request): Promise<ApiResponse> =>
  client.send({ method: method as 'GET', url, headers, ...(payload === undefined ? {} : { payload }) })

const WORDS = /biopsy|secret\.ics|secret@|FREEBUSY/i

const contentOf = ({ text, headers }: ApiResponse): string => text + JSON.stringify(headers)

async function putPrivateEvent({ writer }: World): Promise<void> {
  const answer = await send(writer, ['PUT', OBJECT, { 'content-type': 'text/calendar', 'if-none-match': '*' }, TEXT])
  assert.equal(answer.status, 201, answer.text)
}

forEachEngine(
  'P36: pending, rejected and unverified accounts are refused by every method, and learn nothing',
  (engine) =>
    withWorld(engine, async (world) => {
      await putPrivateEvent(world)
      await world.addPerson('pending@example.org', 'writer', 'pending_approval')
      await world.addPerson('declined@example.org', 'writer', 'rejected')
      await world.addPerson('unproven@example.org', 'writer', 'approved', false)
      const people = ['pending', 'declined', 'unproven'].map((name) => world.as(`${name}@example.org`))
      for (const request of [...READS, ...WRITES]) {
        for (const person of people) {
          const answer = await send(person, request)
          assert.equal(answer.status, 403, request.join(' '))
          assert.doesNotMatch(contentOf(answer), WORDS)
          assert.equal(answer.headers['www-authenticate'], undefined, 'another password would not help')
        }
        for (const stranger of [
          world.anonymous,
          world.as('nobody@example.org'),
          world.as('writer@example.org', 'wrong one'),
        ]) {
          const answer = await send(stranger, request)
          assert.equal(answer.status, 401, request.join(' '))
          assert.match(String(answer.headers['www-authenticate']), /^Basic realm=/)
          assert.doesNotMatch(contentOf(answer), WORDS)
        }
      }
      assert.match((await send(world.writer, ['GET', OBJECT, {}])).text, /Biopsy/, 'and nothing of it has happened')
    }),
)

forEachEngine('P37: readers see everything and write nothing, and their privileges say so', (engine) =>
  withWorld(engine, async (world) => {
    await putPrivateEvent(world)
    for (const request of READS) {
      const answer = await send(world.reader, request)
      assert.ok([200, 207].includes(answer.status), `${request.join(' ')} ${answer.status}`)
    }
    assert.match((await send(world.reader, ['GET', OBJECT, {}])).text, /Biopsy/)
    const before = (await send(world.reader, ['GET', OBJECT, {}])).headers.etag
    for (const request of WRITES) {
      const answer = await send(world.reader, request)
      assert.equal(answer.status, 403, `${request.join(' ')} ${answer.status}`)
      assert.match(answer.text, /<D:need-privileges>/)
    }
    assert.equal((await send(world.reader, ['GET', OBJECT, {}])).headers.etag, before)
    const asked = `<D:propfind ${DAV}><D:prop><D:current-user-privilege-set/></D:prop></D:propfind>`
    const privileges = async (client: Client) =>
      (await send(client, ['PROPFIND', CALENDAR, { ...XML, depth: '0' }, asked])).text
    assert.doesNotMatch(await privileges(world.reader), /<D:write|<D:bind/)
    assert.match(await privileges(world.writer), /<D:write\/>/)
  }),
)

forEachEngine(
  'P23: a private event stays private, whatever a client leaves out, and no public response shows it',
  (engine) =>
    withWorld(engine, async (world) => {
      await putPrivateEvent(world)
      const headers = { 'content-type': 'text/calendar', 'if-match': '*' }
      const { status } = await send(world.writer, ['PUT', OBJECT, headers, TEXT.replace('CLASS:PRIVATE\r\n', '')])
      assert.equal(status, 204)
      for (const path of [
        '/public/events?from=2026-07-01&to=2026-08-01',
        '/public/calendar.ics',
        '/public/sidebar-events',
      ]) {
        const answer = await world.anonymous.get(path)
        assert.match(answer.text, /Private Event/)
        assert.doesNotMatch(contentOf(answer), WORDS)
      }
    }),
)
