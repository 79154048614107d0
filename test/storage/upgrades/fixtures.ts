// Reads the fixtures, and checks that a calendar made from one shows what it showed, and nothing more to the public.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { followZoneData, reindex } from '../../../src/actions/maintenance/reindex.ts'
import { makeNose, planted } from '../../support/privacy/planted-words.ts'
import type { World } from '../../support/world.ts'
import { AWKWARD_EVENTS, SENT_OBJECTS } from './awkward-events.ts'
import { type FixtureAnswers, readAnswers } from './read-answers.ts'

export const FIXTURES = join(import.meta.dirname, 'fixtures')

export const readFixture = (file: string): Buffer => brotliDecompressSync(readFileSync(join(FIXTURES, `${file}.br`)))

const nose = makeNose(JSON.stringify([AWKWARD_EVENTS, SENT_OBJECTS]))

/** Before the events are derived again and after. */
export async function checkCalendar(world: World, name: string): Promise<void> {
  const answers: FixtureAnswers = JSON.parse(readFixture(`${name}.json`).toString())
  const names = Object.keys(answers.objects)
  assert.ok(
    answers.full.length > 100 && answers.full.length === answers.masked.length,
    `${answers.full.length} entries`,
  )
  assert.deepEqual(nose.find(answers.masked.join()), [], 'the fixture itself')
  await checkPublic(world)
  await followZoneData(world.app.ctx, process.versions.tz!)
  await checkPublic(world)
  assert.deepEqual(await readAnswers(world, names), answers)
  assert.equal((await reindex(world.app.ctx)).changed, 0)
  const { body } = await world.anonymous.get('/public/events?expand=false&per_page=200&timezone=UTC')
  const shown = answers.masked.filter((line) => line.startsWith('expand=false'))
  assert.equal(body.meta.pagination.total, shown.length)
  const found = async (q: string): Promise<number> =>
    (await world.reader.get(`/events?expand=false&q=${q}`)).body.meta.pagination.total
  assert.deepEqual([await found('kathmandu'), await found(planted('title')), await found('deleted')], [1, 1, 0])
  await world.writer.creates({ title: 'New', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
}

/** Every way in which the public reads. */
async function checkPublic(world: World): Promise<void> {
  const queries = nose.words.map((word) => `/public/events?q=${word}`)
  const lists = ['/events?expand=false&per_page=200', '/events?view=month', '/public/events?view=year&per_page=200']
  for (const path of [...queries, ...lists, '/public/calendar.ics', '/public/sidebar-events', '/public/categories']) {
    const { status, text, body } = await world.anonymous.get(path)
    assert.equal(status, 200, path)
    if (queries.includes(path)) assert.equal(body.meta.pagination.total, 0, path)
    else assert.deepEqual(nose.find(text), [], path)
  }
}
