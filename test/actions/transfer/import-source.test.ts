// Import source: reads a file in two passes by position; the same events as splitting its text, in bounded memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createReportBuilder } from '../../../src/actions/transfer/import-report.ts'
import { createTextSource, type ImportSource, indexSource } from '../../../src/actions/transfer/import-source.ts'
import { skippedEntry } from '../../../src/actions/transfer/plan-import.ts'
import { WINDOW_LENGTH } from '../../../src/ical/text/scan.ts'
import { type FilePart, isSplitProblem, type SkippedPart, splitCalendar } from '../../../src/ical/text/split.ts'
import { createYielder } from '../../../src/scheduling/event-loop.ts'
import { newId } from '../../../src/secrets.ts'
import { event } from '../../ical/files.ts'
import { startWork } from '../../support/measure/effort.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'

const options = { maxLines: Number.POSITIVE_INFINITY, pause: createYielder(), newId }

const TIMES = ['DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z']

const WORDS = `DESCRIPTION:${'Fête d’été. '.repeat(200)}`

const single = (uid: string, ...more: string[]): string => event(uid, ...TIMES, WORDS, ...more)

const calendar = (...lines: string[]): string => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${lines.join('')}END:VCALENDAR\r\n`

const zone = (name: string): string =>
  `BEGIN:VTIMEZONE\r\nTZID:${name}\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n`

/** Longer than a window, so that its end falls into the overlap. */
function longText(...components: string[]): string {
  const block = components.join('')
  const parts = Array.from({ length: Math.ceil((1.2 * WINDOW_LENGTH) / Buffer.byteLength(block)) }, (_, i) =>
    block.replaceAll('NUMBER', `${i}`),
  )
  return parts.join('')
}

const known = ({ name, uid, text, line, calendar }: FilePart) => ({
  name,
  uid,
  text,
  line,
  zoneName: calendar.zoneName,
  zones: [...calendar.definitions.keys()],
})

type KnownPart = ReturnType<typeof known> & { reason?: string }

const sorted = (parts: KnownPart[]): KnownPart[] => parts.sort((a, b) => a.line - b.line || (a.text < b.text ? -1 : 1))

function splitWhole(text: string): KnownPart[] {
  const split = splitCalendar(text, options.maxLines)
  assert.ok(!isSplitProblem(split), JSON.stringify(split))
  return sorted([
    ...split.events.flatMap(({ parts }) => parts.map(known)),
    ...split.skipped.map(({ part, reason }) => ({ ...known(part), reason })),
  ])
}

async function readByPosition(text: string): Promise<KnownPart[]> {
  const found: KnownPart[] = []
  const skip = ({ part, reason }: { part: FilePart; reason: string }) => found.push({ ...known(part), reason })
  const index = await indexSource(createTextSource(text), { ...options, onSkipped: skip })
  let lastId = ''
  for await (const { events, skipped } of index.batches()) {
    skipped.forEach(skip)
    for (const { id, parts } of events) {
      assert.ok(id > lastId, 'in the order of ids')
      lastId = id
      found.push(...parts.map(known))
    }
  }
  return sorted(found)
}

test('events are the same whether the whole text is split or a file is read by position', async () => {
  const long = `DESCRIPTION:${'四月\r\n '.repeat(30_000)}`
  const texts = {
    'overrides far from their series': calendar(
      single('series', 'RRULE:FREQ=DAILY'),
      longText(single('NUMBER')),
      single('series', 'RECURRENCE-ID:20260715T090000Z'),
    ),
    'components that are given up or no events': calendar(
      longText(
        single('NUMBER'),
        'BEGIN:VTODO\r\nUID:todo-NUMBER\r\nSUMMARY:Milch\r\nEND:VTODO\r\n',
        'BEGIN:VEVENT\r\nUID:open-NUMBER\r\nSUMMARY:Without an end\r\n',
        single('after-NUMBER', 'COMMENT:Grüße'),
      ),
    ),
    'long lines of several bytes a character': calendar(longText(single('NUMBER', long))),
    'a calendar around each event, zones and zone names behind it': longText(
      `\ufeff${calendar(single('NUMBER'), 'X-WR-TIMEZONE:Europe/Zürich\r\n', zone('Own Zone'))}`,
    ),
    'a message, known as one only at its end': calendar(longText(single('NUMBER')), 'METHOD:REPLY\r\n'),
  }
  for (const [name, text] of Object.entries(texts)) {
    const [expected, found] = [splitWhole(text), await readByPosition(text)]
    assert.equal(found.length, expected.length, name)
    assert.ok(found.length > 5, name)
    const differing = found.findIndex((part, i) => JSON.stringify(part) !== JSON.stringify(expected[i]))
    assert.deepEqual(found[differing], expected[differing], name)
  }
})

test('a component over 16 MiB or with too long a line is skipped, and the components after it are found', async () => {
  const large = event('large', ...TIMES, ...Array.from({ length: 70 }, () => `COMMENT:${'x'.repeat(250_000)}`))
  const wide = single('wide', `COMMENT:${`${'x'.repeat(1_000)}\r\n `.repeat(WINDOW_LENGTH / 1_000)}`)
  const found = await readByPosition(calendar(large, single('after'), wide, single('last')))
  assert.deepEqual(
    found.map(({ uid, reason }) => [uid, reason]),
    [
      ['large', 'too_large'],
      ['after', undefined],
      ['wide', 'line_too_long'],
      ['last', undefined],
    ],
  )
})

test('a file that is not UTF-8, not text, or not a calendar at its very end is refused before any event is read', async () => {
  const good = Buffer.from(calendar(longText(single('NUMBER'))))
  const refusalOf = (bytes: Buffer) =>
    indexSource(
      { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) },
      { ...options, onSkipped: () => {} },
    ).then(
      () => 'none',
      (error) => error.details?.reason ?? error.code,
    )
  const bad = Buffer.from(good)
  bad.write('\xff', good.length - 60, 'latin1')
  const cut = good.subarray(0, good.lastIndexOf('END:VCALENDAR'))
  assert.deepEqual(await Promise.all([good, bad, cut, Buffer.concat([good, Buffer.of(0)])].map(refusalOf)), [
    'none',
    'invalid_encoding',
    'the end is missing',
    'it is not text',
  ])
})

test('a skipped line may hold multi-byte characters across the end of a window', async () => {
  for (const shift of ['', 'x', 'xx']) {
    const line = `COMMENT:${shift}${'€'.repeat(WINDOW_LENGTH / 2)}`
    const found = await readByPosition(calendar(single('wide', line), single('last')))
    assert.deepEqual(
      found.map(({ uid, reason }) => [uid, reason]),
      [
        ['wide', 'line_too_long'],
        ['last', undefined],
      ],
    )
  }
})

test('a file that becomes shorter while it is read fails the import', async () => {
  const bytes = Buffer.from(calendar(longText(single('NUMBER'))))
  const shorter = { size: bytes.length + 1_000, read: (at: number, length: number) => bytes.subarray(at, at + length) }
  await assert.rejects(indexSource(shorter, { ...options, onSkipped: () => {} }), /the file changed while it was read/)
})

test('the index of a large file takes less than a hundred bytes for each event', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const inUse = (): number => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const count = byRunLength(100_000, 1_000_000)
  const before = inUse()
  const index = await indexSource(madeUpFile(count), { ...options, onSkipped: ({ reason }) => assert.fail(reason) })
  const perEvent = (inUse() - before) / count
  assert.equal(index.total, count)
  assert.ok(perEvent < 100, `${perEvent} bytes`)
})

/** Records of one length, generated when they are read: no memory holds the file. */
function madeUpFile(count: number): ImportSource {
  const record = (i: number): string => `BEGIN:VEVENT\r\nUID:${String(i).padStart(9, '0')}\r\nEND:VEVENT\r\n`
  const [head, tail] = ['BEGIN:VCALENDAR\r\n', 'END:VCALENDAR\r\n']
  const each = record(0).length
  const size = head.length + count * each + tail.length
  return {
    size,
    read(at, length) {
      const first = Math.max(0, Math.floor((at - head.length) / each))
      const last = Math.min(count, Math.ceil((at + length - head.length) / each))
      const records = Array.from({ length: Math.max(0, last - first) }, (_, i) => record(first + i)).join('')
      const text = `${first === 0 ? head : ''}${records}${last === count ? tail : ''}`
      const from = at - (first === 0 ? 0 : head.length + first * each)
      return Buffer.from(text.slice(from, from + length))
    },
  }
}

test('a report counts a million entries and lists ten thousand, skipped ones before others', () => {
  const report = createReportBuilder(false)
  for (let line = 1_000_000; line > 0; line--)
    report.add(
      line % 1_000 === 0
        ? { uid: `${line}`, title: '', result: 'skipped', reason: 'todo', line }
        : { uid: `${line}`, title: '', result: 'created', line },
    )
  const { created, skipped, events, isTruncated } = report.build()
  assert.deepEqual([created, skipped, events.length, isTruncated], [999_000, 1_000, 10_000, true])
  assert.equal(events.filter(({ reason }) => reason === 'todo').length, 1_000)
  assert.ok(events.every(({ line }, i) => i === 0 || line > events[i - 1]!.line))
})

test('a report without a list keeps no entry and counts all', () => {
  const report = createReportBuilder(false, 0)
  report.add({ uid: 'a', title: '', result: 'created', line: 1 })
  report.add({ uid: 'b', title: '', result: 'skipped', reason: 'todo', line: 2 })
  const { created, skipped, events, isTruncated } = report.build()
  assert.deepEqual({ created, skipped, events, isTruncated }, { created: 1, skipped: 1, events: [], isTruncated: true })
})

/** So many components, each begun and never ended, with so many lines in each. */
const unended = (count: number, lines: number): string =>
  calendar(...Array.from({ length: count }, (_, i) => `BEGIN:VEVENT\r\nUID:${i}\r\n${'A:1\r\n'.repeat(lines)}`))

const files: [name: string, text: string][] = [
  ['long components in one another', unended(20, 24_000)],
  ['short components in one another', unended(30_000, 0)],
  ['components with too many lines', unended(10, 50_500)],
  ['many short components', calendar(...Array.from({ length: 20_000 }, (_, i) => event(`${i}`, 'SUMMARY:A')))],
]

for (const [name, text] of files) {
  test(`indexing and reading a file yields to other work: ${name}`, async () => {
    const onSkipped = ({ part, reason }: SkippedPart): unknown => skippedEntry(part, reason)
    await assertShortTurns(name, { share: 0.4 }, async () => {
      const index = await indexSource(createTextSource(text), { ...options, onSkipped })
      for await (const batch of index.batches()) batch.skipped.forEach(onSkipped)
    })
  })
}

test('the title of a skipped component is found at little cost, however long the component is', () => {
  const part = (text: string): FilePart => ({
    name: 'VEVENT',
    uid: 'a',
    text,
    line: 1,
    calendar: {
      zoneName: undefined,
      definitions: new Map(),
      definitionsInAnyCase: new Map(),
      method: undefined,
      access: undefined,
    },
  })
  const titleOf = (...more: string[]): string => skippedEntry(part(event('a', ...more)), 'too_many_lines').title
  const long = 'A:1\r\n'.repeat(45_000).trimEnd()
  assert.equal(titleOf('SUMMARY:Choi\r\n r', long), 'Choir')
  assert.equal(titleOf('SUMMARY;LANGUAGE=en:Choir\\, again', long), 'Choir, again')
  const costOf = (...more: string[]): number => {
    const workedMs = startWork()
    for (let i = 0; i < 20; i++) titleOf(...more)
    return workedMs()
  }
  costOf('SUMMARY:Choir')
  const ratio = costOf('SUMMARY:Choir', long) / costOf('SUMMARY:Choir', 'A:1\r\n'.repeat(2_500).trimEnd())
  assert.ok(ratio < 8, `${ratio.toFixed(1)} times`)
})

test('the ids of new events come from the source of ids of the service', async () => {
  const idsWith = async (key: string): Promise<string[]> => {
    const source = createTextSource(calendar(single('A'), single('B')))
    const index = await indexSource(source, { ...options, newId: () => key, onSkipped: () => {} })
    const ids: string[] = []
    for await (const { events } of index.batches()) ids.push(...events.map(({ id }) => id))
    return ids
  }
  const first = await idsWith('one')
  assert.equal(new Set(first).size, 2)
  assert.deepEqual(await idsWith('one'), first)
  assert.notDeepEqual(await idsWith('other'), first)
})
