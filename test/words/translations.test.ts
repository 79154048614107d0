// Translations: each language has every text of the English source, no other, and none of an older English text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listReviewed, readRecord } from '../../web/build/review-words.ts'
import { fingerprintOf, readTexts, SOURCE, TRANSLATIONS } from '../../web/build/word-texts.ts'

const english = await readTexts(SOURCE)

/** Addresses, names of programs and the like that are the same in each language. */
const kindOf = (text: unknown): string => (typeof text === 'function' ? `function of ${text.length}` : typeof text)

test('English has the texts of pages, shared words and mails', () => {
  assert.ok(english.size > 800, `${english.size} texts`)
  for (const key of ['web/first frame.skip', 'web/server admin.settingsPage.saved', 'pages rule.every'])
    assert.ok(english.has(key), key)
})

for (const language of TRANSLATIONS.filter((name) => name !== 'american')) {
  test(`${language} has every text, and no other`, async () => {
    const texts = await readTexts(language)
    assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort())
    for (const [key, text] of texts) {
      assert.notEqual(text, '_', key)
      const source = english.get(key)
      if (source !== '') assert.notEqual(text, '', key)
      // A function may leave out arguments that its language does not need.
      assert.equal(kindOf(text).split(' ')[0], kindOf(source).split(' ')[0], key)
    }
  })
}

test('American English has only texts that English has', async () => {
  for (const key of (await readTexts('american')).keys()) assert.ok(english.has(key), key)
})

for (const language of TRANSLATIONS)
  test(`no text of ${language} is older than the English one: after a review run \`npm run words -- ${language}\``, async () => {
    const [before, now] = [readRecord(language), await listReviewed(language)]
    const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])]
    assert.deepEqual(
      keys.filter((key) => before[key] !== now[key]),
      [],
    )
  })

test('a text is known to have changed by its words, its function, and what its helpers say', () => {
  assert.notEqual(fingerprintOf('Save'), fingerprintOf('Store'))
  assert.notEqual(
    fingerprintOf((count: number) => `${count} more`),
    fingerprintOf((count: number) => `${count} others`),
  )
  const withHelper = (helper: (count: number) => string) => (count: number) => helper(count)
  assert.notEqual(
    fingerprintOf(withHelper((count) => `${count} dates`)),
    fingerprintOf(withHelper((count) => `${count} days`)),
  )
})
