// Parsing iCalendar text: every line is kept as sent, and hostile text is refused quickly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isParseProblem, parseCalendar, parseInSteps } from '../../../src/ical/text/parse.ts'
import { printCalendar } from '../../../src/ical/text/print.ts'
import { findProperty, listComponents, listProperties, paramOf } from '../../../src/ical/text/tree.ts'
import { leastLongestPart, startWork } from '../../support/measure/effort.ts'
import { CLIENT_OBJECT, calendar, lines, parse } from '../objects.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 31)

const refusal = (text: string): string => {
  const result = parseCalendar(text)
  assert.ok(isParseProblem(result), 'it was read')
  return `${result.line}: ${result.problem}`
}

test('a client’s object is printed byte for byte as it was parsed', () => {
  assert.equal(printCalendar(parse(CLIENT_OBJECT)), CLIENT_OBJECT)
})

test('lines folded in odd places, with tabs, within names and escapes, are printed as they were parsed', () => {
  const odd = calendar(
    'SUM',
    ' MARY:a',
    '\tb',
    ' ',
    ' \\',
    ' n',
    'X-A;P="a;b:c,d";Q=1,"2,3",4:v:w;x',
    'x-lower;tzid=Europe/London:1',
    'DTSTART:20260714T090000Z',
  )
  const tree = parse(odd)
  assert.equal(printCalendar(tree), odd)
  const event = listComponents(tree, 'VEVENT')[0]!
  assert.equal(findProperty(event, 'SUMMARY')?.value, 'ab\\n')
  assert.equal(paramOf(findProperty(event, 'X-LOWER')!, 'TZID'), 'Europe/London')
})

test('parameters may be quoted and hold any separator', () => {
  const event = listComponents(parse(calendar('X-A;P="a;b:c,d";Q=1,"2,3",4;R=:v:w;x')), 'VEVENT')[0]!
  assert.deepEqual(findProperty(event, 'X-A')?.params, [
    { name: 'P', values: ['a;b:c,d'] },
    { name: 'Q', values: ['1', '2,3', '4'] },
    { name: 'R', values: [''] },
  ])
  assert.equal(findProperty(event, 'X-A')?.value, 'v:w;x')
})

test('bare line feeds, blank lines, a byte order mark and lower case are accepted', () => {
  const sloppy = `\uFEFFbegin:vcalendar\nVersion:2.0\n\nBEGIN:vevent\nuid:a\nEND:VEVENT\nend:VCalendar\n\n\n`
  const tree = parse(sloppy)
  assert.equal(tree.name, 'VCALENDAR')
  assert.equal(findProperty(listComponents(tree, 'VEVENT')[0]!, 'UID')?.value, 'a')
  assert.equal(
    printCalendar(tree),
    lines('BEGIN:VCALENDAR', 'Version:2.0', 'BEGIN:VEVENT', 'uid:a', 'END:VEVENT', 'END:VCALENDAR'),
  )
})

