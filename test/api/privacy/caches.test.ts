// P24, P25: behind a shared cache no client gets another account's response or an outdated one.
import assert from 'node:assert/strict'
import { SHORT_WORD } from '../../support/privacy/planted-words.ts'
import { makeSharedCache } from '../../support/shared-cache.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { basicOf, withWorld } from '../../support/world.ts'

const secret = {
  title: 'zqtitle',
  description: 'zqdescription '.repeat(100),
  category: 'zqcategory',
  start: '2026-07-14T09:00',
  end: '2026-07-14T10:00',
  rrule: 'FREQ=DAILY;COUNT=9',
}

const CACHES = [
  ['that honours Vary', true],
  ['that does not know Vary', false],
] as const

/** Headers that browsers, programs and scripts send. */
const READERS: Record<string, string>[] = [
  {},
  { 'accept-encoding': 'gzip, deflate, br, zstd' },
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'identity' },
  { 'accept-encoding': 'br;q=0' },
]

for (const [kind, honoursVary] of CACHES) {
  forEachEngine(`P25: behind a cache ${kind}, a full reader’s response reaches no other client`, (engine) =>
    withWorld(engine, async ({ writer, anonymous, signIn }) => {
      const { id } = await writer.creates({ ...secret, visibility: 'private' })
      const cache = makeSharedCache(anonymous, honoursVary)
      const credentials = [
        ['authorization', basicOf('admin@example.org')],
        ['cookie', (await signIn('admin@example.org')).cookie],
      ] as const
      const paths = [
        '/events?view=month',
        '/events',
        `/events/${id}`,
        `/events/${id}/occurrences?view=month`,
        '/public/events?view=month',
        `/public/events/${id}`,
        '/public/sidebar-events',
        '/public/calendar.ics',
        `/public/events/${id}/event.ics`,
      ]
      for (const path of paths)
        for (const reader of READERS)
          for (const [name, value] of credentials) {
            const full = await cache.get(path, { ...reader, [name]: value })
            assert.equal(SHORT_WORD.test(full.text), path.startsWith('/events'), path)
            const masked = await cache.get(path, reader)
            assert.equal(masked.status, 200)
            assert.ok(!SHORT_WORD.test(masked.text), `${path} to a stranger`)
          }
      assert.ok(!SHORT_WORD.test(cache.dump()), 'nor does it lie in the cache')
      assert.ok(cache.reused() > 20, 'and what is public is really kept')
    }),
  )

  forEachEngine(`P24: behind a cache ${kind}, an event made private is masked from the next request on`, (engine) =>
    withWorld(engine, async ({ writer, anonymous }) => {
      const { id } = await writer.creates({ ...secret, visibility: 'public' })
      const cache = makeSharedCache(anonymous, honoursVary)
      const paths = [
        '/public/events?view=month',
        '/public/events?q=zqtitle',
        '/public/events?category=zqcategory',
        `/public/events/${id}`,
        '/public/sidebar-events',
        '/public/categories',
        '/public/calendar.ics',
        '/public/calendar.ics?category=zqcategory',
        `/public/events/${id}/event.ics`,
      ]
      const readAll = async (expected: boolean): Promise<void> => {
        for (const path of paths)
          for (const reader of READERS) {
            const answer = await cache.get(path, reader)
            assert.equal(answer.status, 200)
            assert.equal(SHORT_WORD.test(answer.text), expected, `${path} ${reader['accept-encoding']}`)
          }
      }
      for (let version = 1; version <= 3; version += 2) {
        await readAll(true)
        await writer.patch(`/events/${id}`, { visibility: 'private', version })
        await readAll(false)
        assert.ok(!SHORT_WORD.test(cache.dump()), 'nothing of it is left in the cache')
        await writer.patch(`/events/${id}`, { visibility: 'public', version: version + 1 })
      }
      await writer.delete(`/events/${id}`)
      for (const reader of READERS) assert.equal((await cache.get(`/public/events/${id}`, reader)).status, 404)
    }),
  )

  forEachEngine(`behind a cache ${kind}, every client gets an encoding it accepts`, (engine) =>
    withWorld(engine, async ({ writer, anonymous }) => {
      await writer.creates({ ...secret, visibility: 'public' })
      const cache = makeSharedCache(anonymous, honoursVary)
      for (let round = 0; round < 3; round++)
        for (const path of ['/public/events?view=month', '/public/calendar.ics'])
          for (const reader of [...READERS, ...READERS.toReversed()]) {
            const { headers, text } = await cache.get(path, reader)
            const form = headers['content-encoding'] as string | undefined
            const accepted = reader['accept-encoding'] ?? ''
            assert.ok(
              form === undefined || new RegExp(`\\b${form}\\b(?!;q=0)`).test(accepted),
              `${form} for ${accepted}`,
            )
            assert.equal(text, (await anonymous.get(path)).text)
          }
    }),
  )
}
