// Non-interference: two calendars that differ only in private data give the same public bytes and headers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Response } from 'light-my-request'
import { etagOf } from '../src/actions/events/event-mapper.ts'
import { wordsOf } from '../src/domain/calendar/words.ts'
import { DAY_MS } from '../src/domain/time/instant.ts'
import { cookieNameOf } from '../src/http/guard/cookie.ts'
import { WHOLE_SERIES } from '../src/storage/events/derive.ts'
import { byRunLength } from './support/measure/run-length.ts'
import {
  addressOf,
  anyQuestion,
  coveredBy,
  DOORS,
  everythingToCover,
  headersOf,
  type PublicQuestion,
} from './support/privacy/public-questions.ts'
import { fill, NOW, openTwinWorlds, type TwinWorlds } from './support/privacy/twin-worlds.ts'
import { anyTwinEvent, anyTwinEvents, type TwinEvent } from './support/privacy/twins.ts'
import { type Engine, forEachEngine } from './support/storage/engines.ts'
import { ask, type World } from './support/world.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 42)
const WORLDS: Record<Engine, number> = byRunLength({ sqlite: 25, postgres: 8 }, { sqlite: 600, postgres: 200 })

interface Trial {
  /** How long after 10 July 2026 the requests are sent. */
  days: number
  events: TwinEvent[]
  questions: PublicQuestion[]
}

const anyTrial: fc.Arbitrary<Trial> = fc.record({
  days: fc.constantFrom(0, 0, 3, 107),
  events: anyTwinEvents,
  questions: fc.array(anyQuestion, { minLength: 1, maxLength: 20, size: 'max' }),
})

/** Shrinking a counterexample. It drops events and keeps the rest unchanged: each step fills two calendars. */
const SHORT_TRIAL: fc.Arbitrary<Trial> = fc.record({
  days: fc.constant(0),
  events: fc.array(fc.noShrink(anyTwinEvent), { minLength: 2, maxLength: 8, size: 'max' }),
  questions: fc.array(anyQuestion, { minLength: 1, maxLength: 20, size: 'max' }),
})

forEachEngine(`NI: private words change no byte of any public response (DAYBOOK_SEED=${SEED})`, async (engine) => {
  const worlds = await openTwinWorlds(engine)
  const covered = new Set<string>()
  try {
    assert.deepEqual(Object.keys(DOORS).sort(), openDoors(worlds.sides[0]), 'a new door needs questions too')
    await fc.assert(propertyOf(worlds, covered), { seed: SEED, numRuns: WORLDS[engine] })
    await askMissed(worlds, covered)
  } finally {
    await worlds.close()
  }
  const missed = everythingToCover().filter((name) => !covered.has(name))
  assert.deepEqual(missed, [], 'every door × view × filter was asked, and in every manner')
})

/** Requests that the random run left out, on one more pair of calendars. */
async function askMissed(worlds: TwinWorlds, covered: Set<string>): Promise<void> {
  const [events] = fc.sample(anyTwinEvents, { seed: SEED, numRuns: 1 })
  await fillBoth(worlds, events!, 0, async () => {})
  for (const question of fc.sample(anyQuestion, { seed: SEED, numRuns: 5_000 })) {
    const names = coveredBy(question)
    if (names.every((name) => covered.has(name))) continue
    await assertSame(worlds, question, events!)
    for (const name of names) covered.add(name)
  }
}

/** Every documented address with reads of events that need no credentials, and the pages of events. */
const openDoors = ({ app }: World): string[] =>
  Object.entries((app.openApi() as { paths: Record<string, { get?: { security: object[] } }> }).paths)
    .filter(([path, { get }]) => get && isOpen(get) && /^\/(?:public|events)\b(?!\/stream)/.test(path))
    .map(([path]) => path)
    .concat(eventPagesOf(app))
    .sort()

const eventPagesOf = ({ paths, site }: World['app']): string[] =>
  paths()
    .filter((path) => /^\/(?:events\/|feed\.|sitemap\.|oembed|preview\.|$)/.test(path.slice(site.root.length)))
    .map((path) => `page ${path.slice(site.root.length).replace(/:(\w+)/g, '{$1}')}`)

const isOpen = ({ security }: { security: object[] }): boolean =>
  security.length === 0 || security.some((way) => Object.keys(way).length === 0)

const propertyOf = (worlds: TwinWorlds, covered: Set<string>, plant: Plant = async () => {}, trials = anyTrial) =>
  fc.asyncProperty(trials, async ({ days, events, questions }) => {
    await fillBoth(worlds, events, days, plant)
    for (const question of questions) {
      await assertSame(worlds, question, events)
      for (const name of coveredBy(question)) covered.add(name)
    }
  })

async function fillBoth({ sides }: TwinWorlds, events: TwinEvent[], days: number, plant: Plant): Promise<void> {
  for (const { clock } of sides) clock.at = Date.parse(NOW) + days * DAY_MS
  const filled = sides.map((world, side) => fill(world, side as 0 | 1, events).then(() => plant(world)))
  // Both finish even if one fails: the next pair must not meet leftovers of this one.
  for (const result of await Promise.allSettled(filled)) if (result.status === 'rejected') throw result.reason
}

