// Memory of long responses: texts are read one megabyte at a time in short turns, and only where requested.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { withPermit } from '../../src/actions/costly-work/semaphore.ts'
import { directReaders } from '../../src/storage/dialect.ts'
import { DECLARED, davOf } from '../support/http/dav.ts'
import { listen } from '../support/http/socket.ts'
import { assertShortTurns } from '../support/measure/turns.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { copySeries } from '../support/storage/many-events.ts'
import { basicOf, type World, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './support/events.ts'

const MIB = 1_048_576
/** One object, as sent and as normalised. */
const MOST = 2 * MIB
const COUNT = 20

/** Events whose text, as sent and as normalised, is 900 KiB each. */
async function fillWithLong({ writer, app }: World): Promise<void> {
  const dav = davOf(writer)
  for (let i = 0; i < COUNT; i++)
    assert.equal((await dav.put(`${MAIN}${i}.ics`, eventText(`${i}@example.org`))).status, 201)
  const long = eventText('long@example.org', ...Array.from({ length: 900 }, () => `X-LONG:${'x'.repeat(1_015)}`))
  await app.ctx.storage.writes.updateTable('events').set({ ical: long, sent_ical: long }).execute()
}

/** The characters that each database read returned. */
function watchReads({ app }: World): { texts: number[] } {
  const { reads } = app.ctx.storage
  const read = directReaders.get(reads)!
  const seen: { texts: number[] } = { texts: [] }
  directReaders.set(reads, async (text, parameters) => {
    const rows = await read(text, parameters)
    const letters = rows.flatMap((row) => Object.values(row as object)).filter((value) => typeof value === 'string')
    seen.texts.push(letters.reduce((sum, value) => sum + value.length, 0))
    return rows
  })
  return seen
}

const DATA = '<D:prop><D:getetag/><C:calendar-data/></D:prop>'
const TAG = '<D:prop><D:getetag/></D:prop>'
const filter = (inside: string): string =>
  `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${inside}</C:comp-filter></C:comp-filter></C:filter>`
const JULY = filter('<C:time-range start="20260701T000000Z" end="20260801T000000Z"/>')
const query = (prop: string, inside: string): string =>
  `<C:calendar-query ${DECLARED}>${prop}${inside}</C:calendar-query>`
const multiget = (prop: string): string => {
  const hrefs = Array.from({ length: COUNT }, (_, i) => `<D:href>${MAIN}${i}.ics</D:href>`)
  return `<C:calendar-multiget ${DECLARED}>${prop}${hrefs.join('')}</C:calendar-multiget>`
}
const sync = (inside: string): string =>
  `<D:sync-collection ${DECLARED}><D:sync-token/><D:sync-level>1</D:sync-level>${inside}</D:sync-collection>`
const propfind = (inside: string): string => `<D:propfind ${DECLARED}>${inside}</D:propfind>`

forEachEngine('many long events are sent in pieces to every client', (engine) =>
  withWorld(engine, async (world) => {
    await fillWithLong(world)
    const seen = watchReads(world)
    const ask = async (method: string, payload: string) => {
      seen.texts = []
      const headers = { 'content-type': 'application/xml', depth: '1' }
      const { status, text } = await world.writer.send({ method: method as 'GET', url: MAIN, payload, headers })
      assert.equal(status, 207)
      return { objects: text.split('.ics</D:href>').length - 1, length: text.length }
    }
    const searched = '<C:prop-filter name="X-LONG"/>'
    for (const body of [query(DATA, JULY), query(TAG, filter(searched)), multiget(DATA)]) {
      const { objects, length } = await ask('REPORT', body)
      assert.equal(objects, COUNT, body)
      assert.equal(length > COUNT * 900_000, body.includes(DATA))
      assert.ok(Math.max(...seen.texts) <= MOST, `${Math.max(...seen.texts)} at once for ${body}`)
      assert.ok(seen.texts.reduce((sum, one) => sum + one) > 2 * COUNT * 900_000, 'all of it was read')
    }
    const ofHeads: [string, string][] = [
      ['REPORT', query(TAG, JULY)],
      ['REPORT', query(TAG, filter(''))],
      ['REPORT', multiget(TAG)],
      ['REPORT', sync(TAG)],
      ['REPORT', sync(`<D:limit><D:nresults>100</D:nresults></D:limit>${DATA}`)],
      ['PROPFIND', propfind('<D:allprop/>')],
      ['PROPFIND', propfind('<D:propname/>')],
      ['PROPFIND', propfind('<D:prop><D:getcontentlength/></D:prop>')],
    ]
    for (const [method, body] of ofHeads) {
      assert.equal((await ask(method, body)).objects, COUNT, body)
      assert.ok(seen.texts.reduce((sum, one) => sum + one) < MIB, `texts were read for ${body}`)
    }
  }),
)

/** Eight events that we print, each of ten thousand lines. */
async function fillWithManyLines({ writer, app }: World): Promise<void> {
  const dav = davOf(writer)
  for (let i = 0; i < 8; i++) await dav.put(`${MAIN}${i}.ics`, eventText(`${i}@example.org`))
  const lines = Array.from({ length: 10_000 }, () => `X-LONG:${'x'.repeat(60)}`)
  const ical = eventText('long@example.org', 'RRULE:FREQ=DAILY;COUNT=100', ...lines)
  await app.ctx.storage.writes.updateTable('events').set({ ical, sent_ical: null }).execute()
}

forEachEngine('F45: long events are read, searched and listed in short turns, with permits', (engine) =>
  withWorld(engine, async (world) => {
    await fillWithManyLines(world)
    const { ctx } = world.app
    const ask = (method: string, payload: string) => {
      const headers = { 'content-type': 'application/xml', depth: '1' }
      return world.writer.send({ method: method as 'GET', url: MAIN, payload, headers })
    }
    const search = query(TAG, filter('<C:prop-filter name="X-LONG"><C:text-match>y</C:text-match></C:prop-filter>'))
    const sizes = propfind('<D:prop><D:getcontentlength/></D:prop>')
    const long: [string, string][] = [
      ['REPORT', search],
      ['PROPFIND', sizes],
      ['REPORT', sync('<D:prop><D:getcontentlength/></D:prop>')],
    ]
    for (const [method, body] of long) {
      // Another body each time: the response to the first is cached.
      const { result } = await assertShortTurns(body, { share: 0.2 }, (run) => ask(method, `${body}<!-- ${run} -->`))
      assert.equal(result.status, 207)
    }
    // All permits are taken and the queue of accounts is full.
    const callers = ['a', 'b', ...Array.from({ length: 16 }, (_, i) => (i % 2 ? 'c' : 'd'))]
    const others = Promise.withResolvers<void>()
    const busy = callers.map((key) => withPermit(ctx, { key, isAccount: true, charge: () => {} }, () => others.promise))
    for (const [method, body] of [...long, ['REPORT', query(DATA, filter(''))] as const]) {
      // Another body: the response to the first is cached.
      const { status, text } = await ask(method, `${body}<!-- -->`)
      assert.equal(status, 503, body)
      assert.ok(text.includes('service_unavailable'))
    }
    assert.equal((await ask('PROPFIND', propfind(TAG))).status, 207, 'nothing is read for it')
    others.resolve()
    await Promise.all(busy)
    assert.equal((await ask('PROPFIND', sizes)).status, 207)
  }),
)

forEachEngine('thousands of changes are listed in short turns, each once', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ title: 'One', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    await copySeries(world, id, 5_000, 8_000)
    const headers = { 'content-type': 'application/xml' }
    const ask = (limit: number, run = 0) => {
      const payload = `${sync(`<D:limit><D:nresults>${limit}</D:nresults></D:limit>${TAG}`)}<!-- ${run} -->`
      return world.writer.send({ method: 'REPORT' as 'GET', url: MAIN, payload, headers })
    }
    const hrefsIn = (text: string): string[] => text.match(/<D:href>[^<]*\/main\/[^<]+<\/D:href>/g) ?? []
    assert.equal((await ask(500)).status, 207)
    const { result } = await assertShortTurns('a list of changes', { share: 0.4 }, (run) => ask(9_000, run))
    const listed = hrefsIn(result.text)
    assert.equal(listed.length, 5_001)
    assert.equal(new Set(listed).size, 5_001)
    for (const limit of [499, 500, 501, 1_002, 5_000, 5_001]) {
      const { text } = await ask(limit)
      assert.deepEqual(hrefsIn(text), listed.slice(0, limit), `${limit}`)
      assert.equal(text.includes('507 Insufficient Storage'), limit < 5_001, `${limit}`)
    }
  }),
)

