// Masking: each sight has exactly the documented keys, and a private event shows only its time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { STATUSES } from '../../../src/domain/calendar/event.ts'
import { MASKED_TITLE, type StoredEvent, show } from '../../../src/domain/privacy/mask.ts'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time/instant.ts'
import { anyWebAddress } from '../../support/any-text.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 8984)

/** An event with a different word in every field that is not time. */
const event = (fields: Partial<StoredEvent> = {}): StoredEvent => ({
  id: 'the-id',
  visibility: 'private',
  timing: { allDay: false, zone: 'Europe/London', startWall: HOUR_MS, startAt: 0, durationMs: 60_000 },
  details: {
    title: 'titleword',
    description: 'descriptionword',
    location: 'locationword',
    category: 'categoryword',
    url: 'https://urlword.example/',
    status: 'tentative',
  },
  isRecurring: true,
  rrule: 'FREQ=DAILY',
  repetition: { rrule: 'FREQ=DAILY', rdates: [2 * HOUR_MS], exdates: [HOUR_MS + DAY_MS], lastListed: undefined },
  exceptions: [
    { key: HOUR_MS + DAY_MS, type: 'excluded', createdAt: 77_001, createdBy: 'deleterword', changes: {} },
    {
      key: HOUR_MS + 2 * DAY_MS,
      type: 'overridden',
      createdAt: 77_002,
      createdBy: 'editorword',
      changes: { title: 'overrideword' },
    },
  ],
  record: {
    uid: 'uidword@host',
    transparency: 'transparent',
    version: 77_003,
    etag: '"etagword"',
    createdAt: 77_004,
    updatedAt: 77_005,
    createdBy: 'creatorword',
    updatedBy: 'updaterword',
  },
  ...fields,
})

const keysOf = (value: object | undefined): string[] => Object.keys(value ?? assert.fail('nothing was shown')).sort()

const SECRETS = [
  'titleword',
  'descriptionword',
  'locationword',
  'categoryword',
  'urlword',
  'tentative',
  'deleterword',
  'editorword',
  'overrideword',
  'uidword',
  'transparent',
  'etagword',
  'creatorword',
  'updaterword',
  '7700',
]

test('a masked event is its time, its id and two constant words', () => {
  const shown = show(event(), 'public')
  assert.deepEqual(keysOf(shown), ['id', 'isRecurring', 'level', 'repetition', 'timing', 'title', 'visibility'])
  assert.deepEqual(shown, {
    level: 'masked',
    id: 'the-id',
    visibility: 'private',
    timing: { allDay: false, zone: 'Europe/London', startWall: HOUR_MS, startAt: 0, durationMs: 60_000 },
    isRecurring: true,
    repetition: { rrule: 'FREQ=DAILY', rdates: [2 * HOUR_MS], exdates: [HOUR_MS + DAY_MS], lastListed: undefined },
    title: 'Private Event',
  })
  assert.equal(MASKED_TITLE, 'Private Event')
})

test('P22: a masked event lists no date without an occurrence, and its rule ends with its last occurrence', () => {
  const [start, extra] = [HOUR_MS, 2 * HOUR_MS]
  const shown = show(
    event({
      repetition: {
        rrule: 'FREQ=DAILY;UNTIL=19700105T031415Z',
        rdates: [extra, extra + DAY_MS, start + DAY_MS],
        exdates: [start + DAY_MS, extra + DAY_MS, start + 9 * DAY_MS, 5],
        lastListed: undefined,
      },
      exceptions: [
        { key: start + 2 * DAY_MS, type: 'overridden', createdAt: 0, createdBy: null, changes: {} },
        { key: extra + 3 * DAY_MS, type: 'overridden', createdAt: 0, createdBy: null, changes: {} },
      ],
    }),
    'public',
  )
  assert.deepEqual(shown?.repetition, {
    rrule: 'FREQ=DAILY;UNTIL=19700105T000000Z',
    rdates: [extra, extra + 3 * DAY_MS],
    exdates: [start + DAY_MS],
    lastListed: undefined,
  })
  const leftovers = { rrule: null, rdates: [extra], exdates: [extra], lastListed: undefined }
  const single = show(event({ repetition: leftovers, exceptions: [] }), 'public')!
  assert.deepEqual([single.isRecurring, single.repetition!.rdates, single.repetition!.exdates], [false, [], []])
})

