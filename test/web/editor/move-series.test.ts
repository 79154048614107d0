// Moving all dates of a series by moving one of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planMove } from '../../../web/pages/editor/grid/move-series.ts'
import { withWorld } from '../../support/world.ts'

const series = { title: 'Choir', start: '2026-07-14T19:30', end: '2026-07-14T21:00', timezone: 'Europe/London' }

test('start, end, days and last day of a series move with the moved date, and back', () =>
  withWorld('sqlite', async ({ writer }) => {
    const made = await writer.creates({ ...series, rrule: 'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20260806' })
    const starts = async () =>
      (
        (await writer.get(`/events/${made.id}/occurrences?from=2026-07-01&to=2026-12-31`)).body.data as (typeof made)[]
      ).map(({ start }) => start.slice(5, 16))
    const before = await starts()
    assert.deepEqual([before.length, before[0], before.at(-1)], [8, '07-14T19:30', '08-06T19:30'])
    const item = (await writer.get(`/events/${made.id}/occurrences/20260723T193000`)).body.data
    const to = { start: '2026-07-24T20:00:00+02:00', end: '2026-07-24T22:00:00+02:00', isAllDay: false }
    const plan = (await planMove(made, item, to))!
    const there = await writer.patch(`/events/${made.id}`, { ...plan.there, version: made.version })
    assert.equal(there.status, 200)
    assert.deepEqual(await starts(), [
      ...['07-15T19:00', '07-17T19:00', '07-22T19:00', '07-24T19:00'],
      ...['07-29T19:00', '07-31T19:00', '08-05T19:00', '08-07T19:00'],
    ])
    assert.equal(there.body.data.end, '2026-07-15T21:00:00+01:00')
    const back = await writer.patch(`/events/${made.id}`, { ...plan.back, version: there.body.data.version })
    assert.deepEqual([back.body.data.rrule, back.body.data.end], [made.rrule, made.end])
    assert.deepEqual(await starts(), before)
  }))

test('hours move under any rule; days only under rules that can follow', () =>
  withWorld('sqlite', async ({ writer }) => {
    const made = await writer.creates({ ...series, rrule: 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR' })
    const item = (await writer.get(`/events/${made.id}/occurrences/20260714T193000`)).body.data
    const on = (date: string) => ({ start: `${date}T10:00:00+01:00`, end: `${date}T11:00:00+01:00`, isAllDay: false })
    assert.equal((await planMove(made, item, on('2026-07-14')))?.there.start, '2026-07-14T10:00:00')
    assert.equal(await planMove(made, item, on('2026-07-15')), undefined)
  }))
