// Recurrence rules in the words of every language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '../../src/domain/languages.ts'
import { ruleInWords } from '../../src/words/rule-in-words.ts'
import { wordsFor } from '../../src/words/words.ts'
import { TRANSLATED_RULES } from './rules-by-language.ts'

for (const language of LANGUAGES)
  test(`rules in words: ${language}`, () => {
    const { rule: words } = wordsFor(language)
    const made = TRANSLATED_RULES.map(({ rule }) => [rule, ruleInWords(rule, words)])
    assert.deepEqual(
      made,
      TRANSLATED_RULES.map(({ rule, words: expected }) => [rule, expected[language]]),
    )
  })