test('a masked event contains none of the words, in no field and under no key', () => {
  const text = JSON.stringify(show(event(), 'public'))
  for (const word of SECRETS) assert.equal(text.includes(word), false, word)
})

test('fields added to storage later do not pass the mask', () => {
  const later = {
    ...event(),
    attendees: ['newword'],
    timing: { ...event().timing, note: 'newword' },
    repetition: { ...event().repetition!, note: 'newword' },
  } as StoredEvent
  assert.equal(JSON.stringify(show(later, 'public')).includes('newword'), false)
  const open = { ...later, visibility: 'public', details: { ...event().details, organiser: 'newword' } } as StoredEvent
  assert.equal(JSON.stringify(show(open, 'public')).includes('newword'), false)
})

test('a public event shows its words and its time, and no record fields', () => {
  const shown = show(event({ visibility: 'public' }), 'public')
  assert.deepEqual(keysOf(shown), ['details', 'id', 'isRecurring', 'level', 'repetition', 'timing', 'visibility'])
  assert.ok(shown?.level === 'open')
  assert.deepEqual(shown.details, event().details)
  const text = JSON.stringify(shown)
  for (const word of [
    'deleterword',
    'editorword',
    'overrideword',
    'uidword',
    'transparent',
    'etagword',
    'creatorword',
    'updaterword',
    '7700',
  ]) {
    assert.equal(text.includes(word), false, word)
  }
})

test('full readers see everything of every event', () => {
  for (const visibility of ['public', 'private'] as const) {
    const shown = show(event({ visibility }), 'full')
    assert.deepEqual(keysOf(shown), [
      'details',
      'exceptions',
      'id',
      'isRecurring',
      'level',
      'record',
      'repetition',
      'rrule',
      'timing',
      'visibility',
    ])
    const text = JSON.stringify(shown)
    for (const word of SECRETS) assert.equal(text.includes(word), true, word)
  }
})

test('a full event without its record is an error, never a partial event', () => {
  const { record: _, ...without } = event()
  assert.throws(() => show(without, 'full'))
})

test('a cancelled private event is hidden from the public, and a cancelled public one is not', () => {
  const cancelled = { ...event().details, status: 'cancelled' as const }
  assert.equal(show(event({ details: cancelled }), 'public'), undefined)
  assert.equal(show(event({ details: cancelled }), 'full')?.level, 'full')
  assert.equal(show(event({ details: cancelled, visibility: 'public' }), 'public')?.level, 'open')
})

test('a masked value shares no objects with its source', () => {
  const stored = event()
  const shown = show(stored, 'public')!
  assert.notEqual(shown.timing, stored.timing)
  assert.notEqual(shown.repetition, stored.repetition)
})

test(`two private events that differ in anything but time are shown alike (DAYBOOK_SEED=${SEED})`, () => {
  const words = fc.record({
    title: fc.string(),
    description: fc.option(fc.string()),
    location: fc.option(fc.string()),
    category: fc.option(fc.string()),
    url: fc.option(anyWebAddress),
    status: fc.constantFrom(...STATUSES.filter((status) => status !== 'cancelled')),
  })
  const record = fc.record({
    uid: fc.string(),
    transparency: fc.constantFrom('opaque' as const, 'transparent' as const),
    version: fc.nat(),
    etag: fc.string(),
    createdAt: fc.nat(),
    updatedAt: fc.nat(),
    createdBy: fc.option(fc.string()),
    updatedBy: fc.option(fc.string()),
  })
  fc.assert(
    fc.property(words, words, record, record, (detailsA, detailsB, recordA, recordB) => {
      const a = show(event({ details: detailsA, record: recordA, exceptions: [] }), 'public')
      const b = show(event({ details: detailsB, record: recordB }), 'public')
      assert.equal(JSON.stringify(a), JSON.stringify(b))
    }),
    { seed: SEED, numRuns: 300 },
  )
})
