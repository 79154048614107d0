// Requests on events at their limits run in short turns of the event loop, whichever limit is reached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getEvent } from '../../../src/actions/events/events.ts'
import { ANONYMOUS } from '../../../src/domain/privacy/viewer.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { EXTREME_EVENTS, type ExtremeEvent, printExtreme } from '../../support/extreme-events.ts'
import type { Json } from '../../support/http/api-response.ts'
import { DECLARED, davOf } from '../../support/http/dav.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { assertShortTurns, measureTurns } from '../../support/measure/turns.ts'
import type { Engine } from '../../support/storage/engines.ts'
import { ask, basicOf, type World, withWorld } from '../../support/world.ts'

/** CPU time in milliseconds; most are below 20. */
const LONGEST_TURN_MS = 60

const chosen = Object.entries(EXTREME_EVENTS).slice(0, byRunLength(1, Number.POSITIVE_INFINITY))
const VISIBILITIES = byRunLength(['PRIVATE'], ['PRIVATE', 'PUBLIC'])

for (const engine of byRunLength<Engine[]>(['sqlite'], ['sqlite', 'postgres']))
  test(`no request on an event at its limits takes a long turn (${engine})`, () =>
    withWorld(engine, async (world) => {
      for (const [name, make] of chosen)
        for (const visibility of VISIBILITIES) await visitAll(`${name}, ${visibility}`, make(), visibility, world)
    }))

type Send = (method: string, url: string, body?: string, headers?: Record<string, string>) => Promise<TimedResponse>

interface TimedResponse {
  status: number
  headers: Record<string, unknown>
  text(): string
}

const API = '/api-root/calendar/v1'
const XML = { 'content-type': 'application/xml', depth: '1' }
const CALENDAR = { 'content-type': 'text/calendar; charset=utf-8' }
const JSON_BODY = { 'content-type': 'application/json' }
const SIZES = '<propfind xmlns="DAV:"><prop><getetag/><getcontentlength/></prop></propfind>'
const YEAR = 'start="20260101T000000Z" end="20270101T000000Z"'

async function visitAll(name: string, event: ExtremeEvent, visibility: string, world: World): Promise<void> {
  const [writer, admin, visitor] = [senderOf(world, 'writer'), senderOf(world, 'admin'), senderOf(world)]
  const print = (uid: string, title: string): string =>
    printExtreme(uid, event, [`SUMMARY:${title}`, `CLASS:${visibility}`])
  const url = `${MAIN}extreme.ics`
  let version = { 'if-none-match': '*' } as Record<string, string>
  const visit = async (what: string, send: (run: number) => Promise<TimedResponse>): Promise<TimedResponse> => {
    const { result } = await assertShortTurns(`${name}: ${what}`, { ms: LONGEST_TURN_MS }, send)
    assert.ok(result.status < 400, `${name}: ${what} answered ${result.status} ${result.text().slice(0, 500)}`)
    return result
  }
  const put = async (run: number): Promise<TimedResponse> => {
    const answer = await writer('PUT', url, print('extreme', `Extreme ${run}`), { ...CALENDAR, ...version })
    if (answer.status < 300) version = { 'if-match': String((await writer('HEAD', url)).headers.etag) }
    return answer
  }
  const visitObject = async (when: string): Promise<void> => {
    for (const [what, body] of Object.entries(reportsOn(url)))
      await visit(`${what} ${when}`, () => writer('REPORT', MAIN, body, XML))
    await visit(`GET ${when}`, () => writer('GET', url))
    await visit(`PROPFIND ${when}`, () => writer('PROPFIND', MAIN, SIZES, XML))
  }
  await visit('PUT', put)
  await visit('PUT of a change', put)
  await visitObject('as it was sent')

  const listed = JSON.parse((await writer('GET', `${API}/events?page=1&q=extreme`)).text()) as Json
  const { id } = listed.data[0]
  const gets: [string, Send, (run: number) => string][] = [
    ['event', writer, () => `/events/${id}`],
    ['public event', visitor, () => `/public/events/${id}`],
    ['public event as a file', visitor, () => `/public/events/${id}/event.ics`],
    ['public feed', visitor, () => '/public/calendar.ics'],
    ['sidebar', visitor, () => '/public/sidebar-events'],
    ['categories', visitor, () => '/public/categories'],
    ['export', admin, () => '/admin/export.ics'],
    ['occurrences', writer, () => `/events/${id}/occurrences?from=2026-07-01&to=2026-12-31`],
  ]
  for (const [who, send, path] of [
    ['list', writer, '/events'],
    ['public list', visitor, '/public/events'],
  ] as const)
    gets.push(
      [`${who} of a month`, send, (run) => `${path}?from=2026-07-0${run + 1}&to=2026-08-01&page=1`],
      [`${who} of a year`, send, (run) => `${path}?from=2026-01-0${run + 1}&to=2026-12-31&page=1`],
      [`${who} of a month far ahead`, send, (run) => `${path}?from=2050-01-0${run + 1}&to=2050-02-01&page=1`],
      [`search in the ${who}`, send, (run) => `${path}?from=2026-01-0${run + 1}&to=2026-12-31&page=1&q=ext`],
    )
  for (const [what, send, pathOf] of gets) await visit(what, (run) => send('GET', API + pathOf(run)))

  const patch = async (change: object): Promise<TimedResponse> => {
    const { meta } = JSON.parse((await writer('GET', `${API}/events/${id}`)).text()) as Json
    return writer('PATCH', `${API}/events/${id}`, JSON.stringify({ ...change, version: meta.version }), JSON_BODY)
  }
  await visit('PATCH of its title', (run) => patch({ title: `Extreme title ${run}` }))
  await visit('PATCH of its time', (run) => {
    const [from, to] = [10 + run, 11 + run].map((hour) => `2026-07-14T${hour}:00:00+01:00`)
    return patch({ start: from, end: to })
  })
  // From here on the service prints its text.
  await visitObject('after a change')
  await visit('import', (run) => admin('POST', `${API}/admin/import`, print(`imported-${run}`, 'Imported'), CALENDAR))
  const left = JSON.parse((await admin('GET', `${API}/events?page=1&from=2026-07-01&to=2026-08-01`)).text()) as Json
  const ids = new Set<string>(left.data.map((one: Json) => one.event_id ?? one.id))
  for (const one of ids) {
    const { headers } = await writer('GET', `${API}/events/${one}`)
    const { longestMs } = await measureTurns(() =>
      writer('DELETE', `${API}/events/${one}`, undefined, { 'if-match': String(headers.etag) }),
    )
    assert.ok(longestMs < 2 * LONGEST_TURN_MS, `${name}: DELETE took ${longestMs.toFixed()} ms`)
  }
}

