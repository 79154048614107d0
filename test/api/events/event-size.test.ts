// The size of one event: at most 1.5 MiB of text by API, CalDAV or import; whatever is stored can be imported again.
import assert from 'node:assert/strict'
import test from 'node:test'
import { MAX_EVENT_OCTETS } from '../../../src/ical/text/text-size.ts'
import { MAIN } from '../../caldav/support/events.ts'
import { event, file } from '../../ical/files.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { type World, withWorld } from '../../support/world.ts'

const DAYS = Array.from({ length: 60 }, (_, i) => `20260${i < 30 ? 6 : 7}${`0${(i % 30) + 1}`.slice(-2)}T100000Z`)

/** Some 31,000 octets when it is folded. */
const DESCRIPTION = '\u6f22'.repeat(9_900)

/** A series from the first of the days with so many edited occurrences; `more` are lines of the series. */
const seriesOf = (uid: string, edits: number, ...more: string[]): string =>
  file(
    event(uid, `DTSTART:${DAYS[0]}`, 'RRULE:FREQ=DAILY', 'SUMMARY:Series', 'CLASS:PUBLIC', ...more),
    ...DAYS.slice(0, edits).map((day) =>
      event(uid, `RECURRENCE-ID:${day}`, `DTSTART:${day}`, 'SUMMARY:Edit', `DESCRIPTION:${DESCRIPTION}`),
    ),
  )

/** Lines of so many octets in all, line ends included. */
function fillOf(octets: number): string[] {
  const count = Math.ceil(octets / 100_000)
  return Array.from({ length: count }, (_, i) => {
    const length = i < count - 1 ? 100_000 : octets - 100_000 * (count - 1)
    return `X-FILL:${'x'.repeat(length - 'X-FILL:\r\n'.length)}`
  })
}

async function storedText({ app }: World, uid: string): Promise<string> {
  const query = app.ctx.storage.reads.selectFrom('events').select('ical').where('uid', '=', uid)
  return (await query.executeTakeFirstOrThrow()).ical
}

const storedOctets = async (world: World, uid: string): Promise<number> =>
  Buffer.byteLength(await storedText(world, uid))

async function takeIn({ admin }: World, text: string, query = ''): Promise<Json> {
  const { status, body } = await admin.post(`/admin/import${query}`, text, { 'content-type': 'text/calendar' })
  assert.equal(status, 200)
  return body.data
}

const eventOf = async ({ writer }: World): Promise<Json> => (await writer.get('/events?page=1&per_page=1')).body.data[0]

const codeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error?.code ?? 'done'}`

const REFUSED = '409 event_too_large'

test('an event has at most 1.5 MiB of text by API, CalDAV or import, and one of this size can be imported again', () =>
  withWorld('sqlite', async (world) => {
    const { writer, admin } = world
    const count = 45
    // The stored length is known only after storing; then the event is filled to the last octet.
    assert.equal((await takeIn(world, seriesOf('aa', count))).created, 1)
    const left = MAX_EVENT_OCTETS - (await storedOctets(world, 'aa'))
    assert.equal((await writer.delete(`/events/${(await eventOf(world)).id}`)).status, 204)
    const small = event('zz', `DTSTART:${DAYS[0]}`, 'SUMMARY:Small')
    const larger = seriesOf('bb', count, ...fillOf(left + 1)).replace(/END:VCALENDAR\r\n$/, `${small}END:VCALENDAR\r\n`)
    for (const query of ['?dry_run=true', '']) {
      const { created, skipped, events } = await takeIn(world, larger, query)
      assert.deepEqual([created, skipped], [1, 1])
      const [entry] = events.filter(({ result }: Json) => result === 'skipped')
      assert.deepEqual([entry.uid, entry.reason, entry.line], ['bb', 'too_large', 4])
    }
    assert.equal((await writer.delete(`/events/${(await eventOf(world)).id}`)).status, 204)
    assert.equal((await takeIn(world, seriesOf('cc', count, ...fillOf(left)))).created, 1)
    assert.equal(await storedOctets(world, 'cc'), MAX_EVENT_OCTETS)

    const { id, version } = await eventOf(world)
    const occurrence = `/events/${id}/occurrences/${DAYS[50]}`
    assert.equal(codeOf(await writer.patch(occurrence, { description: 'short', version })), REFUSED)
    assert.equal(codeOf(await writer.patch(`/events/${id}`, { description: 'short', version })), REFUSED)
    const exported = (await admin.get('/admin/export.ics')).text
    const before = await storedText(world, 'cc')
    assert.equal((await takeIn(world, exported)).unchanged, 1)
    assert.equal(codeOf(await writer.delete(`/events/${id}`)), '204 done')
    assert.equal((await takeIn(world, exported)).created, 1)
    assert.equal(await storedText(world, 'cc'), before)
  }))

test('an event can grow to 1.5 MiB over JSON and be imported again, even if its start does not match its rule', () =>
  withWorld('sqlite', async (world) => {
    const { writer, admin } = world
    // The export also writes the first occurrence of such a series as a copy of the whole event.
    const fill = fillOf(500_000)
    const text = seriesOf('grown', 0, ...fill).replace('FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=SU;COUNT=9')
    assert.equal((await davOf(writer).put(`${MAIN}grown.ics`, text)).status, 201)
    const { id } = await eventOf(world)
    const codes: string[] = []
    for (const day of ['20260607', '20260614', '20260621']) {
      const change = { title: 'Edited', version: codes.length + 1 }
      codes.push(codeOf(await writer.patch(`/events/${id}/occurrences/${day}T100000Z`, change)))
    }
    assert.deepEqual(codes, ['200 done', '200 done', REFUSED])
    const before = await storedText(world, 'grown')
    assert.ok(Buffer.byteLength(before) > 1_500_000)
    const exported = (await admin.get('/admin/export.ics')).text
    assert.ok(Buffer.byteLength(exported) > MAX_EVENT_OCTETS)
    assert.equal(codeOf(await writer.delete(`/events/${id}`)), '204 done')
    assert.equal((await takeIn(world, exported)).created, 1)
    assert.equal(await storedText(world, 'grown'), before)
  }))

test('a PUT of 1 MiB is stored, and one whose expanded periods exceed the size limit is refused', () =>
  withWorld('sqlite', async (world) => {
    const dav = davOf(world.writer)
    const whole = seriesOf('whole', 33).replaceAll('\r\n', '\n')
    const head = Buffer.byteLength(whole)
    const filled = whole.replace('CLASS:PUBLIC\n', `CLASS:PUBLIC\n${'X:\n'.repeat(Math.floor((1_048_576 - head) / 3))}`)
    assert.ok(Buffer.byteLength(filled) > 1_048_570)
    const kept = await dav.put(`${MAIN}whole.ics`, filled)
    assert.equal(kept.status, 201)
    assert.ok((await storedOctets(world, 'whole')) > 1_048_576)

    const periods = 'RDATE;VALUE=PERIOD:20260701T100000Z/PT3H,20260702T100000Z/PT4H'
    const large = seriesOf('large', 10, periods, ...fillOf(500_000))
    const { status, text } = await dav.put(`${MAIN}large.ics`, large)
    assert.equal(status, 403)
    assert.match(text, /1\.5 MiB/)
  }))

test('an oversized event of an older version can be read, made smaller and deleted, and cannot grow', () =>
  withWorld('sqlite', async (world) => {
    const { writer, app } = world
    const keep = (ical: string) => app.ctx.storage.writes.updateTable('events').set({ ical }).execute()
    assert.equal((await takeIn(world, seriesOf('old', 3))).created, 1)
    const large = seriesOf('old', 3, ...fillOf(2_000_000))
    await keep(large)
    const { id } = await eventOf(world)
    assert.equal((await davOf(writer).get(`${MAIN}${id}.ics`)).text.length, large.length)
    const at = (day: number): string => `/events/${id}/occurrences/${DAYS[day]}`
    let version = 1
    assert.equal(codeOf(await writer.patch(`/events/${id}`, { title: 'A longer title', version })), REFUSED)
    assert.equal(codeOf(await writer.patch(at(2), { description: `${DESCRIPTION}!`, version })), REFUSED)
    // The lines that each change writes do not count: the file had none of them.
    assert.equal(codeOf(await writer.patch(`/events/${id}`, { title: 'Name', version: version++ })), '200 done')
    assert.equal(codeOf(await writer.patch(`/events/${id}`, { title: 'Names', version })), REFUSED)
    assert.equal(codeOf(await writer.patch(at(2), { description: 'short', version: version++ })), '200 done')
    assert.equal(codeOf(await writer.delete(`/events/${id}`)), '204 done')

    // More lines than can be parsed are never written, whatever the event had before.
    assert.equal((await takeIn(world, seriesOf('old', 3))).created, 1)
    await keep(seriesOf('old', 0).replace('CLASS:PUBLIC\r\n', `CLASS:PUBLIC\r\n${'X:1\r\n'.repeat(260_000)}`))
    const other = await eventOf(world)
    const edit = await writer.patch(`/events/${other.id}/occurrences/${DAYS[3]}`, { title: 'Edited', version: 1 })
    assert.equal(codeOf(edit), REFUSED)
  }))
