// Random histories of categories and events on two nodes, compared with a model after every step.
import assert from 'node:assert/strict'
import { foldCategory } from '../../../src/domain/categories/category.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { createRandom, type SeededRandom } from '../../simulator/random.ts'
import { davOf } from '../../support/http/dav.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withTwoNodes } from '../../support/world.ts'

interface ModelCategory {
  id: string
  name: string
  color: string
  visibility: 'public' | 'internal'
  version: number
}

interface CategorizedEvent {
  id: string
  /** Of the calendar object. */
  name: string
  /** The first is the category. */
  values: string[]
  isPublic: boolean
  version: number
  /** The calendar object of this version. */
  text?: string
}

/** Some are spellings of others. */
const NAMES = ['Music', 'MUSIC', 'Art, old', 'Café', 'cafe', 'Straße', 'STRASSE', 'Sport\\s', 'Board']
const COLORS = ['#ffd400', '#0000ff', '#123456']
const STEPS = byRunLength(40, 600)
const SEED = Number(process.env.DAYBOOK_SEED ?? 1 + Math.floor(Math.random() * 1e9))

const escaped = (name: string): string => name.replace(/[\\,;]/g, (sign) => `\\${sign}`)

interface History {
  random: SeededRandom
  categories: ModelCategory[]
  events: CategorizedEvent[]
  /** A node for each request. */
  node(): World
}

const isSame = (one: string, other: string): boolean => foldCategory(one) === foldCategory(other)

const takenBy = ({ categories }: History, name: string, own?: ModelCategory): boolean =>
  categories.some((one) => one !== own && isSame(one.name, name))

async function addCategory(history: History): Promise<void> {
  const { random, categories } = history
  const name = random.pick(NAMES)
  const color = random.pick(COLORS)
  const visibility = random.isHit(0.3) ? 'internal' : 'public'
  const position = random.below(categories.length + 2)
  const made = await history.node().admin.post('/admin/categories', { name, color, visibility, position })
  if (takenBy(history, name)) return assert.equal(made.body.error.code, 'category_exists')
  assert.equal(made.status, 201, made.text)
  categories.splice(position, 0, { id: made.body.data.id, name, color, visibility, version: 1 })
}

async function changeCategory(history: History, change: 'name' | 'color' | 'position' | 'visibility'): Promise<void> {
  const { random, categories, events } = history
  if (categories.length === 0) return
  const category = random.pick(categories)
  const { name, version } = category
  const place = categories.indexOf(category)
  const wanted = {
    name: random.pick(NAMES),
    color: random.pick(COLORS),
    position: random.below(categories.length),
    visibility: random.isHit(0.5) ? ('internal' as const) : ('public' as const),
  }
  const changed = await history
    .node()
    .admin.patch(`/admin/categories/${category.id}`, { [change]: wanted[change], version })
  if (change === 'name' && takenBy(history, wanted.name, category))
    return assert.equal(changed.body.error.code, 'category_exists')
  assert.equal(changed.status, 200, changed.text)
  assert.equal(changed.body.data.renaming, false)
  const before = change === 'position' ? place : category[change]
  if (before === wanted[change]) return
  category.version += 1
  if (change === 'position') categories.splice(wanted.position, 0, ...categories.splice(place, 1))
  else Object.assign(category, { [change]: wanted[change] })
  if (change !== 'name') return
  const isFormer = (value: string): boolean =>
    value !== wanted.name && (isSame(value, name) || isSame(value, wanted.name))
  for (const event of events.filter(({ values }) => values.some(isFormer))) {
    const renamed = event.values.map((value) => (isFormer(value) ? wanted.name : value))
    event.values = renamed.filter((value, i) => value !== wanted.name || renamed.indexOf(value) === i)
    event.version += 1
    event.text = undefined
  }
}

async function dropCategory(history: History): Promise<void> {
  const { random, categories, events } = history
  if (categories.length === 0) return
  const category = random.pick(categories)
  const { id, name, visibility } = category
  const { admin } = history.node()
  const { etag } = (await admin.get('/categories')).body.data.find((one: { id: string }) => one.id === id)
  const dropped = await admin.delete(`/admin/categories/${id}`, { 'if-match': etag })
  if (visibility === 'internal' && events.some(({ values: [first] }) => isSame(first!, name)))
    return assert.equal(dropped.body.error.code, 'category_in_use')
  assert.equal(dropped.status, 204, dropped.text)
  categories.splice(categories.indexOf(category), 1)
}

async function addEvent({ random, events, node }: History): Promise<void> {
  const values = [...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(NAMES)))]
  const isPublic = random.isHit(0.7)
  const { writer } = node()
  const name = `e${events.length}.ics`
  const lines = [`CATEGORIES;X-P=1:${values.map(escaped).join(',')}`, `CLASS:${isPublic ? 'PUBLIC' : 'PRIVATE'}`]
  const put = await davOf(writer).put(`${MAIN}${name}`, eventText(`e${events.length}@example.org`, ...lines))
  assert.equal(put.status, 201, put.text)
  const [{ id }] = (await writer.get(`/events?uid=e${events.length}@example.org`)).body.data
  events.push({ id, name, values, isPublic, version: 1 })
}