/** Bodies of reports on the collection. */
function reportsOn(url: string): Record<string, string> {
  const multiget = (data: string): string =>
    `<C:calendar-multiget ${DECLARED}><D:prop>${data}</D:prop><D:href>${url}</D:href></C:calendar-multiget>`
  const query = (filter: string, data = '<D:getetag/>'): string =>
    `<C:calendar-query ${DECLARED}><D:prop>${data}</D:prop><C:filter><C:comp-filter name="VCALENDAR">
      <C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
  const folded = '<C:text-match collation="i;unicode-casemap">zzz</C:text-match>'
  const expand = `<C:calendar-data><C:expand ${YEAR}/></C:calendar-data>`
  const parts = `<C:comp name="VEVENT"><C:prop name="UID"/><C:prop name="X"/><C:prop name="DESCRIPTION" novalue="yes"/></C:comp>`
  return {
    'calendar data': multiget('<C:calendar-data/>'),
    instances: multiget(expand),
    'edits in a range': multiget(`<C:calendar-data><C:limit-recurrence-set ${YEAR}/></C:calendar-data>`),
    'parts of it': multiget(`<C:calendar-data><C:comp name="VCALENDAR">${parts}</C:comp></C:calendar-data>`),
    'query by time': query(`<C:time-range ${YEAR}/>`, expand),
    'query by a time far ahead': query('<C:time-range start="21000101T000000Z" end="21000201T000000Z"/>'),
    'query by words': query(`<C:prop-filter name="DESCRIPTION">${folded}</C:prop-filter>`),
    'query by a parameter': query(
      `<C:prop-filter name="X-LONG">${folded}<C:param-filter name="P">${folded}</C:param-filter></C:prop-filter>`,
    ),
    'query by an alarm': query(
      '<C:comp-filter name="VALARM"><C:time-range start="20300101T000000Z" end="20300101T000001Z"/></C:comp-filter>',
    ),
    'free and busy': `<C:free-busy-query ${DECLARED}><C:time-range ${YEAR}/></C:free-busy-query>`,
    sync: `<D:sync-collection ${DECLARED}><D:sync-token/><D:sync-level>1</D:sync-level>
        <D:prop><D:getetag/><C:calendar-data/></D:prop></D:sync-collection>`,
  }
}

/** Responses are not parsed: work of the test would count as work of the service. */
function senderOf({ app }: World, role?: 'writer' | 'admin'): Send {
  const credentials = role ? { authorization: basicOf(`${role}@example.org`) } : {}
  return async (method, url, body, headers = {}) => {
    const {
      statusCode,
      headers: given,
      rawPayload,
    } = await ask(app, {
      method: method as 'GET',
      url,
      headers: { ...credentials, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: statusCode, headers: given, text: () => rawPayload.toString('utf8') }
  }
}

test('one occurrence of a private series with many positions and extra dates is read in short turns', () =>
  withWorld('sqlite', async ({ app, writer, anonymous }) => {
    const positions = Array.from({ length: 137 }, (_, i) => (i < 99 ? i + 1 : 98 - i)).join()
    const dates = Array.from({ length: 9_900 }, (_, i) =>
      new Date(Date.UTC(1900, 0, 1, 10) + Math.floor(i * 10.9) * 86_400_000).toISOString().replace(/[-:]|\.\d+Z/g, ''),
    )
    const text = eventText(
      'positions',
      'CLASS:PRIVATE',
      'DTSTART:19000101T100000Z',
      'DTEND:19000101T110000Z',
      `RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4;BYSETPOS=${positions}`,
      ...dates.map((date) => `RDATE:${date}Z`),
    )
    assert.equal((await davOf(writer).put(`${MAIN}positions.ics`, text)).status, 201)
    const [{ id }] = (await writer.get('/events?page=1')).body.data
    const { result } = await assertShortTurns('one occurrence', { ms: 60 }, () =>
      anonymous.get(`/events/${id}/occurrences/${dates[5_000]}`),
    )
    assert.equal(result.status, 200, result.text)
    let chargedMs = 0
    const charge = (ms: number): void => {
      chargedMs += ms
    }
    await getEvent(app.ctx, ANONYMOUS, id, { key: 'network', charge })
    assert.ok(chargedMs > 0, 'the time of the whole series is charged')
  }))

test('five years of hostile series are paged in short turns', () =>
  withWorld('sqlite', async ({ writer, anonymous }) => {
    const extra = Array.from({ length: 9_900 }, (_, i) => new Date(Date.UTC(2026, 6, 1, 4 * i, 30)).toISOString())
    const lists = extra.map((at) => `RDATE:${at.replace(/[-:]|\.\d+/g, '')}`)
    const positions = Array.from({ length: 137 }, (_, i) => (i < 99 ? i + 1 : 98 - i)).join()
    const days = 'BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4'
    const series: Record<string, [total: number, ...lines: string[]]> = {
      'extra dates': [9_901, ...lists],
      positions: [17_205, `RRULE:FREQ=MONTHLY;${days};BYSETPOS=${positions}`, ...lists],
      seconds: [1_000, 'RRULE:FREQ=SECONDLY'],
      'rare seconds': [61, 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=0;BYMINUTE=0'],
    }
    for (const [name, [total, ...lines]] of Object.entries(series)) {
      const times = ['DTSTART:20260701T000000Z', 'DTEND:20260701T010000Z']
      const text = eventText(name, 'CLASS:PRIVATE', ...times, ...lines)
      assert.equal((await davOf(writer).put(`${MAIN}${encodeURIComponent(name)}.ics`, text)).status, 201, name)
      const { id } = (await writer.get('/events?page=1&per_page=200')).body.data.find(({ uid }: Json) => uid === name)
      for (const client of [writer, anonymous])
        for (const page of [1, Math.ceil(total / 200)]) {
          const path = `/events/${id}/occurrences?from=2026-07-01&to=2031-06-30&per_page=200&page=${page}`
          const limit = { ms: LONGEST_TURN_MS }
          const { result } = await assertShortTurns(`${name}, page ${page}`, limit, () => client.get(path))
          assert.equal(result.body.meta?.pagination.total, total, result.text)
          assert.ok(result.body.data.length > 0)
        }
    }
  }))

test('a request with thousands of excluded dates is checked in short turns', () =>
  withWorld('sqlite', async ({ writer }) => {
    const positions = Array.from({ length: 120 }, (_, i) => i + 1).join()
    const fields = { title: 'Rota', start: '1900-01-01T10:00', end: '1900-01-01T11:00' }
    const { id } = await writer.creates(fields)
    const exdates = Array.from({ length: 9_900 }, (_, i) =>
      new Date(Date.UTC(1900, 0, 1, 10) + Math.floor(i * 10.9) * 86_400_000).toISOString().slice(0, 19),
    )
    const rrule = `FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4;BYSETPOS=${positions}`
    const { result } = await assertShortTurns('PUT', { share: 0.5 }, () =>
      writer.put(`/events/${id}`, { ...fields, rrule, exdates, version: 99 }),
    )
    assert.equal(result.status, 412, result.text)
  }))
