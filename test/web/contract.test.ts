// The typed client of the pages matches the API contract of the service.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CONTRACT_FILE, contractOf, readDescription } from '../../web/build/write-contract.ts'

test('the typed client is generated from the current contract (npm run contract updates it)', async () => {
  assert.equal(readFileSync(CONTRACT_FILE, 'utf8'), contractOf(await readDescription()))
})