forEachEngine('the reported length of a text is its real length, whether it was sent or printed by us', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const dav = davOf(writer)
    await dav.put(`${MAIN}sent.ics`, eventText('sent@example.org', 'SUMMARY:Prüfung'))
    for (const title of ['Übung', 'Concert'])
      await writer.creates({ title, start: '2026-07-14T09:00', end: '2026-07-14T10:00', timezone: 'Europe/Berlin' })
    const { found } = await dav.propfind(MAIN, '1', ['D:getcontentlength'], { prefer: 'depth-noroot' })
    assert.equal(found.length, 3)
    for (const { href, props } of found) {
      const { bytes } = await writer.send({ method: 'GET', url: href })
      assert.equal(props['D:getcontentlength']!.text, String(bytes.length), href)
    }
  }),
)

const EXPAND =
  '<D:prop><C:calendar-data><C:expand start="20260714T000000Z" end="20990101T000000Z"/></C:calendar-data></D:prop>'
const report = async ({ writer }: World, payload: string): Promise<string> => {
  const headers = { 'content-type': 'application/xml', depth: '1' }
  const { status, text } = await writer.send({ method: 'REPORT' as 'GET', url: MAIN, payload, headers })
  assert.equal(status, 207)
  return text
}
const ofNames = (names: readonly string[], prop: string): string =>
  `<C:calendar-multiget ${DECLARED}>${prop}${names.map((name) => `<D:href>${MAIN}${name}</D:href>`).join('')}</C:calendar-multiget>`

