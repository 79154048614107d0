// Structured data and previews of event pages, checked by their rules; files of dates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { previewTagProblems, structuredDataProblems } from '../../support/structured-data.ts'
import { type World, withWorld } from '../../support/world.ts'

const supper = {
  title: 'Harvest supper',
  description: 'Bring a dish.',
  location: 'Village hall, Church Lane',
  start: '2026-07-18T18:30',
  end: '2026-07-18T22:00',
  visibility: 'public',
}

const pageAt = ({ anonymous }: World, url: string): Promise<ApiResponse> =>
  anonymous.send({ method: 'GET', url, headers: { accept: 'text/html' } })

const structuredDataOf = ({ text }: ApiResponse) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)![1]!)

forEachEngine('structured data and previews of every kind of event pass a check of their rules', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const make = async (event: object): Promise<string> => (await writer.creates({ ...supper, ...event })).id
    const weekly = { rrule: 'FREQ=WEEKLY;BYDAY=SA,SU;UNTIL=20261001T000000Z', exdates: ['2026-07-25T18:30'] }
    const series = await make(weekly)
    const moved = { start: '2026-07-27T10:00', end: '2026-07-27T11:00' }
    await writer.patch(`/events/${series}/occurrences/20260726T183000`, { ...moved, version: 1 })
    await writer.patch(`/events/${series}/occurrences/20260801T183000`, { status: 'cancelled', version: 2 })
    const days = { start: '2026-08-01', end: '2026-08-04', all_day: true, rrule: 'FREQ=MONTHLY;BYMONTHDAY=1;COUNT=4' }
    const whole = await make({ ...days, title: 'Fête' })
    await writer.patch(`/events/${whole}/occurrences/20260901`, { start: '2026-09-02', end: '2026-09-03', version: 1 })
    const pages = [
      `/events/${await make({})}`,
      `/events/${await make({ status: 'cancelled' })}`,
      `/events/${await make({ description: null, location: null })}`,
      `/events/${await make({ location: 'https://meet.example.org/supper' })}`,
      `/events/${series}`,
      `/events/${series}/20260726T183000`,
      `/events/${series}/20260801T183000`,
      `/events/${whole}`,
      `/events/${whole}/20260901`,
    ]
    for (const path of pages) {
      const page = await pageAt(world, path)
      assert.deepEqual(structuredDataProblems(structuredDataOf(page)), [], path)
      assert.deepEqual(previewTagProblems(page.text), [], path)
    }
    const statusOf = async (path: string) => {
      const { eventStatus, previousStartDate, startDate } = structuredDataOf(await pageAt(world, path))
      return [eventStatus.replace('https://schema.org/', ''), previousStartDate, startDate]
    }
    assert.deepEqual(await statusOf(pages[5]!), [
      'EventRescheduled',
      '2026-07-26T18:30:00+01:00',
      '2026-07-27T10:00:00+01:00',
    ])
    assert.deepEqual(await statusOf(pages[6]!), ['EventCancelled', undefined, '2026-08-01T18:30:00+01:00'])
    assert.deepEqual(await statusOf(pages[8]!), ['EventRescheduled', '2026-09-01', '2026-09-02'])
    const textOf = async (path: string) => (await pageAt(world, path)).text
    assert.match(await textOf(pages[5]!), /<p class="quiet">Moved from Sunday 26 July 2026, 18:30 to \d\d:\d\d\.</)
    assert.match(await textOf(pages[8]!), /<p class="quiet">Moved from Tuesday 1 [^<]*September 2026[^<]*</)
    assert.doesNotMatch(await textOf(pages[4]!), /Moved from/)
    // The cancelled date and the one that was moved away do not take place as the schedule says.
    const { exceptDate, endDate } = structuredDataOf(await pageAt(world, pages[4]!)).eventSchedule
    assert.deepEqual(exceptDate, ['2026-07-25T18:30:00', '2026-07-26T18:30:00', '2026-08-01T18:30:00'])
    assert.equal(endDate, '2026-09-30', 'UNTIL is 01:00 on 1 October, before the time of the event')
    assert.deepEqual(structuredDataOf(await pageAt(world, pages[7]!)).eventSchedule.exceptDate, ['2026-09-01'])
    const online = structuredDataOf(await pageAt(world, pages[3]!))
    assert.deepEqual(online.location, { '@type': 'VirtualLocation', url: 'https://meet.example.org/supper' })
    const home = await pageAt(world, '/')
    assert.deepEqual(previewTagProblems(home.text), [])
  }),
)

forEachEngine('the page of a date offers the date and the series as files', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...supper, rrule: 'FREQ=WEEKLY;COUNT=3' })
    const filesOf = async (path: string): Promise<string[]> =>
      [...(await pageAt(world, path)).text.matchAll(/href="[^"]*\/public(\/events\/[^"]+\.ics)" download/g)].map(
        ([, file]) => file!,
      )
    const all = `/events/${id}/event.ics`
    assert.deepEqual(await filesOf(`/events/${id}`), [all])
    const date = `/events/${id}/occurrences/20260725T183000/event.ics`
    assert.deepEqual(await filesOf(`/events/${id}/20260725T183000`), [date, all])
    assert.match((await world.anonymous.get(`/public${date}`)).text, /DTSTART;TZID=Europe\/London:20260725T183000/)
  }),
)

test('the check of structured data and previews finds mistakes', () => {
  const place = { '@type': 'Place', name: 'Hall', address: 'Hall' }
  const good = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: 'x',
    startDate: '2026-07-18T18:30:00+01:00',
    endDate: '2026-07-18T19:30:00+01:00',
    url: 'https://example.org/x',
    image: ['https://example.org/x.png'],
    eventStatus: 'https://schema.org/EventScheduled',
    organizer: { '@type': 'Organization', name: 'x', url: 'https://example.org/' },
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: place,
  }
  assert.deepEqual(structuredDataProblems(good), [])
  const bad = [
    { name: undefined },
    { startDate: '2026-07-18 18:30' },
    { endDate: '2026-07-18T18:00:00+01:00' },
    { endDate: '2026-07-19' },
    { eventStatus: 'EventScheduled' },
    { eventStatus: 'https://schema.org/EventRescheduled' },
    { location: { ...place, name: '' } },
    { location: undefined },
    { price: 3 },
    { image: '/x.png' },
    { eventSchedule: { '@type': 'Schedule', startDate: '2026-07-18', repeatFrequency: 'weekly', duration: 'PT1H' } },
  ]
  for (const change of bad)
    assert.notDeepEqual(structuredDataProblems({ ...good, ...change }), [], JSON.stringify(change))
  assert.ok(previewTagProblems('<meta property="og:title" content="x">').includes('og:image is there 0 times'))
  assert.ok(previewTagProblems('<meta name="og:title" content="x">').includes('og:title is name="x"'))
})
