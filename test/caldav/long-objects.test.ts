// Requests for the name, ETag or condition of a long event read none of its text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSteps } from '../../src/domain/steps.ts'
import { withZoneTexts } from '../../src/ical/zones/zone-texts.ts'
import { lines } from '../ical/objects.ts'
import { davOf } from '../support/http/dav.ts'
import { assertShortTurns } from '../support/measure/turns.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './support/events.ts'

const URL_OF_LONG = `${MAIN}long.ics`

const OCTETS = 8 * 1_024 * 1_024

/** Stored as by an older version, so that a read of the text is detected. */
async function storeLong({ writer, app }: World): Promise<{ id: string; etag: string }> {
  const { headers } = await davOf(writer).put(URL_OF_LONG, eventText('long', 'CLASS:PUBLIC'))
  const [{ id }] = (await writer.get('/events?page=1')).body.data
  const ical = eventText('long', 'CLASS:PUBLIC').replace('END:VEVENT', `${'X:\u6f22\r\n'.repeat(OCTETS / 7)}END:VEVENT`)
  const publicIcal = `BEGIN:VEVENT\r\n${'DESCRIPTION:\u6f22\r\n'.repeat(OCTETS / 17)}END:VEVENT\r\n`
  const { writes } = app.ctx.storage
  await writes.updateTable('events').set({ ical, sent_ical: ical, public_ical: publicIcal }).execute()
  return { id, etag: String(headers.etag) }
}

const NAMED = `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`
const ALL = `<propfind xmlns="DAV:"><allprop/></propfind>`

forEachEngine('names, ETags and conditions of a long event are read without its text', (engine) =>
  withWorld(engine, async (world) => {
    const { id, etag } = await storeLong(world)
    const { writer } = world
    const dav = davOf(writer)
    const wrong = { 'if-match': '"other"' }
    const light = eventText('long', 'CLASS:PUBLIC')
    const requests: Record<string, [() => Promise<{ status: number }>, number]> = {
      HEAD: [() => dav.send('HEAD', URL_OF_LONG), 200],
      'HEAD with another tag': [() => dav.send('HEAD', URL_OF_LONG, undefined, { 'if-none-match': '"other"' }), 200],
      'GET of the same': [() => dav.get(URL_OF_LONG, { 'if-none-match': etag }), 304],
      'PROPFIND of a tag': [() => dav.send('PROPFIND', URL_OF_LONG, NAMED, { depth: '0' }), 207],
      'PROPFIND of all': [() => dav.send('PROPFIND', URL_OF_LONG, ALL, { depth: '0' }), 207],
      'refused PUT': [() => dav.put(URL_OF_LONG, light, wrong), 412],
      'refused PUT of the same': [() => dav.put(URL_OF_LONG, light, { 'if-none-match': etag }), 412],
      'refused DELETE': [() => dav.send('DELETE', URL_OF_LONG, undefined, wrong), 412],
      'refused MOVE': [
        () => dav.send('MOVE', URL_OF_LONG, undefined, { ...wrong, destination: `${MAIN}other.ics` }),
        412,
      ],
      'PATCH of an older version': [() => writer.patch(`/events/${id}`, { title: 'Other', version: 99 }), 412],
      'DELETE of an older version': [() => writer.delete(`/events/${id}`, wrong), 412],
    }
    for (const [name, [send, status]] of Object.entries(requests)) {
      const { result } = await assertShortTurns(name, { ms: 40 }, send)
      assert.equal(result.status, status, name)
    }
    const head = await dav.send('HEAD', URL_OF_LONG)
    const { headers, text } = await dav.get(URL_OF_LONG)
    assert.equal(Number(head.headers['content-length']), Buffer.byteLength(text))
    for (const name of ['content-type', 'content-length', 'etag', 'last-modified'])
      assert.equal(head.headers[name], headers[name], name)
  }),
)

test('a text that we print defines each zone once, however its TZID is spelt', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const names = ['America/Santiago', 'america/santiago', 'AMERICA/SANTIAGO', 'America/SANTIAGO']
    const dates = names.map((name, i) => `EXDATE;TZID=${name}:2026071${5 + i}T050000`)
    await dav.put(`${MAIN}spelled.ics`, eventText('spelled', 'RRULE:FREQ=DAILY', ...dates))
    const [{ id }] = (await writer.get('/events?page=1')).body.data
    await writer.patch(`/events/${id}`, { title: 'Other', version: 1 })
    const { text } = await dav.get(`${MAIN}spelled.ics`)
    assert.deepEqual(text.match(/^TZID:.*$/gm), ['TZID:America/Santiago'])
    const zones = Intl.supportedValuesOf('timeZone').map((zone) => `EXDATE;TZID=${zone}:20270101T090000`)
    const all = runSteps(withZoneTexts(eventText('zones', 'DTSTART;TZID=Europe/London:20260714T090000', ...zones)))
    const defined = all.match(/^TZID:.*$/gm)!
    assert.ok(defined.length === 4 && defined.includes('TZID:Europe/London'), defined.join())
    const times = { start: '2026-07-14T09:00', end: '2026-07-14T10:00', timezone: 'Europe/Paris' }
    const made = await writer.creates({ title: 'x;TZID=Asia/Tokyo:1', description: ';TZID=Asia/Seoul:1', ...times })
    const own = (await dav.get(`${MAIN}${made.id}.ics`)).text
    assert.deepEqual(own.match(/^TZID:.*$/gm), ['TZID:Europe/Paris'], 'words are no names of zones')
  }))

test('sizes of long events that we print, requested many times at once, are counted in short turns', () =>
  withWorld('sqlite', async ({ admin, writer }) => {
    const zones = Array.from({ length: 14_000 }, (_, i) => `X;TZID=Odd${i}:20260101T000000`)
    const events = Array.from({ length: 3 }, (_, i) => eventText(`own-${i}`, ...zones))
    for (const text of events) await admin.post('/admin/import', text, { 'content-type': 'text/calendar' })
    const ask = () => davOf(writer).propfind(MAIN, '1', ['D:getcontentlength'])
    const { result } = await assertShortTurns('six requests', { ms: 80 }, () =>
      Promise.all(Array.from({ length: 6 }, ask)),
    )
    const statuses = result.map(({ status }) => status)
    assert.ok(statuses.includes(207) && statuses.every((status) => [207, 503].includes(status)), statuses.join())
  }))

test('changing one word of each of many edited occurrences blocks no other request', () =>
  withWorld('sqlite', async ({ writer }) => {
    const put = async (title: string, headers = {}): Promise<number> => {
      const edited = Array.from({ length: 400 }, (_, i) => {
        const day = new Date(Date.UTC(2026, 6, 14 + i)).toISOString().slice(0, 10).replaceAll('-', '')
        const words = Array.from({ length: 110 }, (_, k) => `w${i * 110 + k}`).join(' ')
        return lines(
          'END:VEVENT',
          'BEGIN:VEVENT',
          'UID:words',
          'DTSTAMP:20260701T000000Z',
          `RECURRENCE-ID:${day}T090000Z`,
          `DTSTART:${day}T090000Z`,
          `SUMMARY:${title}`,
          `DESCRIPTION:${words}`,
        ).trimEnd()
      })
      const text = eventText('words', 'RRULE:FREQ=DAILY;COUNT=500', 'CLASS:PUBLIC', ...edited)
      return (await davOf(writer).put(`${MAIN}words.ics`, text, headers)).status
    }
    assert.equal(await put('first'), 201)
    const { result } = await assertShortTurns('PUT', { ms: 100 }, (run) => put(`run${run}`, { 'if-match': '*' }))
    assert.equal(result, 204)
  }))
