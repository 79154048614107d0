// Free/busy as JSON: merged times and nothing else, for readers with full access and for the public.
import assert from 'node:assert/strict'
import { file, event as icalEvent } from '../ical/files.ts'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../support/world.ts'

const WEEK = 'from=2026-07-13&to=2026-07-19'

const timesIn = ({ status, body, text }: ApiResponse): string[] => {
  assert.equal(status, 200, text)
  assert.deepEqual(Object.keys(body), ['data', 'meta'])
  return body.data.map(({ start, end, ...others }: Record<string, string>) => {
    assert.deepEqual(others, {})
    return `${start} ${end}`
  })
}

const busy = async (client: Client, query = WEEK, path = '/freebusy'): Promise<string[]> =>
  timesIn(await client.get(`${path}?${query}`))

const event = (start: string, end: string, more: object = {}) => ({
  title: 'Choir',
  description: 'Secret',
  start: `2026-07-${start}`,
  end: `2026-07-${end}`,
  visibility: 'private',
  ...more,
})

const at = (day: number, hour = 18): string[] => [
  `DTSTART;TZID=Europe/London:202607${day}T${hour}0000`,
  `DTEND;TZID=Europe/London:202607${day}T${hour + 1}0000`,
]

/** A daily series in a file: over JSON an edited occurrence cannot be made transparent. */
async function importSeries(
  { admin }: World,
  count: number,
  more: string[],
  edits: [day: number, ...string[]][],
): Promise<string> {
  const series = icalEvent('series', ...at(14), `RRULE:FREQ=DAILY;COUNT=${count}`, 'SUMMARY:Choir', ...more)
  const edited = edits.map(([day, ...changes]) =>
    icalEvent('series', `RECURRENCE-ID;TZID=Europe/London:202607${day}T180000`, 'SUMMARY:Choir', ...changes),
  )
  const { status, body } = await admin.post('/admin/import', file(series, ...edited), {
    'content-type': 'text/calendar',
  })
  assert.deepEqual([status, body.data.created], [200, 1])
  return body.data.events[0].id
}

async function fill(world: World): Promise<void> {
  const { writer } = world
  await importSeries(
    world,
    4,
    ['CLASS:PUBLIC'],
    [
      [15, ...at(15), 'TRANSP:TRANSPARENT'],
      [16, ...at(16), 'STATUS:CANCELLED'],
      [17, ...at(17, 20), 'STATUS:TENTATIVE'],
    ],
  )
  for (const one of [
    event('12T23:00', '13T01:00'),
    event('13T09:00', '13T10:00'),
    event('13T09:30', '13T11:00', { visibility: 'public' }),
    event('13T11:00', '13T12:00', { status: 'tentative' }),
    event('13T09:45', '13T09:50'),
    event('13T15:00', '13T15:00'),
    event('13T16:00', '13T17:00', { status: 'cancelled' }),
    event('13T16:00', '13T17:00', { status: 'cancelled', visibility: 'public' }),
    event('15T09:00', '15T10:00', { transparency: 'transparent' }),
    event('15T11:00', '15T12:00', { transparency: 'transparent', visibility: 'public' }),
    event('18', '19', { all_day: true }),
    event('19T22:00', '20T03:00'),
  ])
    await writer.creates(one)
}

const FULL = [
  '2026-07-12T23:00:00Z 2026-07-13T00:00:00Z',
  '2026-07-13T08:00:00Z 2026-07-13T11:00:00Z',
  '2026-07-14T17:00:00Z 2026-07-14T18:00:00Z',
  '2026-07-17T19:00:00Z 2026-07-17T20:00:00Z',
  '2026-07-17T23:00:00Z 2026-07-18T23:00:00Z',
  '2026-07-19T21:00:00Z 2026-07-19T23:00:00Z',
]

/** With the private event that is transparent, which the public is not told. */
const PUBLIC = FULL.toSpliced(3, 0, '2026-07-15T08:00:00Z 2026-07-15T09:00:00Z')

