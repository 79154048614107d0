// memory_limit: caches and page caches are shares of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { loadConfig } from '../src/config.ts'
import { divideMemory } from '../src/memory-budget.ts'
import { openStorage } from '../src/storage/engine/open.ts'
import { makePlace } from './support/storage/engines.ts'

const MIB = 1_024 * 1_024
const CONNECTIONS = 4

test('all caches together stay below three fifths of memory_limit, and each response fits into its cache', () => {
  for (const limit of [128, 256, 512, 4_096]) {
    const { answers, feeds, feedParts, ...others } = divideMemory(limit)
    const { eventPages, calendarPages, pictures, davObjects, davTexts, davReports, sqlitePageKib } = others
    const dav = davObjects + davTexts.maxBytes + davReports.maxBytes
    const responses = 2 * (answers.maxBytes + answers.maxLongBytes) + feeds.maxBytes + feedParts.maxBytes
    const pages = eventPages.maxBytes + calendarPages.maxBytes + pictures.maxBytes
    assert.ok(responses + pages + dav + CONNECTIONS * sqlitePageKib * 1_024 < (limit * MIB * 3) / 5, `${limit}`)
    assert.ok(answers.maxAnswerBytes <= answers.maxLongBytes)
    for (const cache of [feeds, feedParts, eventPages, calendarPages, pictures, davTexts, davReports])
      assert.ok(cache.maxAnswerBytes <= cache.maxBytes)
  }
})

test('the page cache of a SQLite connection follows memory_limit', async () => {
  const place = await makePlace('sqlite')
  try {
    for (const limit of [128, 512]) {
      const storage = await openStorage(loadConfig({ ...place.settings, DAYBOOK_MEMORY_LIMIT: `${limit}` }))
      try {
        const { rows } = await sql<{ cache_size: number }>`pragma cache_size`.execute(storage.reads)
        assert.deepEqual(rows, [{ cache_size: -limit * 16 }])
      } finally {
        await storage.close()
      }
    }
  } finally {
    await place.remove()
  }
})