async function editEvent({ random, events, node }: History, isRetitled: boolean): Promise<void> {
  if (events.length === 0) return
  const event = random.pick(events)
  const category = random.pick(NAMES)
  const body = isRetitled ? { title: `Title ${event.version}` } : { category }
  const edited = await node().writer.patch(`/events/${event.id}`, { ...body, version: event.version })
  assert.equal(edited.status, 200, edited.text)
  if (!isRetitled && event.values[0] === category) return
  if (!isRetitled) event.values = [category, ...event.values.slice(1)]
  event.version += 1
  event.text = undefined
}

/** The category as the public sees it. */
function shownOf({ categories }: History, { values: [first] }: CategorizedEvent): string | null {
  const managed = categories.find(({ name }) => isSame(name, first!))
  return managed?.visibility === 'internal' ? null : first!
}

async function compare(history: History): Promise<void> {
  const { categories, events } = history
  const { anonymous, reader, writer } = history.node()
  const listed = (await reader.get('/categories')).body.data
  assert.deepEqual(
    listed.map(({ name, color, visibility, version, position }: Record<string, unknown>) => ({
      name,
      color,
      visibility,
      version,
      position,
    })),
    categories.map(({ name, color, visibility, version }, position) => ({
      name,
      color,
      visibility,
      version,
      position,
    })),
  )
  const open = events.filter(({ isPublic }) => isPublic)
  const names = open.flatMap((event) => shownOf(history, event) ?? [])
  const counts = new Map([...Map.groupBy(names, (name) => name)].map(([name, of]) => [name, of.length]))
  const shown = (await anonymous.get('/public/categories')).body.data
  assert.deepEqual(new Map(shown.map((one: { name: string; count: number }) => [one.name, one.count])), counts)
  const placeOf = (name: string): number => categories.findIndex((one) => isSame(one.name, name))
  for (const { name, color_light } of shown) assert.equal(color_light !== undefined, placeOf(name) >= 0, name)
  const places = shown.map(({ name }: { name: string }) => placeOf(name)).filter((place: number) => place >= 0)
  assert.deepEqual(
    places,
    places.toSorted((a: number, b: number) => a - b),
  )
  const list = (await anonymous.get('/public/events?per_page=200')).body.data.filter(
    ({ visibility }: { visibility: string }) => visibility === 'public',
  )
  assert.deepEqual(
    new Map(list.map((one: { id: string; category: string | null }) => [one.id, one.category])),
    new Map(open.map((event) => [event.id, shownOf(history, event)])),
  )
  const feed = (await anonymous.get('/public/calendar.ics')).text.replaceAll('\r\n ', '')
  assert.deepEqual(
    [...feed.matchAll(/^CATEGORIES:(.*)\r$/gm)].map(([, value]) => value).sort(),
    names.map(escaped).sort(),
  )
  for (const event of events) {
    const { text } = await davOf(writer).get(`${MAIN}${event.name}`)
    const lines = [...text.replaceAll('\r\n ', '').matchAll(/^CATEGORIES[^:]*:(.*)\r$/gm)].map(([, value]) => value)
    assert.deepEqual(lines, [event.values.map(escaped).join(',')])
    assert.equal(event.text ?? text, text, 'an object changes with its version only')
    event.text = text
    assert.equal((await reader.get(`/events/${event.id}`)).body.data.version, event.version)
  }
}

forEachEngine(`histories of categories agree with a model (DAYBOOK_SEED=${SEED})`, (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const random = createRandom(SEED)
    const history: History = { random, categories: [], events: [], node: () => random.pick([one, two]) }
    let hadInternal = false
    const token = (await one.reader.get('/events?view=month')).body.meta.sync_token
    for (let step = 0; step < STEPS; step++) {
      const action = random.choose({
        add: 3,
        name: 3,
        color: 1,
        position: 2,
        visibility: 2,
        drop: 1,
        event: 3,
        title: 2,
        category: 2,
      })
      if (action === 'add') await addCategory(history)
      else if (action === 'drop') await dropCategory(history)
      else if (action === 'event' && history.events.length < 15) await addEvent(history)
      else if (action === 'title' || action === 'category') await editEvent(history, action === 'title')
      else if (action !== 'event') await changeCategory(history, action)
      await compare(history)
      hadInternal ||= history.categories.some(({ visibility }) => visibility === 'internal')
    }
    const answer = await two.reader.get(`/events/changes?since=${encodeURIComponent(token)}`)
    if (answer.status === 410) {
      assert.ok(hadInternal, 'only events whose category is hidden or shown are derived again, and read again')
      return
    }
    const changed = answer.body.data
    assert.deepEqual(
      new Map(changed.map((entry: { id: string; event: { version: number } }) => [entry.id, entry.event.version])),
      new Map(history.events.map(({ id, version }) => [id, version])),
    )
  }),
)
