// The types the pages are written against are those of the service.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CONTRACT_FILE, contractOf, readDescription } from '../../web/build/write-contract.ts'

test('the typed client is made from the contract as it is (npm run contract makes it anew)', async () => {
  assert.equal(readFileSync(CONTRACT_FILE, 'utf8'), contractOf(await readDescription()))
})
