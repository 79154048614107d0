// Cached reports and object elements: the same bytes as uncached ones after any change, on every node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectHead } from '../../src/actions/caldav-objects/objects.ts'
import { createFragmentCache } from '../../src/caldav/object-fragments.ts'
import { createReportCache } from '../../src/caldav/report-cache.ts'
import { text } from '../../src/caldav/xml/write.ts'
import { DECLARED, davOf } from '../support/http/dav.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type Client, type World, withTwoNodes, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './support/events.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 1_118)

/** Mulberry32: the same choices for the same seed. */
function createChooser(seed: number): <T>(items: readonly T[]) => T {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return (items) => items[Math.floor(next() * items.length)]!
}

const NAMES = ['a', 'b', 'c', 'd'].map((name) => `${name}.ics`)
const JULY = 'start="20260701T000000Z" end="20260801T000000Z"'
const FILTER = `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range ${JULY}/></C:comp-filter></C:comp-filter></C:filter>`
const ALL = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>'
const WORDS =
  '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:prop-filter name="SUMMARY"><C:text-match>1</C:text-match></C:prop-filter></C:comp-filter></C:comp-filter></C:filter>'
const hrefsOf = (names: readonly string[]): string => names.map((name) => `<D:href>${MAIN}${name}</D:href>`).join('')
const HREFS = hrefsOf(NAMES)
const FIELDS = [
  '<D:getetag/>',
  '<D:getetag/><C:calendar-data/>',
  '<D:getetag/><D:getcontentlength/>',
  '<D:getlastmodified/><C:calendar-data><C:comp name="VCALENDAR"><C:comp name="VEVENT"><C:prop name="UID"/></C:comp></C:comp></C:calendar-data>',
  `<D:getetag/><C:calendar-data><C:expand ${JULY}/></C:calendar-data>`,
]

const report = (name: string, fields: string, rest: string): string =>
  `<${name} ${DECLARED}><D:prop>${fields}</D:prop>${rest}</${name}>`
const sync = (token: string) => (fields: string) =>
  `<D:sync-collection ${DECLARED}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop>${fields}</D:prop></D:sync-collection>`

const questions = (token: string): ((fields: string) => string)[] => [
  (fields) => report('C:calendar-query', fields, FILTER),
  (fields) => report('C:calendar-query', fields, ALL),
  (fields) => report('C:calendar-query', fields, WORDS),
  (fields) => report('C:calendar-multiget', fields, HREFS),
  sync(''),
  sync(token),
]

async function ask(client: Client, body: string, minimal: boolean): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/xml', depth: '1', ...(minimal ? { prefer: 'return=minimal' } : {}) }
  return client.send({ method: 'REPORT' as 'GET', url: MAIN, payload: body, headers })
}

/** With a property of the account, which no cache serves; the property is removed from the response again. */
async function askUncached(client: Client, make: (fields: string) => string, fields: string, minimal: boolean) {
  const { status, text } = await ask(client, make(`${fields}<D:owner/>`), minimal)
  return { status, text: text.replaceAll(/<D:owner>.*?<\/D:owner>|<D:owner\/>/g, '') }
}

forEachEngine(
  `cached responses equal uncached ones after every change, on two nodes (DAYBOOK_SEED=${SEED})`,
  (engine) =>
    withTwoNodes(engine, async (one, two) => {
      const choose = createChooser(SEED)
      const tokens = ['']
      for (let step = 0; step < 60; step++) {
        await changeAnything(choose([one, two]), choose, step)
        const node = choose([one, two])
        const client = choose([node.reader, node.writer, node.admin])
        for (let i = 0; i < 3; i++) {
          const [make, fields, minimal] = [choose(questions(choose(tokens))), choose(FIELDS), choose([true, false])]
          const first = await ask(client, make(fields), minimal)
          const again = await ask(client, make(fields), minimal)
          const expected = await askUncached(client, make, fields, minimal)
          assert.deepEqual(
            [first, again].map(({ status, text }) => ({ status, text })),
            [expected, expected],
            make(fields),
          )
          const token = /<D:sync-token>([^<]+)/.exec(first.text)?.[1]
          if (token) tokens.push(token)
        }
      }
    }),
)

/** The second is made of elements and versions that the first has left. */
const MULTIGETS = [NAMES, NAMES.slice(0, 2), NAMES.slice(1), NAMES.slice(0, 1)].map(
  (names) => (fields: string) => report('C:calendar-multiget', fields, hrefsOf(names)),
)

forEachEngine(
  'a multiget of objects that are known equals an uncached one after every change, on two nodes',
  (engine) =>
    withTwoNodes(engine, async (one, two) => {
      const choose = createChooser(SEED)
      for (let step = 0; step < 30; step++) {
        await changeAnything(choose([one, two]), choose, step)
        for (const { reader } of [one, two])
          for (const make of MULTIGETS) {
            const { status, text } = await ask(reader, make(FIELDS[1]!), false)
            assert.deepEqual({ status, text }, await askUncached(reader, make, FIELDS[1]!, false), `step ${step}`)
          }
      }
    }),
)

