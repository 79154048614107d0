// Upcoming events: those not over, soonest first, correct at every minute and in nights when the clocks change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPermit } from '../../../src/actions/costly-work/semaphore.ts'
import type { Json } from '../../support/http/api-response.ts'
import { SHORT_WORD } from '../../support/privacy/planted-words.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, withWorld } from '../../support/world.ts'

const open = (title: string, start: string, end: string, more: object = {}) => ({
  title,
  start,
  end,
  visibility: 'public',
  ...more,
})

const titles = async (client: Client, query = ''): Promise<string[]> => {
  const answer = await client.get(`/public/sidebar-events${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map((item: Json) => item.title)
}

forEachEngine('an entry has few fields, and a private one fewer', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const choir = await writer.creates(
      open('Choir', '2026-07-14T19:00', '2026-07-14T20:00', { rrule: 'FREQ=WEEKLY;COUNT=2', location: 'Hall' }),
    )
    const walk = await writer.creates(open('Walk', '2026-07-15', '2026-07-16', { all_day: true }))
    const hidden = await writer.creates({
      ...open('zqtitle', '2026-07-16T09:00', '2026-07-16T10:00'),
      location: 'zqlocation',
      visibility: 'private',
      rrule: 'FREQ=DAILY;COUNT=1',
    })
    const answer = await anonymous.get('/public/sidebar-events')
    assert.deepEqual(answer.body, {
      data: [
        {
          id: choir.id,
          title: 'Choir',
          start: '2026-07-14T19:00:00+01:00',
          end: '2026-07-14T20:00:00+01:00',
          all_day: false,
          visibility: 'public',
          occurrence_key: '20260714T190000',
          location: 'Hall',
        },
        {
          id: walk.id,
          title: 'Walk',
          start: '2026-07-15T00:00:00+01:00',
          end: '2026-07-16T00:00:00+01:00',
          all_day: true,
          start_date: '2026-07-15',
          end_date: '2026-07-16',
          visibility: 'public',
          occurrence_key: null,
          location: null,
        },
        {
          id: hidden.id,
          title: 'Private Event',
          start: '2026-07-16T09:00:00+01:00',
          end: '2026-07-16T10:00:00+01:00',
          all_day: false,
          visibility: 'private',
        },
        {
          id: choir.id,
          title: 'Choir',
          start: '2026-07-21T19:00:00+01:00',
          end: '2026-07-21T20:00:00+01:00',
          all_day: false,
          visibility: 'public',
          occurrence_key: '20260721T190000',
          location: 'Hall',
        },
      ],
      meta: { timezone: 'Europe/London' },
    })
    assert.ok(!SHORT_WORD.test(answer.text))
  }),
)

forEachEngine('an event disappears the second it ends, and no cached response shows it', (engine) =>
  withWorld(engine, async ({ writer, anonymous, clock }) => {
    await writer.creates(open('over', '2026-07-10T11:00', '2026-07-10T13:00'))
    await writer.creates(open('running', '2026-07-10T12:30', '2026-07-10T14:00'))
    await writer.creates(open('long', '2026-07-01T09:00', '2026-07-20T17:00'))
    await writer.creates(open('today', '2026-07-10', '2026-07-11', { all_day: true }))
    await writer.creates(open('tomorrow', '2026-07-11T09:00', '2026-07-11T10:00'))
    await writer.creates(open('no length', '2026-07-10T15:00', '2026-07-10T15:00'))
    const at = (text: string): void => {
      clock.at = Date.parse(text)
    }
    at('2026-07-10T12:59:59+01:00')
    const all = ['long', 'today', 'over', 'running', 'no length', 'tomorrow']
    assert.deepEqual(await titles(anonymous, '?limit=20'), all)
    assert.deepEqual(await titles(anonymous, '?limit=20'), all, 'from memory')
    at('2026-07-10T13:00:00+01:00')
    assert.deepEqual(await titles(anonymous, '?limit=20'), ['long', 'today', 'running', 'no length', 'tomorrow'])
    at('2026-07-10T15:00:00+01:00')
    assert.deepEqual(await titles(anonymous, '?limit=20'), ['long', 'today', 'no length', 'tomorrow'])
    at('2026-07-10T15:00:01+01:00')
    assert.deepEqual(await titles(anonymous, '?limit=20'), ['long', 'today', 'tomorrow'])
    at('2026-07-10T23:59:59+01:00')
    assert.deepEqual(await titles(anonymous), ['long', 'today', 'tomorrow'])
    at('2026-07-11T00:00:00+01:00')
    assert.deepEqual(await titles(anonymous), ['long', 'tomorrow'], 'a day ends with its day')
    assert.deepEqual(await titles(anonymous, '?timezone=America/New_York'), ['long', 'today', 'tomorrow'])
  }),
)

forEachEngine('the requested number of events, however far ahead they are, and none that was cancelled', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    for (let i = 0; i < 60; i++)
      await writer.creates(open(`off ${i}`, '2026-07-11T09:00', '2026-07-11T10:00', { status: 'cancelled' }))
    await writer.creates(open('soon', '2026-07-12T09:00', '2026-07-12T10:00'))
    await writer.creates(open('next year', '2027-06-01T09:00', '2027-06-01T10:00'))
    await writer.creates(open('yearly', '2020-12-24T18:00', '2020-12-24T19:00', { rrule: 'FREQ=YEARLY' }))
    await writer.creates(open('in four years', '2030-06-01T09:00', '2030-06-01T10:00'))
    assert.deepEqual(await titles(anonymous, '?limit=1'), ['soon'])
    assert.deepEqual(await titles(anonymous), ['soon', 'yearly', 'next year', 'yearly', 'yearly'])
    const everything = ['soon', 'yearly', 'next year', 'yearly', 'yearly', 'yearly', 'in four years', 'yearly']
    assert.deepEqual(await titles(anonymous, '?limit=20'), everything)
    for (const [query, code] of [
      ['?limit=0', 'validation_failed'],
      ['?limit=21', 'validation_failed'],
      ['?limit=five', 'invalid_parameter'],
      ['?limit=5&limit=6', 'duplicate_parameter'],
      ['?timezone=Nowhere/Land', 'validation_failed'],
    ])
      assert.equal((await anonymous.get(`/public/sidebar-events${query}`)).body.error.code, code)
  }),
)

forEachEngine('when the clocks change no event appears early, late or twice', (engine) =>
  withWorld(engine, async ({ writer, anonymous, clock }) => {
    const nightly = { rrule: 'FREQ=DAILY;COUNT=3' }
    await writer.creates(open('spring', '2026-03-28T01:30', '2026-03-28T02:30', nightly))
    await writer.creates(open('autumn', '2026-10-24T01:30', '2026-10-24T02:30', nightly))
    const next = async (now: string) => {
      clock.at = Date.parse(now)
      const [item] = (await anonymous.get('/public/sidebar-events?limit=1')).body.data
      return `${item.title} ${item.start} ${item.occurrence_key}`
    }
    assert.equal(await next('2026-03-28T02:30:00Z'), 'spring 2026-03-29T02:30:00+01:00 20260329T013000')
    assert.equal(await next('2026-03-29T02:29:59Z'), 'spring 2026-03-29T02:30:00+01:00 20260329T013000')
    assert.equal(await next('2026-03-29T02:30:00Z'), 'spring 2026-03-30T01:30:00+01:00 20260330T013000')
    assert.equal(await next('2026-10-24T02:00:00Z'), 'autumn 2026-10-25T01:30:00+01:00 20261025T013000')
    assert.equal(await next('2026-10-25T01:29:59Z'), 'autumn 2026-10-25T01:30:00+01:00 20261025T013000')
    assert.equal(await next('2026-10-25T01:30:00Z'), 'autumn 2026-10-26T01:30:00+00:00 20261026T013000')
  }),
)

forEachEngine('the month around today changes at midnight without a write', (engine) =>
  withWorld(engine, async ({ anonymous, clock }) => {
    const month = async () => (await anonymous.get('/public/events?view=month')).body.meta.range.from
    clock.at = Date.parse('2026-10-31T23:59:59Z')
    assert.equal(await month(), '2026-10-01T00:00:00+01:00')
    assert.equal(await month(), '2026-10-01T00:00:00+01:00')
    clock.at += 1_000
    assert.equal(await month(), '2026-11-01T00:00:00+00:00')
  }),
)

forEachEngine('however many cancelled occurrences come first, a bounded number is scanned', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const hourly = `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join(',')}`
    for (const title of ['one', 'two', 'three', 'four'])
      await writer.creates(
        open(title, '2026-07-10T00:00', '2026-07-10T00:30', { rrule: hourly, status: 'cancelled', timezone: 'UTC' }),
      )
    await writer.creates(open('Choir', '2026-07-12T19:00', '2026-07-12T20:00'))
    const cpuMs = async (read: () => Promise<unknown>): Promise<number> => {
      const { user, system } = process.cpuUsage()
      await read()
      const used = process.cpuUsage({ user, system })
      return (used.user + used.system) / 1_000
    }
    const list = await cpuMs(() => anonymous.get('/public/events?from=2026-07-10&to=2026-07-18'))
    const sidebar = await cpuMs(async () => assert.deepEqual(await titles(anonymous), ['Choir']))
    assert.ok(sidebar < 10 * list, `${sidebar} ms, a list of a week ${list} ms`)
  }),
)

test('a scan of many cancelled events takes a permit', () =>
  withWorld('sqlite', async ({ writer, anonymous, app }) => {
    for (let i = 0; i < 50; i++)
      await writer.creates(open(`${i}`, '2026-07-11T09:00', '2026-07-11T10:00', { status: 'cancelled' }))
    await writer.creates(open('Choir', '2026-07-12T19:00', '2026-07-12T20:00'))
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const others = Array.from({ length: 18 }, (_, i) =>
      withPermit(app.ctx, { key: `other ${i}`, charge: () => {} }, () => ended),
    )
    assert.equal((await anonymous.get('/public/sidebar-events')).status, 503)
    end()
    await Promise.all(others)
    assert.deepEqual(await titles(anonymous), ['Choir'])
  }))
