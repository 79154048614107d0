// Filters by words and categories over long windows: every query plan finds the same matches as a plain comparison.
import assert from 'node:assert/strict'
import { wordsOf } from '../../../src/domain/calendar/words.ts'
import { rawQuery } from '../../../src/storage/dialect.ts'
import { keyOfId } from '../../../src/storage/events/events.ts'
import { type EventFilters, type EventQuery, type MatchedEvents, shapeOf } from '../../../src/storage/events/filters.ts'
import { countByDay, listEventKeysInWindow, listOccurrenceRefs } from '../../../src/storage/events/occurrence-index.ts'
import { resolveMatches } from '../../../src/storage/events/search.ts'
import type { Json } from '../../support/http/api-response.ts'
import { assertShortTurns, measureTurns } from '../../support/measure/turns.ts'
import { testInSharedWorld } from '../../support/shared-world.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'

const WORDS = ['choir', 'chess', 'charity', 'evening', 'market', 'night', 'Nähen', 'open', '会議', '12b', 'private']
const CATEGORIES = ['Music', 'Music & more', 'music', '★', 'Chess', '', 'Private Event']

/** A small seeded random generator: the same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}

async function fill({ writer }: World): Promise<void> {
  const chance = createRandom(7)
  const some = (): string => Array.from({ length: 1 + chance(3) }, () => WORDS[chance(WORDS.length)]).join(' ')
  const rules = [null, null, 'FREQ=DAILY', 'FREQ=WEEKLY;COUNT=9', 'FREQ=MONTHLY', 'FREQ=YEARLY;COUNT=3']
  for (let i = 0; i < 24; i++) {
    const day = `2026-0${1 + chance(9)}-1${chance(10)}`
    const times = [
      { start: `${day}T09:00`, end: `${day}T10:30` },
      { start: `${day}T21:00`, end: `${day.slice(0, 8)}25T04:00`, timezone: 'Pacific/Auckland' },
      { start: day, end: `${day.slice(0, 8)}27`, all_day: true },
    ][chance(3)]!
    const event = await writer.creates({
      ...times,
      uid: `event-${i}@example.org`,
      title: some(),
      description: some(),
      category: CATEGORIES[chance(CATEGORIES.length)] || null,
      visibility: chance(4) ? 'public' : 'private',
      status: chance(6) ? 'confirmed' : 'cancelled',
      rrule: rules[chance(rules.length)],
    })
    if (!event.recurring && !event.rrule) continue
    const { data } = (await writer.get(`/events/${event.id}/occurrences?from=2026-01-01&to=2027-12-31&per_page=4`)).body
    for (const [at, occurrence] of data.slice(0, 2 + chance(2)).entries()) {
      const change = chance(2)
        ? { title: some(), category: CATEGORIES[chance(CATEGORIES.length)] || null }
        : { title: some() }
      const status = chance(5) ? {} : { status: 'cancelled' }
      const key = occurrence.occurrence_key
      const answer = await writer.patch(`/events/${event.id}/occurrences/${key}`, {
        ...change,
        ...status,
        version: 1 + at,
      })
      assert.equal(answer.status, 200, answer.text)
    }
  }
}

const filtersToTry: EventFilters[] = [
  ...WORDS.map((word) => ({ words: wordsOf(word) })),
  { words: ['c'] },
  { words: ['e', 'o'] },
  { words: ['ch', 'c', 'cho'] },
  { words: ['private', 'event'] },
  { words: ['nothing'] },
  { words: [] },
  ...CATEGORIES.filter(Boolean).map((category) => ({ categories: [category] })),
  { categories: ['nothing'] },
  { categories: ['Music', '★', 'nothing'] },
  { words: ['ch'], categories: ['Music'] },
  { words: ['ch'], categories: ['Music & more', 'Music'] },
  { words: ['music'], categories: ['Music & more'] },
  { words: ['n'], categories: ['★'] },
]

/** At full sight only. */
const fullFilters: EventFilters[] = [
  { status: 'confirmed' },
  { status: 'cancelled' },
  { status: 'tentative' },
  { visibility: 'private' },
  { visibility: 'public', status: 'cancelled' },
  { uid: 'nothing' },
  ...Array.from({ length: 24 }, (_, i) => ({ uid: `event-${i}@example.org` })),
  { uid: 'event-3@example.org', status: 'cancelled' },
  { words: ['ch'], visibility: 'private' },
  { words: ['e'], categories: ['Music', 'nothing'], status: 'confirmed', visibility: 'public' },
]

