// Words of a search in its results: which parts of a text are marked, and what is shown of a long one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf, markParts, searchedWords } from '../../src/words/search-marks.ts'
import { startWork } from '../support/measure/effort.ts'

const marked = (text: string, q: string): string =>
  markParts(text, searchedWords(q))
    .map((part) => (part.isFound ? `[${part.text}]` : part.text))
    .join('')

test('the beginnings of words that the search finds are marked, whatever their case and accents', () => {
  assert.equal(marked('Choir practice of the choirs', 'choir'), '[Choir] practice of the [choir]s')
  assert.equal(marked('Repair Café, café', 'CAFE'), 'Repair [Café], [café]')
  assert.equal(marked('Cafe\u0301 noir', 'café'), '[Cafe\u0301] noir')
  assert.equal(marked('The oﬃce', 'off'), 'The [oﬃ]ce')
  assert.equal(marked('Straße', 'stra'), '[Stra]ße')
  assert.equal(marked('日本語の会', '本'), '日[本]語の会')
  assert.equal(marked('Anton and Ann', 'an ann'), '[An]ton [an]d [Ann]')
  assert.equal(marked('In the middle', 'iddle'), 'In the middle')
  assert.equal(marked('Anything', ''), 'Anything')
})

test('of a long text the part around the first word is shown, cut between words', () => {
  const long = `${'before '.repeat(40)}choir ${'after '.repeat(40)}`
  const excerpt = excerptOf(long, searchedWords('choi'))!
  assert.match(excerpt, /^… before .* choir after .* …$/)
  assert.ok(excerpt.length < 170, excerpt)
  assert.equal(excerptOf('A\nchoir', searchedWords('choir')), 'A choir')
  assert.equal(excerptOf('nothing', searchedWords('choir')), undefined)
  assert.match(excerptOf(`choir${'x'.repeat(500)}`, searchedWords('choir'))!, /^choirx{20,100} …$/)
})

test('a word of many accents is marked in linear time', () => {
  const accents = '\u0301'.repeat(30_000)
  for (const word of [`${accents}choir`, `c${accents}hoir`, `choi${accents}r`]) {
    const used = startWork()
    assert.equal(markParts(word, ['choir']).length, 1)
    assert.ok(used() < 1_000, `${used()} ms`)
  }
})