test('a response has at most 64 MiB of instances, and one object 8 MiB', () =>
  withWorld('sqlite', async (world) => {
    const dav = davOf(world.writer)
    const long = Array.from({ length: 100 }, () => `X-LONG:${'x'.repeat(1_000)}`)
    const put = (name: string, ...more: string[]) => dav.put(`${MAIN}${name}.ics`, eventText(name, ...more))
    await put('heavy', 'RRULE:FREQ=DAILY;COUNT=90', ...long)
    for (let i = 0; i < 10; i++) await put(`long${i}`, 'RRULE:FREQ=DAILY;COUNT=75', ...long)
    await put('short', 'RRULE:FREQ=DAILY;COUNT=75')
    // A condition that no index answers: matches are collected before they are sent.
    const text = await report(world, query(EXPAND, filter('<C:prop-filter name="SUMMARY"/>')))
    assert.ok(text.length < 65 * MIB, `${text.length} characters`)
    const answers = text.split('<D:response>').slice(1)
    const given = answers.map((one) => {
      const [, name] = /<D:href>.*?([a-z]+)\d*\.ics/.exec(one)!
      return `${name} ${one.split('BEGIN:VEVENT').length - 1} ${/<D:status>.*<D:error>.*<\/D:error>/.exec(one)?.[0]}`
    })
    const refused = (status: string, name: string) =>
      `0 <D:status>HTTP/1.1 ${status}</D:status><D:error><${name}/></D:error>`
    const most = refused('507 Insufficient Storage', 'D:number-of-matches-within-limits')
    assert.deepEqual(given.sort(), [
      `heavy ${refused('403 Forbidden', 'C:max-instances')}`,
      ...[`long ${most}`, `long ${most}`],
      ...Array.from({ length: 8 }, () => 'long 75 undefined'),
      'short 75 undefined',
    ])
  }))

test('other requests are served while the instances of one object are written', () =>
  withWorld('sqlite', async (world) => {
    const dav = davOf(world.writer)
    const attendees = Array.from({ length: 100 }, (_, i) => `ATTENDEE;CN="a,b;c${i}":mailto:a${i}@example.org`)
    await dav.put(`${MAIN}many.ics`, eventText('many', 'RRULE:FREQ=DAILY;COUNT=990', ...attendees))
    // Another body each time: the response to the first is cached.
    const ask = (run: number): Promise<string> => report(world, `${query(EXPAND, filter(''))}<!-- ${run} -->`)
    await ask(-1)
    const { result } = await assertShortTurns('instances', { share: 0.5 }, ask)
    assert.equal(result.split('BEGIN:VEVENT').length - 1, 990)
  }))

test('an object requested in many spellings of its address is read and sent once', () =>
  withWorld('sqlite', async (world) => {
    await davOf(world.writer).put(`${MAIN}abcdef.ics`, eventText('abcdef'))
    const spelling = (bits: number, letters: string): string =>
      letters.replace(/./g, (letter, at) => (bits & (1 << at) ? `%${letter.charCodeAt(0).toString(16)}` : letter))
    const spellings = (letters: string) => Array.from({ length: 64 }, (_, bits) => `${spelling(bits, letters)}.ics`)
    const text = await report(world, ofNames([...spellings('abcdef'), ...spellings('absent')], DATA))
    assert.equal(text.split('BEGIN:VEVENT').length - 1, 1)
    assert.equal(text.split('<D:response>').length - 1, 65, 'what is not there is named as it was asked')
  }))

test('a response that is not read keeps one of its objects in memory', () =>
  withWorld('sqlite', async ({ app, writer }) => {
    // The sign makes V8 use two bytes a character; each ampersand becomes five.
    const lines = ['SUMMARY:€', ...Array.from({ length: 13_000 }, () => `X-LONG:${'&'.repeat(68)}`)]
    for (const name of ['a', 'b', 'c', 'd'])
      assert.equal((await davOf(writer).put(`${MAIN}${name}.ics`, eventText(name, ...lines))).status, 201)
    const port = await listen(app)
    const body = query(DATA, filter(''))
    const head = `authorization: ${basicOf('writer@example.org')}\r\ncontent-type: application/xml\r\ndepth: 1\r\n`
    const before = bytesInUse()
    const sockets: Socket[] = []
    for (let i = 0; i < 4; i++) {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      const text = `${body}<!-- ${i} -->`
      socket.write(`REPORT ${MAIN} HTTP/1.1\r\nhost: localhost\r\n${head}content-length: ${text.length}\r\n\r\n${text}`)
      const [chunk] = await once(socket, 'data')
      assert.match(String(chunk), /^HTTP\/1\.1 207 /)
      socket.pause()
    }
    const isLittle = (): boolean => bytesInUse() - before < 4 * 30 * MIB
    await waitFor('only what is being sent is in memory', isLittle, { deadlineMs: 60_000 })
    for (const socket of sockets) socket.destroy()
  }))

function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
