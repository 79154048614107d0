// The first day of the week: by the reader's language on pages, by the calendar's own in the API, or fixed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '../../../src/domain/languages.ts'
import { weekStartOf } from '../../../src/domain/time/week-start.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, type WorldOptions, withWorld } from '../../support/world.ts'

const pageIn = async ({ anonymous }: World, language: string, query: string): Promise<string> => {
  const headers = { accept: 'text/html', 'accept-language': language }
  const page = await anonymous.send({ method: 'GET', url: `/?${query}`, headers })
  assert.equal(page.status, 200)
  return page.text
}

/** Abbreviations of the columns of a month. */
const headsOf = (page: string): string[] => [...page.matchAll(/<th [^>]*abbr="([^"]+)"/g)].map(([, name]) => name!)

const titleOf = (page: string): string => /<h1>(.*?)<\/h1>/s.exec(page)![1]!

/** Without the host. */
const linkOf = (page: string, rel: string): string =>
  new RegExp(`<link rel="${rel}" href="(?:https?://[^/]+)?([^"]*)"`).exec(page)![1]!.replaceAll('&amp;', '&')

const weekOfApi = async ({ anonymous }: World) => {
  const { meta } = (await anonymous.get('/public/events?view=week&from=2026-07-15')).body
  return [meta.range.from.slice(0, 10), meta.week_start]
}

const settled = (settings: Record<string, string>): WorldOptions => ({ settings })

test('weeks begin on Sunday for American readers, and on Monday for those of the other languages', () => {
  const sunday = LANGUAGES.filter((language) => weekStartOf(language) === 6)
  const monday = LANGUAGES.filter((language) => weekStartOf(language) === 0)
  assert.deepEqual([sunday, monday.length], [['en-US'], LANGUAGES.length - 1])
})

test('a runtime that knows nothing about weeks gives the same first days', () => {
  const expected = LANGUAGES.map(weekStartOf)
  const known = Object.getOwnPropertyDescriptor(Intl.Locale.prototype, 'getWeekInfo')!
  Reflect.deleteProperty(Intl.Locale.prototype, 'getWeekInfo')
  try {
    assert.deepEqual(LANGUAGES.map(weekStartOf), expected)
  } finally {
    Object.defineProperty(Intl.Locale.prototype, 'getWeekInfo', known)
  }
})

forEachEngine(
  'without a setting, each reader sees weeks of their language, and the API those of the calendar',
  (engine) =>
    withWorld(engine, async (world) => {
      const american = await pageIn(world, 'en-US', 'view=month&date=2026-07-01')
      assert.deepEqual(headsOf(american).slice(0, 2), ['Sunday', 'Monday'])
      const german = await pageIn(world, 'de', 'view=month&date=2026-07-01')
      assert.deepEqual(headsOf(german).slice(0, 2), ['Montag', 'Dienstag'])
      assert.match(titleOf(await pageIn(world, 'en-US', 'view=week&date=2026-07-15')), /^July 12\W+18, 2026$/)
      assert.match(titleOf(await pageIn(world, 'de', 'view=week&date=2026-07-15')), /^13\.\W+19\. Juli 2026$/)
      assert.deepEqual(await weekOfApi(world), ['2026-07-13', 'auto'])
      const { body } = await world.anonymous.get('/public/events?view=month')
      assert.equal('week_start' in body.meta, false, 'only a list of a week says so')
    }),
)

forEachEngine('the address of a week is in the same week for readers of all languages', (engine) =>
  withWorld(engine, async (world) => {
    for (const language of ['en-US', 'de']) {
      const page = await pageIn(world, language, 'view=week&date=2026-07-15')
      assert.equal(linkOf(page, 'canonical'), '/?view=week&date=2026-07-13', language)
      assert.equal(linkOf(page, 'next'), '/?view=week&date=2026-07-20', language)
    }
  }),
)

forEachEngine('the API begins the week as the language of the calendar does', (engine) =>
  withWorld(engine, async (world) => assert.deepEqual(await weekOfApi(world), ['2026-07-12', 'auto']), {
    ...settled({ DAYBOOK_LANGUAGE: 'en-US' }),
  }),
)

forEachEngine('a fixed first day wins over the language', (engine) =>
  withWorld(
    engine,
    async (world) => {
      assert.deepEqual(headsOf(await pageIn(world, 'de', 'view=month')).slice(0, 2), ['Samstag', 'Sonntag'])
      assert.deepEqual(headsOf(await pageIn(world, 'en-US', 'view=month')).slice(0, 2), ['Saturday', 'Sunday'])
      assert.deepEqual(await weekOfApi(world), ['2026-07-11', 'saturday'])
    },
    settled({ DAYBOOK_WEEK_START: 'saturday' }),
  ),
)
