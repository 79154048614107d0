// Choices on the calendar page of the service: several categories, the legend with its colours, and quick choices.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { layOutWeek } from '../../src/api/calendar-page/week-rows.ts'
import { categoryClass } from '../../src/domain/calendar/tones.ts'
import { shadeOf } from '../../src/domain/categories/category-colors.ts'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const pageAt = async ({ anonymous }: World, url: string): Promise<ApiResponse> => {
  const page = await anonymous.send({ method: 'GET', url, headers: { accept: 'text/html' } })
  assert.equal(page.status, 200, url)
  return page
}

/** Today is Friday 10 July 2026. */
async function plan({ writer, admin }: World): Promise<void> {
  for (const [title, day, category] of [
    ['Film', '10', 'Culture'],
    ['Market', '11', 'Trade'],
    ['Walk', '12', 'Outdoors'],
    ['Choir', '14', 'Culture'],
    ['Board', '15', 'Council'],
    ['Late', '17', 'Culture'],
  ] as const)
    await writer.creates({
      ...{ title, start: `2026-07-${day}T18:00`, end: `2026-07-${day}T19:00`, visibility: 'public', category },
    })
  const manage = async (body: object) => assert.equal((await admin.post('/admin/categories', body)).status, 201)
  await manage({ name: 'Culture', color: '#a3246a', description: 'Films & <songs>', visibility: 'public' })
  await manage({ name: 'Council', color: '#1f5fa8', visibility: 'internal' })
}

const namesOf = ({ text }: ApiResponse): string[] =>
  [...text.matchAll(/class="cal-name">(.*?)<\/span>/g)].map(([, name]) => name!.replace(/<[^>]*>/g, ''))

/** What the legend says, with the address of each category. */
const legendOf = ({ text }: ApiResponse): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<li><a class="button tone-plain[^>]* href="([^"]*)".*?<\/span>(.*?)<\/a>/g)].map(
      ([, href, name]) => [name!, href!.replaceAll('&amp;', '&')],
    ),
  )

