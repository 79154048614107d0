// Precondition of a conditional write: which combinations of ETags, version and If-None-Match: * hold.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetsPrecondition } from '../../src/domain/precondition.ts'

const current = { version: 3, etag: () => '"now"' }

test('without a condition every write goes ahead', () => {
  assert.equal(meetsPrecondition({}, current), true)
  assert.equal(meetsPrecondition({}, undefined), true)
})

test('every condition that is given must hold', () => {
  assert.equal(meetsPrecondition({ version: 3 }, current), true)
  assert.equal(meetsPrecondition({ version: 2 }, current), false)
  assert.equal(meetsPrecondition({ etags: ['"old"', '"now"'] }, current), true)
  assert.equal(meetsPrecondition({ etags: ['"old"'] }, current), false)
  assert.equal(meetsPrecondition({ version: 3, etags: ['"old"'] }, current), false)
  assert.equal(meetsPrecondition({ version: 2, etags: ['"now"'] }, current), false)
  assert.equal(meetsPrecondition({ etags: [] }, current), false)
})

test('* matches what exists, and nothing else', () => {
  assert.equal(meetsPrecondition({ etags: ['*'] }, current), true)
  assert.equal(meetsPrecondition({ etags: ['*'] }, undefined), false)
})

test('a resource that must be new must not exist', () => {
  assert.equal(meetsPrecondition({ mustBeNew: true }, undefined), true)
  assert.equal(meetsPrecondition({ mustBeNew: true }, current), false)
  assert.equal(meetsPrecondition({ mustBeNew: true, etags: ['"now"'] }, current), false)
  assert.equal(meetsPrecondition({ version: 1 }, undefined), false)
})
