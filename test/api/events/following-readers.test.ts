// After random changes from an occurrence on, lists, CalDAV reports and two feed readers show the same occurrences.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { dataOfObject } from '../../caldav/support/events.ts'
import { type FeedReaderEvent, icalJs, inWindow, nodeIcalReader } from '../../support/feed-readers.ts'
import type { Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'

const FROM = Date.UTC(2026, 5, 1)
const TO = Date.UTC(2027, 5, 1)

const ZONES = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC']
const RULES = [
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;COUNT=12',
  'FREQ=WEEKLY;BYDAY=TU,TH',
  'FREQ=DAILY;INTERVAL=3;UNTIL=20261201',
  'FREQ=MONTHLY',
  'FREQ=MONTHLY;BYDAY=2TU',
]

const anyEvent = fc.record({
  allDay: fc.boolean(),
  timezone: fc.constantFrom(...ZONES),
  rrule: fc.constantFrom(...RULES),
  visibility: fc.constantFrom('public', 'private'),
  // Away from the hours that the clocks repeat, which ical.js reads as the second ones.
  hour: fc.integer({ min: 9, max: 16 }),
  excluded: fc.array(fc.nat(9), { maxLength: 2 }),
  moved: fc.array(fc.nat(9), { maxLength: 2 }),
})

const anyChange = fc.record({
  at: fc.nat(11),
  kind: fc.constantFrom('texts', 'texts', 'time', 'time', 'length', 'rule', 'zone', 'delete'),
  days: fc.integer({ min: -9, max: 9 }),
  minutes: fc.integer({ min: -100, max: 100 }),
  rrule: fc.constantFrom(null, ...RULES),
  timezone: fc.constantFrom(...ZONES),
  number: fc.nat(99),
})

type AnyEvent = typeof anyEvent extends fc.Arbitrary<infer T> ? T : never
type AnyChange = typeof anyChange extends fc.Arbitrary<infer T> ? T : never

const local = (at: number, allDay: boolean): string => new Date(at).toISOString().slice(0, allDay ? 10 : 16)

async function createSeries({ writer }: World, event: AnyEvent): Promise<string> {
  const { allDay, hour, excluded, moved, ...fields } = event
  const start = Date.UTC(2026, 6, 14, allDay ? 0 : hour, 30 * (allDay ? 0 : 1))
  const end = start + (allDay ? 86_400_000 : 5_400_000)
  const times = { start: local(start, allDay), end: local(end, allDay), all_day: allDay }
  const { id } = await writer.creates({ ...fields, ...times, title: 'First' })
  for (const [index, at] of [...excluded, ...moved].entries()) {
    const one = (await itemsOf(writer, id))[at]
    if (!one) continue
    const path = `/events/${id}/occurrences/${one.occurrence_key}`
    const inTwoDays = (date: string) => local(Date.parse(date) + 2 * 86_400_000, true)
    const to = allDay ? inTwoDays(one.start_date) : later(one.start, 100)
    const until = allDay ? inTwoDays(one.end_date) : later(one.end, 160)
    const body = { title: `Edited ${index}`, start: to, end: until, version: one.version }
    const answer = index < excluded.length ? await writer.delete(path) : await writer.patch(path, body)
    assert.ok(answer.status < 300, answer.text)
  }
  return id
}

const later = (text: string, minutes: number): string => new Date(Date.parse(text) + minutes * 60_000).toISOString()

async function itemsOf(client: Client, id: string): Promise<Json[]> {
  const answer = await client.get(
    `/events/${id}/occurrences?from=2026-06-01T00:00:00Z&to=2027-06-01T00:00:00Z&timezone=UTC`,
  )
  return answer.status === 404 ? [] : answer.body.data
}

const placeOf = (item: Json): FeedReaderEvent => ({
  start: item.all_day ? item.start_date : new Date(item.start).toISOString(),
  end: item.all_day ? item.end_date : new Date(item.end).toISOString(),
  title: item.title,
})

/** Sends the change; undefined where it is refused. */
async function send(writer: Client, id: string, item: Json, change: AnyChange): Promise<number> {
  const path = `/events/${id}/occurrences/${item.occurrence_key}?scope=following`
  if (change.kind === 'delete') return (await writer.delete(path)).status
  const by = change.days * 86_400_000 + (item.all_day ? 0 : change.minutes * 60_000)
  const start = item.all_day ? local(Date.parse(item.start_date) + by, true) : later(item.start, by / 60_000)
  const end = item.all_day ? local(Date.parse(item.end_date) + 86_400_000, true) : later(item.end, 75)
  const fields = {
    texts: { title: `Title ${change.number}`, location: 'Elsewhere' },
    time: { start },
    length: { end },
    rule: { rrule: change.rrule, title: `Rule ${change.number}` },
    zone: { timezone: change.timezone },
  }[change.kind]
  const answer = await writer.patch(path, { ...fields, version: item.version })
  assert.ok([200, 409, 422].includes(answer.status), answer.text)
  return answer.status
}

async function compareReaders(world: World, id: string, where: string): Promise<void> {
  const { writer, anonymous } = world
  const items = await itemsOf(writer, id)
  const sorted = (events: FeedReaderEvent[]) => events.map((one) => JSON.stringify(one)).sort()
  const listed = sorted(items.map(placeOf))
  const { data: lists } = (await writer.get('/events?from=2026-06-01T00:00:00Z&to=2027-06-01T00:00:00Z&timezone=UTC'))
    .body
  assert.deepEqual(sorted(lists.filter((one: Json) => one.id === id).map(placeOf)), listed, `lists ${where}`)
  const range = 'start="20260601T000000Z" end="20270601T000000Z"'
  const expanded = items.length === 0 ? '' : await dataOfObject(davOf(writer), `${id}.ics`, `<C:expand ${range}/>`)
  assert.deepEqual(
    sorted(items.length === 0 ? [] : inWindow(instancesOf(expanded), FROM, TO)),
    listed,
    `CalDAV ${where}`,
  )
  assert.equal(
    (await writer.get('/events')).body.meta.pagination.total,
    (await writer.get('/events?per_page=200')).body.data.length,
  )
  const file = await anonymous.get(`/public/events/${id}/event.ics`)
  const shown = (await anonymous.get('/public/events?from=2026-06-01T00:00:00Z&to=2027-06-01T00:00:00Z&timezone=UTC'))
    .body.data
  const expected = sorted(shown.filter((one: Json) => one.id === id).map(placeOf))
  if (file.status === 404) return assert.deepEqual(expected, [], where)
  // It knows no RDATE.
  const readers = /^RDATE/m.test(file.text) ? [icalJs] : [icalJs, nodeIcalReader]
  for (const { name, read } of readers)
    assert.deepEqual(sorted(read(file.text, FROM, TO)), expected, `${name} ${where}\n${file.text}`)
}

/** Expanded instances have their times in UTC. */
function instancesOf(text: string): FeedReaderEvent[] {
  return text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => {
      const value = (name: string): string => new RegExp(`^${name}[^:\r\n]*:([^\r\n]*)`, 'm').exec(event)![1]!
      const moment = (basic: string): string => {
        const day = basic.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')
        return basic.length === 8 ? day : new Date(day.replace(/T(\d\d)(\d\d)(\d\d)Z/, 'T$1:$2:$3Z')).toISOString()
      }
      return { start: moment(value('DTSTART')), end: moment(value('DTEND')), title: value('SUMMARY') }
    })
}

