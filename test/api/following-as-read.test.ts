// This and following with an occurrence as it was read: only what its client has edited changes.
import assert from 'node:assert/strict'
import type { Json } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type Client, withWorld } from '../support/world.ts'

const day = { title: 'Rehearsal', start: '2026-07-14T19:00', end: '2026-07-14T21:00', visibility: 'public' }

const SERIES = {
  'a rule with COUNT': { ...day, rrule: 'FREQ=DAILY;COUNT=6' },
  'a rule with UNTIL and other dates': { ...day, rrule: 'FREQ=DAILY;UNTIL=20260719', rdates: ['20260725T100000'] },
  'extra dates alone': { ...day, rdates: ['20260716T190000', '20260718T190000', '20260720T190000'] },
  'whole days': { ...day, all_day: true, start: '2026-07-14', end: '2026-07-16', rrule: 'FREQ=DAILY;COUNT=6' },
}

const listed = async (client: Client, query = ''): Promise<Json[]> =>
  (await client.get(`/events?from=2026-07-01&to=2026-08-31${query}`)).body.data

const placeOf = ({ start, end, title, location }: Json) => [start, end, title, location]

const send = (client: Client, occurrence: Json, more: object = {}) =>
  client.patch(`/events/${occurrence.id}/occurrences/${occurrence.occurrence_key}?scope=following`, {
    ...occurrence,
    ...more,
  })

for (const [name, series] of Object.entries(SERIES))
  forEachEngine(`of a series with ${name}, an occurrence sent back as read changes nothing more`, (engine) =>
    withWorld(engine, async ({ writer }) => {
      const { id } = await writer.creates(series)
      const [first, second] = (await listed(writer)).slice(-2)
      await writer.patch(`/events/${id}/occurrences/${first!.occurrence_key}`, { title: 'Concert', version: 1 })
      await writer.delete(`/events/${id}/occurrences/${second!.occurrence_key}`)
      for (const query of ['', '&timezone=Asia/Tokyo', '&timezone=America/New_York'])
        for (const occurrence of await listed(writer, query)) {
          const { status, body, text } = await send(writer, occurrence)
          assert.deepEqual([status, body.data.version], [200, 3], text)
        }
      const before = await listed(writer)
      const changed = await send(writer, before[1]!, { location: 'Church' })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(
        (await listed(writer)).map(placeOf),
        before.map((one, i) => placeOf(i < 1 ? one : { ...one, location: 'Church' })),
      )
    }),
  )

forEachEngine('a rule in a patch of its own begins anew, also where it is that of the series', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const { id } = await writer.creates(SERIES['a rule with COUNT'])
    const path = `/events/${id}/occurrences/20260716T190000?scope=following`
    const { status, body } = await writer.patch(path, { rrule: 'FREQ=DAILY;COUNT=6', version: 1 })
    assert.deepEqual([status, body.data.rrule], [200, 'FREQ=DAILY;COUNT=8'])
  }),
)

forEachEngine('the rule of an occurrence as read moves with its start', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates({ ...day, rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=4' })
    const all = await listed(writer)
    const moved = { start: '2026-07-22T19:00', end: '2026-07-22T21:00' }
    const { status, text } = await send(writer, all[1]!, moved)
    assert.equal(status, 200, text)
    assert.deepEqual(
      (await listed(writer)).map(({ start }) => start.slice(0, 10)),
      ['2026-07-14', '2026-07-22', '2026-07-29', '2026-08-05'],
    )
  }),
)
