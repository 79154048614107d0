// Waiting for a fact ends with the fact, or with a message that names it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor, withDeadline } from './wait-for.ts'

test('polling returns the first value found, also 0 and null', async () => {
  let asked = 0
  const find = () => (++asked < 3 ? undefined : asked)
  assert.equal(await waitFor('the third time', find, { everyMs: 0 }), 3)
  assert.equal(await waitFor('a number', () => 0), 0)
  assert.equal(await waitFor('null', async () => null), null)
})

test('a fact that never comes is named when the deadline ends the wait', async () => {
  const never = waitFor('the letter arrives', () => false, { everyMs: 0, deadlineMs: 5 })
  await assert.rejects(never, /waited 0 s in vain: the letter arrives/)
  await assert.rejects(withDeadline('the end', new Promise(() => {}), 5), /in vain: the end/)
})

test('work that ends in time gives its value or its failure', async () => {
  assert.equal(await withDeadline('a value', Promise.resolve(1)), 1)
  await assert.rejects(withDeadline('a failure', Promise.reject(new Error('its own'))), /its own/)
})
