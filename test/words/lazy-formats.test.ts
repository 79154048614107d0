// Loading the words of all languages makes no formatter of Intl: each takes memory for its language, used or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'

const NAMES = ['DateTimeFormat', 'ListFormat', 'NumberFormat', 'PluralRules'] as const

test('words of pages and mails make their formatters when they are first used', async () => {
  const made: string[] = []
  for (const name of NAMES) {
    const construct = (target: object, given: unknown[]) => {
      made.push(`${name} ${given[0]}`)
      return Reflect.construct(target as new () => object, given)
    }
    Object.assign(Intl, { [name]: new Proxy(Intl[name] as unknown as new () => object, { construct }) })
  }
  await import('../../src/words/words.ts')
  await import('../../src/mail/compose.ts')
  assert.deepEqual(made, [])
  const { createJoin } = await import('../../src/words/join.ts')
  const { createPlural } = await import('../../src/words/plural.ts')
  const [join, plural] = [createJoin('de'), createPlural('pl')]
  assert.deepEqual(made, [])
  for (let i = 0; i < 2; i++) {
    assert.equal(join(['a', 'b', 'c']), 'a, b und c')
    assert.equal(plural(3, { one: 'plik', few: 'pliki', other: 'plików' }), 'pliki')
  }
  assert.deepEqual(made, ['ListFormat de', 'PluralRules pl'])
})