forEachEngine('busy times are merged, clipped and in UTC, without what is cancelled or transparent', (engine) =>
  withWorld(engine, async (world) => {
    const { reader, anonymous } = world
    await fill(world)
    assert.deepEqual(await busy(reader), FULL)
    assert.deepEqual(await busy(anonymous, WEEK, '/public/freebusy'), PUBLIC)
    for (const [client, path] of [
      [reader, '/freebusy'],
      [anonymous, '/public/freebusy'],
    ] as const) {
      const { body } = await client.get(`${path}?from=2026-07-18&to=2026-07-18&timezone=America/New_York`)
      assert.deepEqual(body, {
        data: [{ start: '2026-07-18T04:00:00Z', end: '2026-07-19T04:00:00Z' }],
        meta: {
          range: { from: '2026-07-18T00:00:00-04:00', to: '2026-07-19T00:00:00-04:00' },
          timezone: 'America/New_York',
        },
      })
      assert.deepEqual(await busy(client, 'from=2026-07-13T08:30:00Z&to=2026-07-13T08:40:00Z', path), [
        '2026-07-13T08:30:00Z 2026-07-13T08:40:00Z',
      ])
      assert.deepEqual(await busy(client, 'from=2026-08-01&to=2026-08-02', path), [])
      const first = await client.get(`${path}?${WEEK}`)
      const known = await client.get(`${path}?${WEEK}`, { 'if-none-match': String(first.headers.etag) })
      assert.equal(known.status, 304)
    }
  }),
)

forEachEngine('a transparent series is free but for the occurrences that are not', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader, anonymous } = world
    const id = await importSeries(world, 3, ['CLASS:PUBLIC', 'TRANSP:TRANSPARENT'], [[15, ...at(15), 'TRANSP:OPAQUE']])
    const own = ['2026-07-15T17:00:00Z 2026-07-15T18:00:00Z']
    assert.deepEqual(await busy(reader), own)
    assert.deepEqual(await busy(anonymous, WEEK, '/public/freebusy'), own)
    const { version } = (await writer.get(`/events/${id}`)).body.data
    await writer.patch(`/events/${id}`, { visibility: 'private', version })
    assert.deepEqual(await busy(reader), own)
    assert.equal((await busy(anonymous, WEEK, '/public/freebusy')).length, 3, 'nothing is left of what was public')
  }),
)

forEachEngine('free/busy needs a window with both ends, as long as a list may have at most', (engine) =>
  withWorld(engine, async ({ reader, anonymous, as, addPerson }) => {
    for (const [client, path] of [
      [reader, '/freebusy'],
      [anonymous, '/public/freebusy'],
    ] as const) {
      const fieldOf = async (query: string) => {
        const { status, body } = await client.get(`${path}?${query}`)
        const [{ field, code }] = body.error.details?.fields ?? [{}]
        return `${status} ${field ?? body.error.details.parameter} ${code ?? body.error.code}`
      }
      assert.equal(await fieldOf('to=2026-07-19'), '422 from required')
      assert.equal(await fieldOf('from=2026-07-19'), '422 to required')
      assert.equal(await fieldOf('from=2026-07-19&to=2026-07-18'), '422 to range_empty')
      assert.equal(await fieldOf('from=2026-01-01&to=2032-01-01'), '422 to range_too_large')
      assert.equal(await fieldOf('from=now&to=2032-01-01'), '400 from invalid_parameter')
      assert.equal(await fieldOf(`${WEEK}&timezone=Nowhere`), '422 timezone timezone_unknown')
    }
    assert.equal((await reader.get(`/freebusy?${WEEK}&view=week`)).body.error.code, 'unknown_parameter')
    await addPerson('waiting@example.org', 'writer', 'pending_approval')
    assert.equal((await anonymous.get(`/freebusy?${WEEK}`)).status, 401)
    assert.equal((await as('waiting@example.org').get(`/freebusy?${WEEK}`)).status, 403)
  }),
)

forEachEngine('more occurrences than a list returns at once are refused', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    for (let i = 0; i < 6; i++)
      await writer.creates(event('01T09:00', '01T09:10', { rrule: 'FREQ=DAILY', visibility: 'public' }))
    const long = 'from=2026-07-01&to=2031-06-30'
    for (const answer of [await reader.get(`/freebusy?${long}`), await anonymous.get(`/public/freebusy?${long}`)])
      assert.equal(answer.body.error.code, 'too_many_occurrences')
    assert.equal((await busy(anonymous, 'from=2026-07-01&to=2027-06-30', '/public/freebusy')).length, 365)
  }),
)
