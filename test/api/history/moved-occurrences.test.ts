// Comparisons of versions between which a series and the exceptions in it were moved.
import assert from 'node:assert/strict'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

const choir = {
  title: 'Choir',
  start: '2026-07-07T19:00',
  end: '2026-07-07T21:00',
  visibility: 'public',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

forEachEngine('an edited occurrence of a moved series is compared with itself, before and after', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const { id } = await writer.creates(choir)
    const edit = (key: string, title: string, version: number) =>
      writer.patch(`/events/${id}/occurrences/${key}`, { title, version })
    await edit('20260714T190000', 'First', 1)
    await edit('20260721T190000', 'Second', 2)
    // By a week: the key of each is the one that the next had.
    await writer.patch(`/events/${id}`, { start: '2026-07-14T19:00', version: 3 })
    const edited = await edit('20260721T190000', 'Changed', 4)
    assert.equal(edited.status, 200, edited.text)
    const { data } = (await writer.get(`/events/${id}/history/3?against=current`)).body
    assert.deepEqual(
      data.changes.filter(({ field }: { field: string }) => field === 'occurrence'),
      [
        {
          field: 'occurrence',
          occurrence_key: '20260714T190000',
          change: 'edited',
          before: 'edited',
          after: 'edited',
          fields: [{ field: 'title', before: 'Changed', after: 'First' }],
        },
      ],
    )
  }),
)
