// What is computed of a header value is remembered for the last few values, and not for long ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rememberValues } from '../../../src/http/responses/remember-values.ts'

function counted() {
  const computed: string[] = []
  const of = rememberValues((value) => {
    computed.push(value)
    return value.toUpperCase()
  })
  return { of, computed }
}

test('a value is computed once while it is among the last sixteen', () => {
  const { of, computed } = counted()
  const values = Array.from({ length: 16 }, (_, i) => `gzip;q=0.${i}`)
  for (const value of [...values, ...values]) assert.equal(of(value), value.toUpperCase())
  assert.equal(computed.length, 16)
  assert.equal(of('br'), 'BR')
  assert.equal(of(values[0]!), values[0]!.toUpperCase())
  assert.equal(computed.length, 18)
})

test('a long value is not kept', () => {
  const { of, computed } = counted()
  const long = 'a'.repeat(201)
  for (const value of [long, long]) assert.equal(of(value), value.toUpperCase())
  assert.equal(computed.length, 2)
})