forEachEngine('several categories are shown together, and the legend turns each of them on and off', (engine) =>
  withWorld(engine, async (world) => {
    await plan(world)
    const page = await pageAt(world, '/?view=list&category=Culture&category=Trade&category=Culture')
    assert.deepEqual(namesOf(page), ['Film', 'Market', 'Choir', 'Late'])
    assert.doesNotMatch(page.text, /so today is shown instead/, 'a repeated category is not odd')
    assert.equal(page.headers['x-robots-tag'], 'noindex')
    assert.deepEqual(legendOf(page), {
      Culture: '/?view=list&category=Trade',
      Outdoors: '/?view=list&category=Culture&category=Trade&category=Outdoors',
      Trade: '/?view=list&category=Culture',
    })
    assert.match(page.text, /<a class="button plain" rel="nofollow" href="\/\?view=list">Show all<\/a>/)
    assert.match(page.text, /title="Films &amp; &lt;songs&gt;"/)
    // The form keeps those that are chosen.
    assert.match(page.text, /<option value="">2 categories<\/option><option value="Outdoors">/)
    for (const name of ['Culture', 'Trade'])
      assert.equal(page.text.split(`<input type="hidden" name="category" value="${name}">`).length - 1, 2, name)
    assert.match(page.text, /calendar\.ics\?category=Culture&amp;category=Trade"/)
    assert.match(page.text, /<a class="button" href="\/\?view=week&amp;category=Culture&amp;category=Trade">Week</)
    const search = await pageAt(world, '/?found=ahead&category=Culture&category=Trade')
    assert.match(search.text, /<h1>Search: Culture, Trade<\/h1>/)
    assert.equal(legendOf(search).Trade, '/?category=Culture&found=ahead')
    const many = Array.from({ length: 30 }, (_, i) => `category=n${i}`).join('&')
    assert.match((await pageAt(world, `/?view=list&${many}`)).text, /20 categories/)
    const nothing = await pageAt(world, '/?view=day&date=2026-07-20&category=Trade&category=Outdoors')
    assert.match(
      nothing.text,
      /href="\/\?view=day&amp;category=Trade&amp;category=Outdoors&amp;found=ahead">Search all/,
    )
  }),
)

forEachEngine('the colours of public categories are in a style sheet that the policy allows by its hash', (engine) =>
  withWorld(engine, async (world) => {
    const bare = await pageAt(world, '/')
    assert.doesNotMatch(bare.text, /<style>/)
    assert.match(String(bare.headers['content-security-policy']), /style-src 'self';/)
    await plan(world)
    const page = await pageAt(world, '/')
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page.text)!
    assert.match(style, new RegExp(`^\\.${categoryClass('Culture')}\\{[^{}]*\\}$`))
    assert.ok(style.includes(shadeOf('#a3246a', 'light').ink) && style.includes(shadeOf('#a3246a', 'dark').ink))
    const hash = createHash('sha256').update(style).digest('base64')
    assert.ok(String(page.headers['content-security-policy']).includes(`style-src 'self' 'sha256-${hash}'; `))
    assert.match(page.text, new RegExp(`class="cal-event tone-plain ${categoryClass('Culture')} cal-line"`))
    assert.doesNotMatch(page.text, /Council|#1f5fa8/)
    assert.ok(!page.text.includes(categoryClass('Council')), 'an internal category has no class either')
  }),
)

forEachEngine('quick choices are links to lists of those days, kept until the day ends', (engine) =>
  withWorld(engine, async (world) => {
    await plan(world)
    const month = await pageAt(world, '/?view=month&category=Culture')
    assert.match(month.text, /<a href="\/\?when=weekend&amp;category=Culture">This weekend<\/a>/)
    for (const [when, title, names] of [
      ['today', 'Today: Friday 10 July 2026', ['Film']],
      ['weekend', 'This weekend: 11–12 July 2026', ['Market', 'Walk']],
      ['week', 'Next 7 days: 10–16 July 2026', ['Film', 'Market', 'Walk', 'Choir', 'Board']],
    ] as const) {
      const page = await pageAt(world, `/?when=${when}&view=month&date=2026-12-01`)
      assert.ok(page.text.includes(`<h1>${title}</h1>`), title)
      assert.deepEqual(namesOf(page), names)
      assert.match(page.text, new RegExp(`rel="canonical" href="http://localhost:8080/\\?when=${when}"`))
      assert.match(page.text, new RegExp(`href="/\\?when=${when}" aria-current="true"`))
      assert.equal(page.headers['x-robots-tag'], undefined)
      assert.doesNotMatch(page.text, /<link rel="(next|prev)"/)
      assert.equal(page.text.match(/aria-current="true"/g)!.length, 1, 'no view is marked')
    }
    assert.match((await pageAt(world, '/?when=weekend')).text, /rel="next" href="\/\?view=list&amp;date=2026-08-11"/)
    const { counts } = world.app.ctx.metrics.caches.get('calendar_pages')!
    const before = { ...counts }
    await pageAt(world, '/?when=today')
    assert.deepEqual([counts.hits, counts.misses], [before.hits + 1, before.misses], 'view and date are no other page')
    world.clock.at = Date.parse('2026-07-10T23:00:00Z')
    assert.deepEqual(namesOf(await pageAt(world, '/?when=today')), ['Market'], 'a day later')
    assert.match((await pageAt(world, '/?when=never')).text, /so today is shown instead/)
    world.clock.at = Date.parse('2026-08-10T10:00:00Z')
    assert.equal((await pageAt(world, '/?when=today')).headers['x-robots-tag'], 'noindex', 'nothing is on')
  }),
)

test('of a crowded day each height of the week shows what has room, and counts the rest', () => {
  const entry = (name: string, first: number, last = first) => ({ name, days: [first, last] as [number, number] })
  const days = layOutWeek(0, [
    entry('camp', 0, 1),
    entry('a', 1),
    entry('b', 1),
    ...['one', 'two', 'three'].map((name) => entry(name, 3)),
    ...['1', '2', '3', '4', '5', '6'].map((name) => entry(name, 5)),
  ])
  const needsOf = (day: number) => days[day]!.placed.map(({ needs }) => needs)
  const hiddenOf = (day: number) => days[day]!.hidden.map(({ capacity, count, gap }) => [capacity, count, gap])
  assert.deepEqual(needsOf(1), [3, 3])
  assert.deepEqual(hiddenOf(1), [[2, 2, 1]], 'below the bar of the day before')
  assert.deepEqual([needsOf(3), hiddenOf(3)], [[2, 3, 3], [[2, 2, 0]]])
  assert.deepEqual(needsOf(5), [2, 3, 4, 5])
  assert.deepEqual(hiddenOf(5), [
    [2, 5, 0],
    [3, 4, 0],
    [4, 3, 0],
    [5, 2, 0],
  ])
})

forEachEngine('a list has 2,000 lines at most, however many of its days the events last', (engine) =>
  withWorld(engine, async (world) => {
    const long = { start: '2026-07-01', end: '2026-08-31', all_day: true, visibility: 'public' }
    for (let i = 0; i < 70; i++) await world.writer.creates({ ...long, title: `Exhibition ${i}` })
    const lines = async (view: string): Promise<number> => namesOf(await pageAt(world, `/?view=${view}`)).length
    assert.equal(await lines('list'), 1_984, '64 events of 31 days')
    assert.match((await pageAt(world, '/?view=list')).text, /first 64 of 70 events/i)
    assert.equal(await lines('week'), 490)
  }),
)
