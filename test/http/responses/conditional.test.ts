// Lists of tags as readers and proxies write them: what is known is found, what is no list changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNotModified, readPrecondition } from '../../../src/http/responses/conditional.ts'

const TAG = '"abc"'

test('a known tag is found wherever it stands, whatever stands beside it', () => {
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

test('a part of a tag, a broken list and an empty one are nobody’s tag', () => {
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

test('who changes something is told that a list cannot be read', () => {
  assert.deepEqual(readPrecondition(`${TAG}, ,W/"x,y"`, {}).etags, [TAG, '"x,y"'])
  for (const header of ['', ',', 'abc', '"abc', `${TAG} "x"`])
    assert.throws(() => readPrecondition(header, {}), { code: 'invalid_header' }, header)
})

test('millions of commas and quotes are read to their end, once', () => {
  for (const part of [',', '"', '",', '"",', 'W/', ' ', '"a"\t'])
    assert.equal(isNotModified(part.repeat(2_000_000), TAG), false, part)
})