test('text that is not one whole component is refused with the line', () => {
  assert.equal(refusal(''), '1: the end is missing')
  assert.equal(refusal('BEGIN:VCALENDAR\r\n'), '2: the end is missing')
  assert.equal(refusal(lines('BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'END:VCALENDAR')), '3: END does not match BEGIN')
  assert.equal(refusal(lines('BEGIN:VCALENDAR', 'END:VCALENDAR', 'X-A:1')), '3: text after the end')
  assert.equal(
    refusal(lines('BEGIN:VCALENDAR', 'END:VCALENDAR', 'BEGIN:VCALENDAR', 'END:VCALENDAR')),
    '3: text after the end',
  )
  assert.equal(refusal(lines('X-A:1', 'BEGIN:VCALENDAR', 'END:VCALENDAR')), '1: a line outside any component')
  assert.equal(refusal(lines('END:VCALENDAR')), '1: a line outside any component')
  assert.equal(refusal('hello'), '1: a line has no name, no value or too many parameters')
  assert.equal(refusal('{"json": true}'), '1: a line has no name, no value or too many parameters')
})

test('malformed lines are refused', () => {
  const wrong = [
    'SUMMARY',
    'SUMMARY;X=1',
    ':value',
    ';X=1:value',
    'SUM MARY:x',
    'SUMMARY;:x',
    'SUMMARY;X:x',
    'SUMMARY;X="open:x',
    'SUMMARY;X Y=1:x',
    'ÄRGER:x',
    '=:x',
    'SUMMARY;X="a"b:x',
  ]
  for (const line of wrong) assert.match(refusal(calendar(line)), /^6: /, line)
})

test('control characters are removed from a line, and refused where they could hide its meaning', () => {
  const summaryOf = (...eventLines: string[]): string | undefined => {
    const tree = parse(calendar(...eventLines))
    assert.equal(printCalendar(parse(printCalendar(tree))), printCalendar(tree))
    return findProperty(listComponents(tree, 'VEVENT')[0]!, 'SUMMARY')?.value
  }
  assert.equal(summaryOf('SUMMARY:a\tb'), 'a\tb')
  for (const sign of ['\u0007', '\u001b', '\u007f']) assert.equal(summaryOf(`SUMMARY:a${sign}b`, ` ${sign}c`), 'abc')
  for (const sign of ['\r', '\u000b', '\u000c']) assert.equal(summaryOf(`SUMMARY:a${sign}b`), 'a b')
  const odd = listComponents(parse(calendar('DESCRIPTION;X=\u0001y:a\u000bb', 'X-A;P="\u0002:v')), 'VEVENT')[0]!
  assert.equal(findProperty(odd, 'DESCRIPTION')?.value, 'a\\nb')
  assert.equal(paramOf(findProperty(odd, 'DESCRIPTION')!, 'X'), 'y')
  assert.equal(findProperty(odd, 'X-A')?.value, 'v')
  for (const line of ['SUMMARY:a\0b', 'BEGIN:VALARM\u0007', 'END:V\u0001EVENT', 'SUM\u0001MARY:x'])
    assert.match(refusal(calendar(line)), /^6: /, JSON.stringify(line))
})

test('an X- line keeps its control characters, but none that ends a line for some programs', () => {
  const text = calendar('X-A;P=\u0001:a\u0002', ' \u001bb')
  assert.equal(printCalendar(parse(text)), text)
  const line = findProperty(listComponents(parse(text), 'VEVENT')[0]!, 'X-A')!
  assert.deepEqual([line.value, paramOf(line, 'P')], ['ab', ''])
  for (const sign of ['\r', '\u000b', '\u001c'])
    assert.equal(printCalendar(parse(calendar(`X-A:a${sign}CLASS:\u0001b`))), calendar('X-A:a CLASS:\u0001b'))
})

test('a line whose parameters cannot be parsed is kept as text if the service does not read it', () => {
  const kept = ['X-A;P="open:x', 'X-A;P="a"b:x', 'X-A;P:x', 'ATTENDEE;CN="a "b" c":mailto:a@example.org']
  const text = calendar(...kept)
  assert.equal(printCalendar(parse(text)), text)
  for (const line of ['X-A;P="open', 'SUMMARY;P="open:x', 'DTSTART;P="a"b:x'])
    assert.match(refusal(calendar(line)), /^6: /, line)
})

test('names with a meaning in JavaScript are ordinary names', () => {
  const tree = parse(calendar('__PROTO__:x'.replaceAll('_', '-'), 'CONSTRUCTOR;CONSTRUCTOR=1:x', 'TOSTRING:y'))
  const event = listComponents(tree, 'VEVENT')[0]!
  assert.equal(findProperty(event, 'VALUEOF'), undefined)
  assert.equal(findProperty(event, 'TOSTRING')?.value, 'y')
  assert.equal(paramOf(findProperty(event, 'CONSTRUCTOR')!, 'TOSTRING'), undefined)
})

test('at most sixteen components may be nested', () => {
  const nested = (depth: number) =>
    lines(
      ...Array.from({ length: depth }, (_, i) => `BEGIN:X${i}`),
      ...Array.from({ length: depth }, (_, i) => `END:X${depth - 1 - i}`),
    )
  assert.equal(isParseProblem(parseCalendar(nested(16))), false)
  assert.equal(refusal(nested(17)), '17: components are nested too deeply')
  assert.match(refusal(nested(10_000)), /nested too deeply/)
})

/** CPU time of this process, which other load does not change. */
const within = (milliseconds: number, what: string, action: () => void) => {
  const started = process.cpuUsage()
  action()
  const { user, system } = process.cpuUsage(started)
  const took = (user + system) / 1_000
  assert.ok(took < milliseconds, `${what} took ${Math.round(took)} ms`)
}

test('a line has a thousand values in its parameters at most', () => {
  parse(calendar(`X-A${';P=1'.repeat(1_000)}:x`))
  parse(calendar(`X-A;Q="a,b;c:";P=${'1,'.repeat(998)}1:x`))
  for (const line of [`X-A${';P=1'.repeat(1_001)}:x`, `X-A;Q=a;P=${'1,'.repeat(999)}1:x`])
    assert.match(refusal(calendar(line)), /too many parameters/)
})

test('hostile texts are refused or parsed quickly', () => {
  within(1_000, 'a million lines', () => assert.match(refusal('X:1\n'.repeat(1_000_000)), /too many lines/))
  within(1_000, 'one line of a million characters', () => parse(calendar(`X-A:${'a'.repeat(1_000_000)}`)))
  within(1_000, 'one line of two million', () =>
    assert.match(refusal(calendar(`X-A:${'a'.repeat(2_000_000)}`)), /too long/),
  )
  within(1_000, 'a line folded a hundred thousand times', () => parse(calendar(`X-A:${'\r\n b'.repeat(100_000)}`)))
  const tooMany = (line: string): void => assert.match(refusal(calendar(line)), /too many parameters/)
  within(1_000, 'a hundred thousand parameters', () => tooMany(`X-A${';P=1'.repeat(100_000)}:x`))
  within(1_000, 'a hundred thousand values', () => tooMany(`X-A;P=${'1,'.repeat(100_000)}1:x`))
  within(1_000, 'a hundred thousand open quotes', () => refusal(calendar(`X-A${';P="'.repeat(100_001)}:x`)))
  within(1_000, 'a hundred thousand semicolons', () => refusal(calendar(`X-A${';'.repeat(100_000)}:x`)))
  within(1_000, 'ten thousand alarms', () => parse(calendar('BEGIN:VALARM\r\nEND:VALARM\r\n'.repeat(10_000).trim())))
})

test('a text of very many lines is counted, parsed and unfolded in parts', () => {
  const texts = {
    'too many': '\n'.repeat(1_000_000),
    blank: '\n'.repeat(450_000),
    'folds of one character': calendar(`X-A:${'x\r\n '.repeat(450_000)}`),
    'empty folds': calendar(`X-A:${'\n '.repeat(450_000)}`),
  }
  for (const [name, text] of Object.entries(texts)) {
    const steps = parseInSteps(text)
    let pauses = 0
    while (!steps.next().done) pauses += 1
    assert.ok(pauses >= 400, `${name}: ${pauses} pauses`)
  }
})

test('lines with many parameters are parsed in short parts', () => {
  const line = `X-A${Array.from({ length: 300 }, (_, i) => `;P${i}=b`).join('')}:1`
  const text = calendar(...Array.from({ length: 400 }, () => line))
  const longestMs = leastLongestPart(() => parseInSteps(text))
  assert.ok(longestMs < 15, `${longestMs.toFixed()} ms`)
})

test('lines after a refused one cost nothing', () => {
  const blank = '\n'.repeat(450_000)
  const costOf = (text: string): number => {
    const work = startWork()
    for (let run = 0; run < 5; run++) refusal(text)
    return work()
  }
  const [refused, whole] = [costOf(`wrong${blank}`), costOf(blank)]
  assert.ok(refused < whole / 4, `${refused.toFixed()} of ${whole.toFixed()} ms`)
})

test(`any text is parsed or refused, never throws, and prints the same twice (DAYBOOK_SEED=${SEED})`, () => {
  const piece = fc.constantFrom(
    'BEGIN:A',
    'END:A',
    'BEGIN:VEVENT',
    'END:VEVENT',
    'X;P="',
    'X;P=1:2',
    ':',
    ';',
    ' fold',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '"',
    'é',
    '😀',
    '\\',
    '\0',
  )
  const text = fc
    .array(
      fc.oneof(
        piece,
        piece.map((line) => `${line}\r\n`),
        fc.string(),
      ),
      { maxLength: 30, size: 'max' },
    )
    .map((parts) => parts.join(''))
  const wrapped = text.map((inner) => `BEGIN:A\r\n${inner}\r\nEND:A\r\n`)
  fc.assert(
    fc.property(fc.oneof(text, wrapped), (source) => {
      const tree = parseCalendar(source)
      if (isParseProblem(tree)) return
      const once = printCalendar(tree)
      assert.equal(printCalendar(parse(once)), once)
    }),
    { seed: SEED, numRuns: 3_000 },
  )
})

test('a property given several times is listed in order', () => {
  const event = listComponents(parse(calendar('COMMENT:1', 'X-A:x', 'COMMENT:2')), 'VEVENT')[0]!
  assert.deepEqual(
    listProperties(event, 'COMMENT').map(({ value }) => value),
    ['1', '2'],
  )
})