forEachEngine('random changes from an occurrence on: every reader shows the same, and earlier dates stay', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const runs = fc.sample(
      fc.tuple(anyEvent, fc.array(anyChange, { minLength: 1, maxLength: 3 })),
      byRunLength(25, 200),
    )
    let accepted = 0
    for (const [event, changes] of runs) {
      const id = await createSeries(world, event)
      let where = JSON.stringify(event)
      for (const change of changes) {
        const items = (await itemsOf(writer, id)).sort((a, b) => (a.occurrence_key < b.occurrence_key ? -1 : 1))
        const item = items[change.at % Math.max(1, items.length)]
        if (!item) break
        where = `${where} ${item.occurrence_key} ${JSON.stringify(change)}`
        const status = await send(writer, id, item, change)
        accepted += status === 200 ? 1 : 0
        const after = new Set((await itemsOf(writer, id)).map((one) => JSON.stringify(placeOf(one))))
        for (const one of items)
          if (one.occurrence_key < item.occurrence_key)
            assert.ok(after.has(JSON.stringify(placeOf(one))), `${one.start} ${where}`)
        await compareReaders(world, id, where)
      }
      await writer.delete(`/events/${id}`)
    }
    assert.ok(accepted > runs.length / 2, `${accepted} of ${runs.length}`)
  }),
)
