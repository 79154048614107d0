// One date of a series as a calendar file: its own text and time; masked for private series.
import assert from 'node:assert/strict'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const choir = {
  title: 'Choir',
  description: 'Bring notes',
  start: '2026-07-07T19:00',
  end: '2026-07-07T20:00',
  rrule: 'FREQ=WEEKLY;COUNT=5',
}

const fileOf = ({ anonymous }: World, id: string, key: string) =>
  anonymous.get(`/public/events/${id}/occurrences/${key}/event.ics`)

forEachEngine('a date is an event by itself, with what was edited of it', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const { id } = await writer.creates({ ...choir, visibility: 'public' })
    const moved = { title: 'Concert & cake', start: '2026-07-22T18:00', end: '2026-07-22T21:00', version: 1 }
    await writer.patch(`/events/${id}/occurrences/20260721T190000`, moved)
    const plain = await fileOf(world, id, '20260714T190000')
    assert.equal(plain.status, 200)
    assert.equal(plain.headers['content-type'], 'text/calendar; charset=utf-8')
    assert.match(plain.text, /^BEGIN:VCALENDAR\r\n[\s\S]*BEGIN:VTIMEZONE[\s\S]*END:VCALENDAR\r\n$/)
    assert.match(plain.text, /DTSTART;TZID=Europe\/London:20260714T190000\r\n/)
    assert.match(plain.text, /SUMMARY:Choir\r\nDESCRIPTION:Bring notes\r\n/)
    const edited = await fileOf(world, id, '20260721T190000')
    assert.match(edited.text, /DTSTART;TZID=Europe\/London:20260722T180000\r\n/)
    assert.match(edited.text, /SUMMARY:Concert & cake\r\n/)
    const uids = [plain, edited].map(({ text }) => /^UID:(.+)\r$/m.exec(text)![1])
    assert.notEqual(uids[0], uids[1])
    for (const { text } of [plain, edited]) {
      const events = text.match(/BEGIN:VEVENT[\s\S]*?END:VEVENT/g)!
      assert.equal(events.length, 1)
      assert.doesNotMatch(events[0]!, /RRULE|RECURRENCE-ID|RDATE|EXDATE/)
    }
    assert.equal((await fileOf(world, id, '20260715T190000')).status, 404)
    assert.equal((await fileOf(world, id, 'soon')).status, 400)
  }),
)

forEachEngine(
  'P35: the file of a private date has its time and nothing else, and does not tell that it was moved',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer } = world
      const { id } = await writer.creates({ ...choir, visibility: 'private' })
      const moved = { start: '2026-07-22T18:00', end: '2026-07-22T21:00', version: 1 }
      await writer.patch(`/events/${id}/occurrences/20260721T190000`, moved)
      const { text } = await fileOf(world, id, '20260721T190000')
      assert.match(text, /DTSTART;TZID=Europe\/London:20260722T180000\r\n/)
      assert.match(text, /SUMMARY:Private Event\r\n/)
      assert.doesNotMatch(text, /Choir|notes|20260721/)
    }),
)