async function changeAnything(world: World, choose: ReturnType<typeof createChooser>, step: number): Promise<void> {
  const dav = davOf(choose([world.writer, world.admin]))
  const name = choose(NAMES)
  const day = 10 + (step % 18)
  const times = choose([
    [`DTSTART:202607${day}T090000`, `DTEND:202607${day}T100000`],
    [`DTSTART;VALUE=DATE:202607${day}`, `DTEND;VALUE=DATE:202607${day + 1}`],
    [`DTSTART:202607${day}T223000Z`, `DTEND:202607${day}T233000Z`, 'RRULE:FREQ=DAILY;COUNT=3'],
  ])
  const put = () => dav.put(`${MAIN}${name}`, eventText(name, ...times, `SUMMARY:Step ${step} €`), { 'if-match': '*' })
  const create = () => dav.put(`${MAIN}${name}`, eventText(name, ...times, `SUMMARY:Step ${step}`))
  const changeByJson = async (): Promise<void> => {
    const [event] = (await world.admin.get('/events?expand=false')).body.data
    if (event) await world.admin.patch(`/events/${event.id}`, { title: `Title ${step}`, version: event.version })
  }
  await choose([
    put,
    create,
    create,
    changeByJson,
    () => dav.send('DELETE', `${MAIN}${name}`),
    () => dav.send('MOVE', `${MAIN}${name}`, undefined, { destination: `${MAIN}${choose(NAMES)}`, overwrite: 'F' }),
    () => davOf(world.reader).proppatch(MAIN, { 'C:calendar-timezone-id': choose(['Asia/Tokyo', 'Europe/London']) }),
  ])()
}

forEachEngine('a client that received a cached response may overwrite what it has seen, and only that', (engine) =>
  withWorld(engine, async ({ admin, writer, as, addPerson }) => {
    await addPerson('other@example.org', 'writer')
    const other = as('other@example.org')
    assert.equal((await davOf(admin).put(`${MAIN}a.ics`, eventText('a.ics'))).status, 201)
    const overwrite = (client: Client) => davOf(client).put(`${MAIN}a.ics`, eventText('a.ics', 'SUMMARY:Overwritten'))
    for (const body of [sync('')('<D:getetag/>'), report('C:calendar-multiget', FIELDS[1]!, HREFS)]) {
      assert.equal((await davOf(admin).put(`${MAIN}a.ics`, eventText('a.ics'), { 'if-match': '*' })).status, 204)
      assert.equal((await ask(admin, body, false)).status, 207)
      assert.equal((await overwrite(other)).status, 412, 'it has not asked')
      assert.equal((await ask(writer, body, false)).status, 207)
      assert.equal((await overwrite(writer)).status, 204)
    }
  }),
)

forEachEngine('accounts with different time zones do not share the responses that depend on them', (engine) =>
  withWorld(engine, async ({ writer, reader }) => {
    const times = ['DTSTART:20260801T020000', 'DTEND:20260801T030000']
    assert.equal((await davOf(writer).put(`${MAIN}a.ics`, eventText('a.ics', ...times))).status, 201)
    await davOf(reader).proppatch(MAIN, { 'C:calendar-timezone-id': 'Asia/Tokyo' })
    const body = report('C:calendar-query', '<D:getetag/>', FILTER)
    const isFound = async (client: Client): Promise<boolean> => (await ask(client, body, false)).text.includes('a.ics')
    assert.deepEqual([await isFound(writer), await isFound(reader)], [false, true])
    await davOf(reader).proppatch(MAIN, {}, ['C:calendar-timezone-id'])
    assert.equal(await isFound(reader), false)
  }),
)

test('caches hold one revision, one history and a bounded number of bytes', () => {
  const reports = createReportCache({ maxBytes: 8_400_000, maxAnswerBytes: 3_000_000 })
  const body = Buffer.alloc(1_000_000)
  const served = { objects: [] }
  reports.keep(1, 'a', { body, served })
  assert.ok(reports.find(1, 'a'))
  assert.equal(reports.find(2, 'a'), undefined)
  assert.equal(reports.find(1, 'a'), undefined, 'an older revision does not come back')
  reports.keep(1, 'a', { body, served })
  for (let i = 0; i < 20; i++) reports.keep(2, `${i}`, { body, served })
  assert.equal(Array.from({ length: 20 }, (_, i) => reports.find(2, `${i}`)).filter(Boolean).length, 8)
  reports.keep(2, 'long', { body: Buffer.alloc(4_000_000), served })
  assert.equal(reports.find(2, 'long'), undefined)
  const collectors = [1, 2, 3].map(() => reports.startCollecting())
  assert.deepEqual(collectors.map(Boolean), [true, true, false])
  collectors[0]!.end()
  assert.ok(reports.startCollecting())

  const fragments = createFragmentCache(10_000)
  const head = (name: string, revision = 1) => ({ name, revision }) as ObjectHead
  const before = fragments.open(0, 'etag')
  before.keep(head('a'), text('one'))
  assert.equal(before.find(head('a')), 'one')
  assert.equal(before.find(head('a', 2)), undefined)
  assert.equal(fragments.open(0, 'data').find(head('a')), undefined)
  for (let i = 0; i < 100; i++) before.keep(head(`${i}`), text('x'.repeat(1_000)))
  assert.ok(before.find(head('99')) && !before.find(head('80')))
  const after = fragments.open(1, 'etag')
  assert.equal(after.find(head('99')), undefined)
  before.keep(head('b'), text('old'))
  assert.equal(after.find(head('b')), undefined, 'nothing of another history is kept')
})
