// The limit of lists in bytes: checked before they are serialised, on what the reader may see.
import assert from 'node:assert/strict'
import { writeEventList } from '../../../src/actions/events/list-events.ts'
import type { OccurrenceList } from '../../../src/actions/lists/list-request.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import { ANONYMOUS, OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { DAY_MS } from '../../../src/domain/time/instant.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { lines } from '../../ical/objects.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { copySeries } from '../../support/storage/many-events.ts'
import { type World, withWorld } from '../../support/world.ts'

const LONG_TEXT = '漢'.repeat(10_000)
const daily = {
  title: 'Daily',
  timezone: 'UTC',
  start: '2026-07-01T09:00',
  end: '2026-07-01T10:00',
  rrule: 'FREQ=DAILY',
  description: LONG_TEXT,
}
const YEARS = 'from=2026-07-01&to=2031-06-01&timezone=UTC'

const codeOf = ({ status, body }: ApiResponse): unknown => (status === 200 ? 'ok' : [status, body.error.code])
const TOO_LONG = [422, 'too_many_occurrences']

/** The class of lists of some days from the first on: light, costly, or refused before anything is written. */
async function kindsOf({ app }: World, lengths: readonly number[]): Promise<string[]> {
  const from = Date.parse('2026-07-01')
  const kinds: string[] = []
  for (const days of lengths) {
    const charges: number[] = []
    const caller = { key: 'network', charge: (costMs: number) => void charges.push(costMs) }
    const range = { from, to: from + days * DAY_MS }
    const request = { range, zone: requireZone('UTC'), filters: {}, page: undefined, expand: true }
    const written: OccurrenceList[] = []
    const write = async (listing: OccurrenceList) => void written.push(listing)
    const code = await writeEventList(app.ctx, ANONYMOUS, request, caller, write).catch((error) => error.code)
    const kind = code ?? (charges.length > 0 ? 'costly' : 'light')
    assert.equal(written.length, code === undefined ? 1 : 0)
    kinds.push(kind)
  }
  return kinds
}

forEachEngine(
  'a list of very many bytes is refused, its pages are not, and public lists count in masked form',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer, anonymous } = world
      const { id, version } = await writer.creates({ ...daily, visibility: 'private' })
      const lengths = [20, 60, 299, 1_000]
      const short = await kindsOf(world, lengths)
      assert.deepEqual(short, ['light', 'light', 'light', 'costly'], 'masked entries are short')
      assert.equal(codeOf(await anonymous.get(`/public/events?${YEARS}`)), 'ok')
      assert.deepEqual(codeOf(await writer.get(`/events?${YEARS}`)), TOO_LONG)
      const changed = await writer.patch(`/events/${id}`, { visibility: 'public', version })
      assert.equal(changed.status, 200)
      assert.deepEqual(await kindsOf(world, lengths), ['light', 'costly', 'costly', 'too_many_occurrences'])
      for (const path of [`/public/events?${YEARS}`, `/events?${YEARS}`, `/events/${id}/occurrences?${YEARS}`]) {
        assert.deepEqual(codeOf(await anonymous.get(path)), TOO_LONG, path)
        const page = await anonymous.get(`${path}&per_page=3&page=500`)
        assert.equal(page.body.data.length, 3, path)
        assert.equal(page.body.data[0].description, LONG_TEXT)
      }
      const short2 = await writer.creates({ ...daily, description: 'x'.repeat(100), visibility: 'public' })
      assert.equal(codeOf(await anonymous.get(`/events/${short2.id}/occurrences?${YEARS}`)), 'ok')
    }),
)

/** A series in July with edited occurrences, each with a long description. */
const edited = (uid: string, year: number, visibility: string): string => {
  const keys = Array.from({ length: 20 }, (_, i) => `${year}07${String(i + 2).padStart(2, '0')}T090000Z`)
  const parts = [
    [`DTSTART:${year}0701T090000Z`, 'RRULE:FREQ=DAILY;COUNT=40'],
    ...keys.map((key) => [`RECURRENCE-ID:${key}`, `DTSTART:${key}`, `DESCRIPTION:${LONG_TEXT}`]),
  ]
  const events = parts.flatMap((own) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    `CLASS:${visibility}`,
    ...own,
    'DURATION:PT15M',
    'SUMMARY:Edited',
    'END:VEVENT',
  ])
  return lines('BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR')
}

forEachEngine('edited occurrences count in lists, in stored form only where they are shown', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, app } = world
    await importCalendar(app.ctx, OPERATOR, edited('open', 2026, 'PUBLIC'))
    const { id } = (await writer.get('/events')).body.data[0]
    await copySeries(world, id, 30, 1)
    assert.deepEqual(codeOf(await writer.get('/events?per_page=200')), TOO_LONG)
    const page = await writer.get('/events?per_page=2&page=3')
    assert.equal(page.body.data[1].exceptions[19].description, LONG_TEXT)
    const open = await anonymous.get('/events?per_page=200')
    assert.equal(open.body.data.length, 31, 'the public has no exceptions in it')
    assert.deepEqual(codeOf(await anonymous.get('/public/events?from=2026-07-01&to=2026-07-31')), TOO_LONG)
    assert.deepEqual(codeOf(await anonymous.get('/public/events?from=2026-07-01&to=2026-07-05')), 'ok')
    await importCalendar(app.ctx, OPERATOR, edited('hidden', 2027, 'PRIVATE'))
    const july = 'from=2027-07-01&to=2027-07-31'
    const hidden = (await writer.get(`/events?${july}&expand=false`)).body.data[0]
    await copySeries(world, hidden.id, 30, 1)
    assert.deepEqual(codeOf(await writer.get(`/events?${july}`)), TOO_LONG)
    assert.deepEqual(codeOf(await anonymous.get(`/public/events?${july}`)), 'ok', 'P43')
  }),
)
