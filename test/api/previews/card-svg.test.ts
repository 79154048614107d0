// The layout of preview cards: wrapping, cutting, missing characters, Arabic from the right.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { drawCard } from '../../../src/api/previews/card-svg.ts'
import { readFont } from '../../../src/api/previews/font.ts'
import { cardOfSite } from '../../../src/api/previews/preview-card.ts'
import { startWork } from '../../support/measure/effort.ts'

const FONT = 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'
const font = readFont(readFileSync(createRequire(import.meta.url).resolve(FONT)))

const WHEN = 'Saturday 18 July 2026, 18:30 to 22:00'

/** The lines of text, from the top. */
const linesOf = (title: string, { site = 'Village', lines = [WHEN], mark = '' } = {}): string[] =>
  [...drawCard({ site, title, lines, mark }, font, 'x').matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(
    ([, text]) => text!,
  )

test('the font has letters of Europe and Arabic, and knows their widths', () => {
  for (const letter of 'AŴŷŻłŠőñßΩЖЯ·…’–ع') assert.ok(font.has(letter.codePointAt(0)!), letter)
  for (const letter of '日🎉क') assert.ok(!font.has(letter.codePointAt(0)!), letter)
  assert.ok(font.widthOf('W') > font.widthOf('i'))
  assert.ok(Math.abs(font.widthOf('Wi') - font.widthOf('W') - font.widthOf('i')) < 1e-9)
  assert.ok(font.widthOf('n') > 0.4 && font.widthOf('n') < 0.8)
})

test('a title wraps at spaces, and one that is too long ends with an ellipsis', () => {
  assert.deepEqual(linesOf('Choir'), ['Village', 'Choir', WHEN])
  const [, ...rest] = linesOf('An evening of talks about the history of the canal, its locks and its people '.repeat(4))
  const title = rest.slice(0, -1)
  assert.equal(title.length, 4)
  assert.match(title.at(-1)!, /\w…$/)
  for (const line of title) assert.ok(font.widthOf(line) * 54 <= 1_040, line)
  const word = linesOf('x'.repeat(200)).slice(1, -1)
  assert.ok(word.length > 1 && word.join('').startsWith('xxx'), 'a word without spaces is broken')
})

test('characters that the font has not are left out; a title of nothing else gives way to the time', () => {
  assert.deepEqual(linesOf('🎉 Summer 🌞 party 👩‍👩‍👧'), ['Village', 'Summer party', WHEN])
  const [site, ...time] = linesOf('日本語の祭り')
  assert.deepEqual([site, time.join(' ')], ['Village', WHEN])
  assert.deepEqual(linesOf('日本', { site: '日本', lines: [] }), [])
})

test('a cancelled event says so, and markup stays text', () => {
  assert.ok(linesOf('Choir', { mark: 'Cancelled' }).includes('Cancelled'))
  const svg = drawCard({ site: '&', title: '</text><image href="x"/>', lines: [], mark: '' }, font, 'x')
  assert.doesNotMatch(svg, /<image/)
})

test('Arabic and Hebrew begin at the right edge', () => {
  const svg = drawCard({ site: '', title: 'مهرجان الحصاد', lines: [WHEN], mark: '' }, font, 'x')
  assert.match(svg, /<text x="1120" [^>]*text-anchor="end"[^>]*>مهرجان/)
  assert.match(svg, /<text x="80" [^>]*text-anchor="start"[^>]*>Saturday/)
})

test('the text of a card is prepared in linear time, also where a letter has 60,000 accents', () => {
  const used = startWork()
  const card = cardOfSite({ name: `Fair${'\u0301\u0323'.repeat(30_000)}`, origin: 'https://example.org', root: '' })
  assert.ok(used() < 500, `${used()} ms`)
  assert.match(card.title, /^Fai/)
  assert.ok([...card.title].length <= 400)
})