async function compareWaysToFind({ app }: World): Promise<void> {
  const db = app.ctx.storage.reads
  const years = { from: Date.parse('2026-01-05T11:00Z'), to: Date.parse('2026-09-03T04:00Z') }
  const window = { timed: years, dates: { from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 8, 4) } }
  const month = {
    timed: { ...years, to: years.from + 40 * 86_400_000 },
    dates: { ...window.dates, to: window.dates.from + 41 * 86_400_000 },
  }
  const all = { sight: 'full' as const, filters: {} }
  for (const span of [window, month])
    assert.deepEqual(
      inOrder(await listEventKeysInWindow(db, all, span)),
      inOrder(new Set((await listOccurrenceRefs(db, all, span, 100_000)).map(({ event_key }) => event_key))),
    )
  const read = async (sought: EventQuery) => ({
    places: (await listOccurrenceRefs(db, sought, window, 100_000)).map((place) => Object.values(place).join()).sort(),
    total: (await countByDay(db, sought, window)).reduce((sum, count) => sum + count.total, 0),
    events: inOrder(await listEventKeysInWindow(db, sought, window)),
  })
  let matched = 0
  for (const sight of ['public', 'full'] as const)
    for (const [at, filters] of [...filtersToTry, ...(sight === 'full' ? fullFilters : [])].entries()) {
      const name = `${sight} ${JSON.stringify(filters)}`
      const found = await resolveMatches(db, sight, filters)
      assert.notEqual(shapeOf(found), shapeOf({ sight, filters }), name)
      const each = await read({ sight, filters })
      assert.equal(each.total, each.places.length, name)
      assert.deepEqual(await read(found), each, name)
      matched += each.total
      const ranges = await resolveMatches(db, sight, filters, undefined, 0)
      assert.deepEqual(sorted(ranges.found), sorted(found.found), `${name}, words compared by whole ranges`)
      // With too many matches to look up, each event is compared; no match is never too many.
      const few = at < 3 ? await resolveMatches(db, sight, filters, 1) : found
      if (few.found && few !== found) assert.deepEqual(await read(few), each, name)
      if (at > 0) continue
      const keys = JSON.stringify([
        ...JSON.parse(ranges.found!.keys),
        ...Array.from({ length: 1_001 }, (_, i) => -1 - i),
      ])
      const many = { ...ranges, found: { ...ranges.found!, keys, keyCount: ranges.found!.keyCount + 1_001 } }
      assert.deepEqual(await read(many), each, `${name}, read by time`)
    }
  assert.ok(matched > 1_000, `${matched}`)
}

const inOrder = (keys: Iterable<number>): number[] => [...keys].sort((a, b) => a - b)

const sorted = (found: MatchedEvents | undefined): unknown => {
  const keys = JSON.parse(found!.keys) as number[]
  const edited = JSON.parse(found!.edited) as [number, number][]
  assert.deepEqual([found!.keyCount, found!.editedCount], [keys.length, edited.length])
  return [keys.toSorted((a, b) => a - b), edited.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])]
}

const isMatch = (item: Json, { words, categories, uid, status, visibility }: EventFilters): boolean => {
  const text = [item.title, item.description, item.location, item.category].filter(Boolean).join('\n')
  const own = wordsOf(text)
  return (
    (words === undefined || (words.length > 0 && words.every((word) => own.some((other) => other.startsWith(word))))) &&
    (categories === undefined || categories.includes(item.category)) &&
    (uid === undefined || item.uid === uid) &&
    (status === undefined || item.status === status) &&
    (visibility === undefined || item.visibility === visibility)
  )
}

const nameOf = ({ id, start, occurrence_key }: Json): string => `${id} ${start} ${occurrence_key}`

async function listPages(client: Client, query: string): Promise<string[]> {
  const names: string[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = (await client.get(`/events?${query}&per_page=200&page=${page}`)).body
    names.push(...data.map(nameOf))
    if (page >= meta.pagination.total_pages) {
      assert.equal(names.length, meta.pagination.total)
      return names
    }
  }
}

async function compareLists(world: World): Promise<void> {
  const window = 'from=2026-03-01T07:00&to=2026-08-30&timezone=America/Los_Angeles'
  for (const client of [world.anonymous, world.reader]) {
    const all: Json[] = (await client.get(`/events?${window}`)).body.data
    for (const filters of [...filtersToTry, ...(client === world.reader ? fullFilters : [])]) {
      const { words, categories = [], ...values } = filters
      if (words?.length === 0) continue
      const query = new URLSearchParams({ ...(words && { q: words.join(' ') }), ...values })
      for (const category of categories) query.append('category', category)
      const expected = all.filter((item) => isMatch(item, filters)).map(nameOf)
      const whole = (await client.get(`/events?${window}&${query}`)).body.data
      assert.deepEqual(whole.map(nameOf), expected, `${query}`)
      assert.deepEqual(await listPages(client, `${window}&${query}`), expected, `${query}`)
      const backwards = await listPages(client, `${window}&${query}&sort=-start`)
      assert.deepEqual(backwards, expected.toReversed(), `${query}`)
    }
  }
}

async function countTurns({ anonymous }: World): Promise<void> {
  const { result: answer, count } = await measureTurns(() =>
    anonymous.get('/public/events?from=2026-01-01&to=2028-01-01&per_page=1'),
  )
  assert.equal(answer.status, 200)
  assert.ok(count >= 5, `${count} turns`)
}

testInSharedWorld(
  'filters over long windows',
  { prepare: fill },
  {
    'matches resolved first are those found by comparing every occurrence': compareWaysToFind,
    'a filtered list is the list without other events, in pages or whole, for each sight': compareLists,
    'a long search yields to other requests': countTurns,
  },
)

forEachEngine('a search with very many matches does not block the event loop', (engine) =>
  withWorld(engine, async ({ app, writer, anonymous }) => {
    // More occurrences than a light list tests one by one.
    const [start, end, rrule] = ['2026-07-01T09:00', '2026-07-01T10:00', 'FREQ=DAILY;COUNT=500']
    const { id } = await writer.creates({ title: 'Open day', visibility: 'public', start, end, rrule })
    const { writes } = app.ctx.storage
    // In parts: a statement of a request has a time limit.
    for (let from = 1; from <= 190_000; from += 10_000)
      await rawQuery(
        writes,
        `with recursive c(n) as (select ${from} union all select n + 1 from c where n < ${from + 9_999})
          insert into public_words (event_key, local_at, word) select ${keyOfId(id)}, c.n, 'many' from c`,
        [],
      )
    await assertShortTurns('the search', { ms: 50 }, async (run) => {
      const { status } = await anonymous.get(`/public/events?q=many&from=2026-07-${10 + run}&to=2027-10-01`)
      assert.equal(status, 200)
    })
  }),
)
