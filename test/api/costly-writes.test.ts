// Costly writes: an event at its limits is written in parts that yield, and its cost counts against its author.
import assert from 'node:assert/strict'
import test from 'node:test'
import { DAY_MS } from '../../src/domain/time/instant.ts'
import { formatBasicLocal } from '../../src/domain/time/text.ts'
import { lines } from '../ical/objects.ts'
import { davOf } from '../support/dav.ts'
import { measureTurns } from '../support/effort.ts'
import { forEachEngine } from '../support/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const FIRST = Date.parse('2026-01-01T09:00:00Z')
const at = (day: number): string => `;TZID=Europe/Berlin:${formatBasicLocal(FIRST + day * DAY_MS)}`
const days = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const HEAD = ['UID:worst', 'DTSTAMP:20260101T000000Z', 'DURATION:PT1H', 'CLASS:PRIVATE']

const seriesText = (title: string, more: readonly string[], edits: readonly string[][] = []): string =>
  lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...[[`DTSTART${at(0)}`, 'RRULE:FREQ=DAILY', `SUMMARY:${title}`, ...more], ...edits].flatMap((event) => [
      'BEGIN:VEVENT',
      ...HEAD,
      ...event,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  )

const withEdits = (title: string, count: number): string =>
  seriesText(
    title,
    [],
    days(count).map((day) => [`RECURRENCE-ID${at(day)}`, `DTSTART${at(day)}`, `SUMMARY:${title} ${day}`]),
  )

const withExclusions = (title: string, count: number): string =>
  seriesText(
    title,
    days(count).map((day) => `EXDATE${at(day)}`),
  )

/** A share that the longest turn of each has in the whole; the least of two, as a collection of garbage lengthens one. */
function createShares() {
  const shares: Record<string, number> = {}
  const measure = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    const { total, longest } = await measureTurns(act)
    shares[name] = Math.min(shares[name] ?? 1, longest / total)
  }
  const assertBelow = (most: number): void => {
    for (const [name, share] of Object.entries(shares)) assert.ok(share < most, `${name}: ${share.toFixed(2)}`)
  }
  return { measure, assertBelow }
}

forEachEngine('F46: a write of an event at its limits leaves turns to others', (engine) =>
  withWorld(engine, async (world) => {
    const dav = davOf(world.writer)
    const url = '/caldav/calendars/main/worst.ics'
    const put = async (text: string) => assert.equal((await dav.put(url, text, { 'if-match': '*' })).status, 204)
    assert.equal((await dav.put(url, withEdits('none', 0))).status, 201)
    const patch = async (title: string) => {
      const { body } = await world.writer.get('/events?page=1')
      const [{ id, version }] = body.data
      assert.equal((await world.writer.patch(`/events/${id}`, { title, version })).status, 200)
    }
    const { measure, assertBelow } = createShares()
    for (const title of ['one', 'two']) {
      await measure('put, edited', () => put(withEdits(title, 1_000)))
      await measure('patch, edited', () => patch(`${title} times`))
      await measure('put, excluded', () => put(withExclusions(title, 5_000)))
      await measure('patch, excluded', () => patch(`${title} times`))
    }
    assertBelow(0.5)
  }),
)

forEachEngine('F46: an import of events at their limits leaves turns to others', (engine) =>
  withWorld(engine, async ({ admin }) => {
    const { measure, assertBelow } = createShares()
    const send = async (text: string, query: string, result: string): Promise<void> => {
      const { body } = await admin.post(`/admin/import${query}`, text, { 'content-type': 'text/calendar' })
      assert.equal(body.data[result], 1, JSON.stringify(body))
    }
    assert.equal(
      (await admin.post('/admin/import', withEdits('none', 0), { 'content-type': 'text/calendar' })).status,
      200,
    )
    for (const title of ['one', 'two']) {
      await measure('dry run, edited', () => send(withEdits(title, 1_000), '?dry_run=true', 'updated'))
      await measure('dry run, excluded', () => send(withExclusions(title, 5_000), '?dry_run=true', 'updated'))
      await measure('edited', () => send(withEdits(title, 1_000), '', 'updated'))
      await measure('excluded', () => send(withExclusions(title, 5_000), '', 'updated'))
    }
    assertBelow(0.5)
  }),
)

/** Uses up all but some of the requests that the writer has in a minute. */
async function leaveRequests({ writer }: World, left: number): Promise<void> {
  for (let i = 0; i < 600 - left; i++) assert.equal((await writer.get('/events?page=1&per_page=1')).status, 200)
}

test('costly writes count by their time, and are refused where a light write would not be', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { writer, reader, clock } = world
      const dav = davOf(writer)
      const put = (name: string, text: string, headers = {}) =>
        dav.put(`/caldav/calendars/main/${name}.ics`, text, headers)
      const known = { 'if-match': '*' }
      assert.equal((await put('light', withEdits('light', 1).replaceAll('UID:worst', 'UID:light'))).status, 201)
      await leaveRequests(world, 3)
      assert.equal((await put('light', withEdits('again', 1).replaceAll('UID:worst', 'UID:light'), known)).status, 204)
      assert.equal((await put('worst', withEdits('worst', 1_000))).status, 201)
      const refused = await put('worst', withEdits('again', 2_000), known)
      assert.equal(refused.status, 429)
      assert.match(String(refused.headers['ratelimit-policy']), /^"api-user"/)
      assert.equal((await writer.post('/events', {})).status, 429)
      assert.equal((await reader.get('/events?page=1')).status, 200)
      clock.at += 120_000
      assert.equal((await put('worst', withEdits('later', 100), known)).status, 204)
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ))

forEachEngine('of a costly write and one that comes between its parts, the later one is refused', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const dav = davOf(writer)
    const url = '/caldav/calendars/main/worst.ics'
    const { headers } = await dav.put(url, withEdits('first', 200))
    const etag = String(headers.etag)
    const answers = await Promise.all([
      dav.put(url, withEdits('one', 200), { 'if-match': etag }),
      dav.put(url, withEdits('two', 1), { 'if-match': etag }),
      dav.put(url, withEdits('three', 200), { 'if-match': etag }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 412, 412])
    const { body } = await writer.get('/events?page=1')
    const [{ id, version }] = body.data
    const changes = await Promise.all(['a', 'b', 'c'].map((title) => writer.patch(`/events/${id}`, { title, version })))
    assert.deepEqual(changes.map(({ status }) => status).sort(), [200, 412, 412])
  }),
)
