// CalDAV paths: an href names the resource that its path names, however plain its characters are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPaths } from '../../src/caldav/paths.ts'
import type { Site } from '../../src/http/site.ts'
import { MAIN } from './support/events.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 4918)

const site: Site = {
  root: '',
  base: '/api',
  bareBase: undefined,
  davBase: '/caldav',
  bareDavBase: undefined,
  origin: 'https://example.org',
  isSecure: true,
}
const paths = createPaths(site)

test(`an href is what its path is, except with a query or fragment (DAYBOOK_SEED=${SEED})`, () => {
  const unit = fc.constantFrom(...'abZ09-_.@~', '%20', '%2F', '%', '/', '\\', '?', '#', ' ', '\n', 'é', '\u0001')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 4 }), (name) => {
      const href = MAIN + name
      const expected = /[?#]/.test(href) ? undefined : paths.find(href.trim())
      assert.deepEqual(paths.findHref(href, 'example.org', MAIN), expected, JSON.stringify(href))
    }),
    { seed: SEED, numRuns: 5_000 },
  )
  for (const name of ['', '.', '..', '...', '.a', 'a.', 'a@b', 'a'.repeat(251), 'a'.repeat(255), 'a'.repeat(256)])
    assert.deepEqual(paths.findHref(MAIN + name, undefined), paths.find(MAIN + name), name)
})
