// What programs store that Daybook itself would never write: it comes back as it came, and is in every mouth what it says.
import assert from 'node:assert/strict'
import { reindex } from '../../src/actions/keep-index.ts'
import { DECLARED, davOf } from '../support/dav.ts'
import { forEachEngine } from '../support/engines.ts'
import { type Client, type Json, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './events.ts'

const JULY = { from: '20260701T000000Z', to: '20260801T000000Z' }

const listed = async (client: Client, path = '/events'): Promise<[string, string, string][]> => {
  const { body } = await client.get(`${path}?from=2026-07-01&to=2026-07-31&timezone=UTC`)
  return body.data.map(({ title, start, end }: Json) => [title, start.slice(0, 16), end.slice(11, 16)])
}

const busy = async (client: Client): Promise<string[]> => {
  const range = `<C:time-range start="${JULY.from}" end="${JULY.to}"/>`
  const { text } = await davOf(client).report(MAIN, `<C:free-busy-query ${DECLARED}>${range}</C:free-busy-query>`)
  return [...text.matchAll(/\r\nFREEBUSY[^:]*:([^\r]*)/g)].map(([, period]) => period!)
}

const queried = async (client: Client, from: string, to: string, data = ''): Promise<string[]> => {
  const range = `<C:time-range start="${from}" end="${to}"/>`
  const filter = `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${range}</C:comp-filter></C:comp-filter></C:filter>`
  const wanted = `<D:prop><D:getetag/>${data}</D:prop>`
  const query = `<C:calendar-query ${DECLARED}>${wanted}${filter}</C:calendar-query>`
  const { status, text, found } = await davOf(client).report(MAIN, query, { depth: '1' })
  assert.equal(status, 207, text)
  return found.map(({ href, props }) => (data ? props['C:calendar-data']!.text : href))
}

const soleEvent = async (client: Client): Promise<Json> => (await client.get('/events')).body.data[0]

forEachEngine('extra dates that are periods take place from when to when they say', (engine) =>
  withWorld(engine, async ({ writer, anonymous, app }) => {
    const dav = davOf(writer)
    const path = `${MAIN}periods.ics`
    const text = eventText(
      'periods',
      'RRULE:FREQ=DAILY;COUNT=2',
      'RDATE;VALUE=PERIOD:20260720T090000Z/PT1H,20260721T090000Z/20260721T113000Z',
      'RDATE;VALUE=PERIOD;TZID=Europe/London:20260722T100000/PT2H',
      'CLASS:PUBLIC',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT5M',
      'DESCRIPTION:Soon',
      'END:VALARM',
    )
    const put = await dav.put(path, text)
    assert.equal(put.status, 201, put.text)
    assert.equal((await dav.get(path)).text, text)
    const expected = [
      ['Meeting', '2026-07-14T09:00', '10:00'],
      ['Meeting', '2026-07-15T09:00', '10:00'],
      ['Meeting', '2026-07-20T09:00', '10:00'],
      ['Meeting', '2026-07-21T09:00', '11:30'],
      ['Meeting', '2026-07-22T09:00', '11:00'],
    ]
    assert.deepEqual(await listed(writer), expected)
    assert.deepEqual(await listed(anonymous, '/public/events'), expected)
    assert.deepEqual(await busy(writer), [
      '20260714T090000Z/PT1H',
      '20260715T090000Z/PT1H',
      '20260720T090000Z/PT1H',
      '20260721T090000Z/PT2H30M',
      '20260722T090000Z/PT2H',
    ])
    assert.deepEqual(await queried(writer, '20260721T110000Z', '20260721T120000Z'), [path])
    assert.deepEqual(await queried(writer, '20260720T110000Z', '20260720T120000Z'), [])

    const { id, version } = await soleEvent(writer)
    const patched = await writer.patch(`/events/${id}`, { title: 'Council', version })
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual(
      await listed(writer),
      expected.map(([, ...times]) => ['Council', ...times]),
    )
    const printed = (await dav.get(path)).text
    assert.equal(printed.match(/BEGIN:VALARM/g)?.length, 3, 'a longer occurrence has its alarm too')
    assert.equal((await reindex(app.ctx)).changed, 0)
    assert.equal((await dav.put(path, printed, { 'if-match': '*' })).status, 204)
    assert.equal((await listed(writer)).length, 5)
  }),
)
