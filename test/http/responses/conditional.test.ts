// If-Match and If-None-Match: known ETags are found, malformed lists change nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNotModified, readPrecondition } from '../../../src/http/responses/conditional.ts'

const TAG = '"abc"'

test('a known ETag is found anywhere in the list, whatever is beside it', () => {
  for (const header of [
    TAG,
    ` ${TAG} `,
    `${TAG},`,
    `,${TAG}`,
    `, ,\t${TAG} ,,`,
    `W/${TAG}`,
    `"x,y", ${TAG}`,
    `"x","y",W/"",${TAG}`,
    `"a,${'b,'.repeat(99)}",${TAG}`,
    '*',
  ])
    assert.equal(isNotModified(header, TAG), true, header)
})

test('a part of an ETag, a malformed list and an empty one match nothing', () => {
  for (const header of [
    undefined,
    '',
    ',',
    'abc',
    '"abc',
    'abc"',
    `x${TAG}`,
    `${TAG}x`,
    `${TAG} "x"`,
    `"x"${TAG}`,
    `"x,"abc",y"`,
    '"x,abc,y"',
    `W /${TAG}`,
    `WW/${TAG}`,
    `"a b", ${TAG}`,
    `*, ${TAG}`,
  ])
    assert.equal(isNotModified(header, TAG), false, `${header}`)
})

test('a write with a malformed list is refused', () => {
  assert.deepEqual(readPrecondition(`${TAG}, ,W/"x,y"`, {}).etags, [TAG, '"x,y"'])
  for (const header of ['', ',', 'abc', '"abc', `${TAG} "x"`])
    assert.throws(() => readPrecondition(header, {}), { code: 'invalid_header' }, header)
})

test('millions of commas and quotes are parsed to their end, once', () => {
  for (const part of [',', '"', '",', '"",', 'W/', ' ', '"a"\t'])
    assert.equal(isNotModified(part.repeat(2_000_000), TAG), false, part)
})
