// Unicode normalisation in linear time: worst-case text costs in proportion to its length, wherever text is normalised.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLLATIONS } from '../../src/caldav/filter/text-match.ts'
import { checkPassword } from '../../src/domain/account/password.ts'
import { cleanText, foldText } from '../../src/domain/plain-text.ts'
import { Problems } from '../../src/domain/problems.ts'

const guesses = { common: new Set<string>(), context: [] }

const NORMALISING: Record<string, (text: string) => unknown> = {
  cleanText,
  foldText,
  checkPassword: (text) => checkPassword(text, guesses, new Problems()),
  'i;unicode-casemap': COLLATIONS.get('i;unicode-casemap')!,
}

/** Alternating marks of two classes: each has to be moved before all that follow of the other. */
const HARD: Record<string, string> = {
  'combining marks': '\u0307\u0323',
  'a sound mark that becomes a combining one': '\uff9e\u0323',
}

const cpuMs = (work: () => void): number => {
  const from = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** Some seconds where the time is quadratic, some milliseconds where it is linear. */
const MOST_MS = 500

for (const [name, normalise] of Object.entries(NORMALISING))
  for (const [kind, pair] of Object.entries(HARD))
    test(`${name} takes 50,000 of ${kind} in one pass`, () => {
      const text = `a${pair.repeat(25_000)}`
      const ms = cpuMs(() => normalise(text))
      assert.ok(ms < MOST_MS, `${ms} ms of CPU`)
    })

test('text with ordinary runs of marks is normalised as String.normalize does it', () => {
  for (const text of ['Café', 'Cafe\u0301', 'a\u0323\u0307b\u0307\u0323', '각', 'ﾊﾞ', 'নো', `x${'\u0301'.repeat(30)}`]) {
    assert.equal(cleanText(text), text.normalize('NFC'))
    assert.equal(
      foldText(text),
      text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase(),
    )
  }
})

test('i;unicode-casemap maps single characters, and none that grows', () => {
  const fold = COLLATIONS.get('i;unicode-casemap')!
  assert.equal(fold('straße ﬁne ŉ'), 'STRAßE FINE ʼN'.normalize('NFKD').replace('FINE', 'fiNE').replace('ʼN', 'ʼn'))
})
