// A calendar whose feed is longer than the two ends of a connection buffer: about 18 MB.
import assert from 'node:assert/strict'
import { event, file } from '../ical/files.ts'
import { type Engine, makeReadyPlace, type Place } from './engines.ts'
import { openWorld, type World } from './world.ts'

export async function fillLongFeed({ admin, app }: World): Promise<void> {
  // Without words, which are costly to index and no matter here.
  const long = '-'.repeat(9_900)
  const times = ['DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z']
  for (const part of ['a', 'b']) {
    const events = Array.from({ length: 900 }, (_, i) =>
      event(`${part}${i}@x`, ...times, 'CLASS:PUBLIC', `DESCRIPTION:${long}`),
    )
    const answer = await admin.send({
      method: 'POST',
      url: `${app.site.base}/admin/import`,
      headers: { 'content-type': 'text/calendar' },
      payload: file(...events),
    })
    assert.equal(answer.body.data.created, 900)
  }
}

/** A database of that calendar, for several services one after the other. */
export async function makeLongFeed(engine: Engine): Promise<Place> {
  const place = await makeReadyPlace(engine)
  const world = await openWorld(engine, place)
  await fillLongFeed(world)
  await world.app.close()
  return place
}
