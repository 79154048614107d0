// Choice of the language of a page by the Accept-Language header.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLanguage, negotiateLanguage } from '../../src/domain/languages.ts'

const CASES: [accept: string | undefined, fallback: 'en-GB' | 'de' | 'en-US', expected: string][] = [
  [undefined, 'de', 'de'],
  ['', 'de', 'de'],
  ['de', 'en-GB', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'en-GB', 'de'],
  ['DE-ch', 'en-GB', 'de'],
  ['en-US,en;q=0.9', 'en-GB', 'en-US'],
  ['en;q=0.9', 'en-GB', 'en-GB'],
  ['en', 'en-US', 'en-US'],
  ['en-AU', 'en-US', 'en-GB'],
  ['fi,de;q=0.5', 'en-GB', 'de'],
  ['fi', 'de', 'de'],
  ['en;q=0.3,de;q=0.7', 'en-GB', 'de'],
  ['de;q=0,en', 'en-GB', 'en-GB'],
  ['de;q=0', 'en-GB', 'en-GB'],
  ['*', 'de', 'de'],
  ['fi,*;q=0.5,en-GB;q=0.4', 'de', 'de'],
  [' de ; q=0.8 , en-GB ; q=0.9 ', 'de', 'en-GB'],
  ['de;q=nonsense,en-GB;q=0.1', 'en-US', 'en-GB'],
  [',;,;;q=,', 'de', 'de'],
  [`${'x,'.repeat(30)}de`, 'en-GB', 'en-GB'],
]

for (const [accept, fallback, expected] of CASES)
  test(`Accept-Language ${String(accept).slice(0, 60)} with ${fallback} for the site gives ${expected}`, () => {
    assert.equal(negotiateLanguage(accept, fallback), expected)
  })

test('a tag that is not offered has no language', () => {
  for (const tag of ['', 'fi', 'den', 'x-de', 'd', '..', 'constructor']) assert.equal(findLanguage(tag), undefined, tag)
})
