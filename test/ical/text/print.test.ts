// Printing iCalendar text: escaping and folding that every reader undoes to the same text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldLine, printCalendar } from '../../../src/ical/text/print.ts'
import {
  component,
  escapeText,
  findProperty,
  property,
  splitList,
  unescapeText,
  withProperties,
} from '../../../src/ical/text/tree.ts'
import { startWork } from '../../support/measure/effort.ts'
import { parse, unfold } from '../objects.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 75)

const anyText = fc.string({
  unit: fc.constantFrom(...'ab é漢😀\\;,:"\n\'^%'.match(/./gsu)!),
  maxLength: 200,
  size: 'max',
})

test('backslash, comma, semicolon and line break are escaped, and nothing else is', () => {
  assert.equal(escapeText('a\\b;c,d:e"f\ng'), 'a\\\\b\\;c\\,d:e"f\\ng')
  assert.equal(escapeText('a\r\nb\rc'), 'a\\nb\\nc')
  assert.equal(unescapeText('a\\Nb\\nc\\\\n\\;\\,'), 'a\nb\nc\\n;,')
})

test(`escaped text comes back as it was (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.equal(unescapeText(escapeText(text)), text)
      assert.doesNotMatch(escapeText(text), /[\r\n]/)
    }),
    { seed: SEED, numRuns: 2_000 },
  )
})

test(`a list is split at its commas and not at those in its values (DAYBOOK_SEED=${SEED})`, () => {
  assert.deepEqual(splitList('a,b\\,c,d\\\\,e'), ['a', 'b\\,c', 'd\\\\', 'e'])
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 6 }), (values) => {
      assert.deepEqual(splitList(values.map(escapeText).join(',')).map(unescapeText), values)
    }),
    { seed: SEED, numRuns: 1_000 },
  )
})

test('a list of backslashes and commas is split quickly', () => {
  for (const value of [
    '\\'.repeat(200_000),
    '\\'.repeat(200_000) + ','.repeat(10),
    '\\,'.repeat(100_000),
    `${'\\'.repeat(500)},`.repeat(400),
  ]) {
    const workedMs = startWork()
    splitList(value)
    assert.ok(workedMs() < 500, `${value.slice(0, 3)}… took ${workedMs()} ms`)
  }
})

test(`a line is folded at 75 octets, never inside a character, and unfolds to itself (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', ' ', ';'), maxLength: 400, size: 'max' }),
      (text) => {
        const folded = foldLine(`SUMMARY:${text}`)
        const physical = folded.split('\r\n')
        for (const line of physical) {
          assert.ok(Buffer.byteLength(line) <= 75, `${Buffer.byteLength(line)} octets`)
          assert.ok(line.isWellFormed())
        }
        assert.ok(physical.slice(1).every((line) => line.startsWith(' ')))
        assert.equal(physical.map((line, i) => (i === 0 ? line : line.slice(1))).join(''), `SUMMARY:${text}`)
        // No line is folded before it has to be: the next character would not have fitted.
        for (const [i, line] of physical.slice(0, -1).entries()) {
          const next = [...physical[i + 1]!.slice(1)][0]!
          assert.ok(Buffer.byteLength(line + next) > 75)
        }
      },
    ),
    { seed: SEED, numRuns: 1_000 },
  )
})

test('75 octets fit on one line, 76 do not', () => {
  assert.equal(foldLine('a'.repeat(75)), 'a'.repeat(75))
  assert.equal(foldLine('a'.repeat(76)), `${'a'.repeat(75)}\r\n a`)
})

test('a parameter with separators is quoted, and a quote in it becomes an apostrophe', () => {
  const made = component('VEVENT', [property('X-A', 'v', { P: 'a;b', Q: 'plain', R: 'say "x, y"' })])
  assert.deepEqual(unfold(printCalendar(made))[1], 'X-A;P="a;b";Q=plain;R="say \'x, y\'":v')
})

test(`text on a line survives print and parse (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const made = component('VEVENT', [property('SUMMARY', escapeText(text), { X: 'a:b' }), property('X-AFTER', '1')])
      const read = parse(printCalendar(made))
      assert.equal(read.children.length, 2)
      assert.equal(unescapeText(findProperty(read, 'SUMMARY')!.value), text)
    }),
    { seed: SEED, numRuns: 1_000 },
  )
})

test('a property is replaced at its first position, and a new one comes after the last and before the components', () => {
  const event = component('VEVENT', [
    property('A', '1'),
    property('B', '1'),
    property('A', '2'),
    component('VALARM', []),
  ])
  const names = (node: typeof event) =>
    node.children.map((child) => ('value' in child ? `${child.name}=${child.value}` : child.name))
  assert.deepEqual(names(withProperties(event, 'A', [property('A', '3')])), ['A=3', 'B=1', 'VALARM'])
  assert.deepEqual(names(withProperties(event, 'A', [])), ['B=1', 'VALARM'])
  assert.deepEqual(names(withProperties(event, 'C', [property('C', '1')])), ['A=1', 'B=1', 'A=2', 'C=1', 'VALARM'])
})
