// Long answers in little memory: texts are taken from the database some megabytes at a time, and not where none is asked for.
import assert from 'node:assert/strict'
import { directReaders } from '../../src/storage/dialect.ts'
import { DECLARED, davOf } from '../support/dav.ts'
import { forEachEngine } from '../support/engines.ts'
import { type World, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './events.ts'

const MIB = 1_048_576
/** At one go, and one object more. */
const MOST = 6 * MIB
const COUNT = 60

/** Sixty events whose text, as sent and as put right, is 900 KiB each. */
async function fillWithLong({ writer, app }: World): Promise<void> {
  const dav = davOf(writer)
  for (let i = 0; i < COUNT; i++)
    assert.equal((await dav.put(`${MAIN}${i}.ics`, eventText(`${i}@example.org`))).status, 201)
  const long = eventText('long@example.org', ...Array.from({ length: 900 }, () => `X-LONG:${'x'.repeat(1_015)}`))
  await app.ctx.storage.writes.updateTable('events').set({ ical: long, sent_ical: long }).execute()
}

/** What each reading of the database brought, in characters. */
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

forEachEngine('sixty long events are answered in pieces, whoever asks', (engine) =>
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

forEachEngine('the length of a text is told as it is, whether it was sent or is ours', (engine) =>
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