async function assertSame(
  { sides }: TwinWorlds,
  question: PublicQuestion,
  events: readonly TwinEvent[],
): Promise<void> {
  const url = addressOf(question, events, sides[0].app.site)
  const tag = await findTag(sides[0], question, url)
  const answers = sides.map((world) => put(world, question, url, tag === undefined ? {} : { 'if-none-match': tag }))
  const [one, two] = (await Promise.all(answers)).map(contentOf)
  assert.deepEqual(two, one, url)
}

/** The whole response, in its order, but for the two headers with the time and the request id. */
const contentOf = ({ statusCode, headers: { date: _, 'x-request-id': __, ...headers }, rawPayload }: Response) => ({
  status: statusCode,
  headers: Object.entries(headers),
  body: rawPayload.toString('latin1'),
})

const put = ({ app }: World, question: PublicQuestion, url: string, headers: Record<string, string> = {}) =>
  ask(app, {
    method: question.method,
    url,
    headers: { ...headersOf(question, cookieNameOf(app.ctx.secret)), ...headers },
  })

/**
 * An ETag that the client may know, always from one side: from the same request sent before, which only that side has
 * then answered already, or from what full readers get for its private events.
 */
async function findTag(world: World, question: PublicQuestion, url: string): Promise<string | undefined> {
  if (question.tag === 'none') return undefined
  if (question.tag === 'any') return '*'
  if (question.tag === 'known') return (await put(world, question, url)).headers.etag as string | undefined
  const { ctx } = world.app
  return (await privateRows(world)).map((row) => etagOf(row, ctx.secret)).join(', ') || undefined
}

const privateRows = ({ app }: World) =>
  app.ctx.storage.reads.selectFrom('events').selectAll().where('visibility', '=', 'private').execute()

/** A change to each side after it was filled. */
type Plant = (world: World) => Promise<void>

/** Possible mistakes, each of which leaks a little: the test above is only as good as what it finds of these. */
const LEAKS: Record<string, { once?: (world: World, isOn: () => boolean) => void; plant?: Plant }> = {
  'a header as long as a private title': {
    once(world, isOn) {
      world.app.server.addHook('onRequest', async (_request, reply) => {
        if (!isOn()) return
        const [row] = await privateRows(world)
        reply.header('x-served-by', 'a'.repeat(row?.title.length ?? 1))
      })
    },
  },
  'a tag of the version': {
    once(world, isOn) {
      world.app.server.addHook('onSend', async (_request, reply, payload) => {
        if (!isOn()) return payload
        const etag = reply.getHeader('etag')
        const [row] = await privateRows(world)
        if (etag) reply.header('etag', `"${row?.version}-${String(etag).slice(1)}`)
        return payload
      })
    },
  },
  'private words in the public’s index': {
    async plant(world) {
      const rows = (await privateRows(world)).flatMap(({ key, title }) =>
        wordsOf(title).map((word) => ({ event_key: key, local_at: WHOLE_SERIES, word })),
      )
      if (rows.length > 0)
        await world.app.ctx.storage.writes
          .insertInto('public_words')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },
  },
  'a stamp of the last change in the feed': {
    async plant({ app }) {
      await sql`update events set public_ical = replace(public_ical, 'CLASS:PRIVATE',
        'X-STAMP:' || cast(updated_at as text) || ${'\r\n'} || 'CLASS:PRIVATE') where visibility = 'private'`.execute(
        app.ctx.storage.writes,
      )
    },
  },
  'a transparent event that is not in the month': {
    async plant({ app }) {
      await sql`update occurrences set is_hidden = 1 where event_key in
        (select key from events where visibility = 'private' and transparency = 'transparent')`.execute(
        app.ctx.storage.writes,
      )
    },
  },
  'another time': {
    async plant({ app }) {
      await sql`update events set start_at = start_at + 60000 * length(title), start_local = start_local + 60000 * length(title)
        where visibility = 'private'`.execute(app.ctx.storage.writes)
    },
  },
}

test(`NI: the test finds every planted leak, and shrinks it (DAYBOOK_SEED=${SEED})`, async (t) => {
  const worlds = await openTwinWorlds('sqlite')
  // Hooks stay once they are set, so each checks whether it is active.
  let current = ''
  for (const [name, { once }] of Object.entries(LEAKS))
    for (const world of worlds.sides) once?.(world, () => current === name)
  try {
    for (const [name, { plant }] of Object.entries(LEAKS))
      await t.test(name, async () => {
        current = name
        const limits = { seed: SEED, numRuns: 100, endOnFailure: true }
        const outcome = await fc.check(propertyOf(worlds, new Set(), plant), limits)
        assert.ok(outcome.failed, 'a leak goes unnoticed')
        assert.match(String(outcome.errorInstance), /AssertionError.*: \//, 'and not for another reason')
      })
    current = 'a header as long as a private title'
    const { counterexample } = await fc.check(propertyOf(worlds, new Set(), undefined, SHORT_TRIAL), { seed: SEED })
    const [{ events, questions }] = counterexample!
    assert.deepEqual([events.length, questions.length], [2, 1])
  } finally {
    await worlds.close()
  }
})
