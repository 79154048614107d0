// Random pairs of calendars for privacy tests: the same public events and private times, but other private words.
import fc from 'fast-check'

/** What the public may know of an event, and what both calendars of a pair share. */
export interface Placing {
  visibility: 'public' | 'private'
  /** Of a public one: its category is internal, and another in each calendar. */
  isInternal: boolean
  /** Printed as cancelled; a private one may be missing instead. */
  isGone: boolean
  /** It was public once, with other words. */
  wasPublic: boolean
  zone: string
  allDay: boolean
  /** Days from 10 July 2026. */
  day: number
  quarter: number
  quarters: number
  rule: string | null
  extraDays: number[]
  /** The duration of the extra dates, where they are periods. */
  periodQuarters: number | null
  /** Only edited occurrences of the start and the extra dates; the series itself is not in the file. */
  isAlone: boolean
  /** By position in the list of `keysOf`, as are those below. */
  deleted: number[]
  moved: { at: number; byQuarters: number; longerBy: number }[]
}

/** What only full readers may know of a private event. */
export interface HiddenWords {
  title: string
  description: string
  location: string
  category: string
  uid: string
  status: 'CONFIRMED' | 'TENTATIVE'
  transparency: 'OPAQUE' | 'TRANSPARENT'
  hidingWord: 'PRIVATE' | 'CONFIDENTIAL' | 'X-OURS'
  /** Properties of one client only. */
  extras: string[]
  hasAlarm: boolean
  /** Its client writes lists backwards, rules in lower case, and its own TZIDs. */
  isOddClient: boolean
  /** Occurrences that have other words and keep their times. */
  reworded: number[]
  /** Whether what is deleted in one calendar is present and cancelled in the other. */
  cancelsInstead: boolean
  /** Leftovers of an earlier schedule, and dates without an occurrence. */
  leftovers: Leftover[]
  /** How often the title was changed later. */
  edits: number
  createdMinutesLate: number
}

const LEFTOVERS = ['excluded nowhere', 'given twice', 'added and excluded', 'cancelled nowhere', 'later end'] as const
export type Leftover = (typeof LEFTOVERS)[number]

export interface TwinEvent {
  placing: Placing
  /** For a public event both calendars use the first. */
  words: readonly [HiddenWords, HiddenWords]
}

export type Side = 0 | 1

/** Private words that a public event may have as well, and some that only one side has. */
const COMMON = ['Choir', 'surgery', 'Ärzte', 'private', 'event', 'Music']
const OWN = [
  ['aardvark', 'Anwalt', 'apple tree'],
  ['zebra', 'Zahnarzt', 'zoo at night'],
] as const

const junk = fc.string({ unit: fc.constantFrom(...'aé漢😀\\;,:"\'^%= -'), maxLength: 12 })

const text = (side: Side): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...OWN[side], ...COMMON), fc.oneof({ weight: 3, arbitrary: fc.constant('') }, junk))
    .map(([word, rest]) => `${word} ${rest}`.trim())

const EXTRAS = [
  'ATTENDEE;CN=@;PARTSTAT=ACCEPTED:mailto:@@example.org',
  'ORGANIZER;CN=@:mailto:@@example.org',
  'X-@-NOTE;X-BY=@:@',
  'GEO:51.5;-0.1',
  'PRIORITY:1',
  'COMMENT:@',
  'CONTACT:@',
  'ATTACH:https://example.org/@',
  'RELATED-TO:@',
  'URL:https://@.example.org/@',
  'COLOR:red',
  'CREATED:20200101T000000Z',
  'LAST-MODIFIED:20210101T000000Z',
  'SEQUENCE:17',
]

const wordsOf = (side: Side): fc.Arbitrary<HiddenWords> =>
  fc.record({
    title: text(side),
    description: fc.oneof(fc.constant(''), text(side)),
    location: fc.oneof(fc.constant(''), text(side)),
    category: fc.oneof(fc.constant(''), text(side)),
    uid: fc.constantFrom(...OWN[side]).map((word) => word.replaceAll(' ', '-')),
    status: fc.constantFrom('CONFIRMED', 'TENTATIVE'),
    transparency: fc.constantFrom('OPAQUE', 'TRANSPARENT'),
    hidingWord: fc.constantFrom('PRIVATE', 'CONFIDENTIAL', 'X-OURS'),
    extras: fc.subarray(EXTRAS, { maxLength: 5 }),
    hasAlarm: fc.boolean(),
    isOddClient: fc.boolean(),
    reworded: fc.uniqueArray(fc.nat(MAX_KEYS - 1), { maxLength: 4 }),
    leftovers: fc.subarray([...LEFTOVERS], { maxLength: 3 }),
    cancelsInstead: fc.boolean(),
    edits: fc.constantFrom(0, 0, 0, 0, 1, 2),
    createdMinutesLate: fc.nat(5_000),
  })

/** As many occurrences of a series as can be edited or requested, near and far. */
const MAX_KEYS = 14

const ZONES = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC']

const RULES = [
  'FREQ=DAILY;COUNT=5',
  'FREQ=WEEKLY;COUNT=6',
  'FREQ=WEEKLY;BYDAY=TU,FR',
  'FREQ=WEEKLY;BYDAY=SA;COUNT=4',
  'FREQ=MONTHLY;BYDAY=2TU',
  'FREQ=DAILY;INTERVAL=61;UNTIL=20991201T000000Z',
  'FREQ=YEARLY',
]

/** More than daily, by FREQ or by BY parts: of these the first 1,000 are listed. */
const FREQUENT_RULES = [
  'FREQ=HOURLY',
  'FREQ=MINUTELY;INTERVAL=30;COUNT=1100',
  'FREQ=SECONDLY;INTERVAL=1000;UNTIL=20991201T000000Z',
  `FREQ=DAILY;BYHOUR=${Array.from({ length: 13 }, (_, i) => i).join()};BYMINUTE=0,30`,
]

/** Series that reach the edges of the index: by its span, by its number of rows, and just to the end. */
const EDGE_RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;UNTIL=20280701T000000Z',
  'FREQ=DAILY;INTERVAL=3;UNTIL=20290301T000000Z',
  `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, i) => i).join()}`,
]

/** The span of the index on 10 July 2026. */
export const INDEX_EDGES = [Date.UTC(2025, 6, 1), Date.UTC(2028, 6, 1)] as const

/**
 * Days before 10 July 2026: the clock changes in London and New York, times long past, and the edges of the index.
 */
const FAR_DAYS = [-103, -104, 107, 114, 115, -14_000, -3_000, 20_000, -375, -374, 721, 722]

const anyPlacing: fc.Arbitrary<Placing> = fc.record({
  visibility: fc.constantFrom('private', 'public'),
  isInternal: fc.constantFrom(false, false, true),
  isGone: fc.constantFrom(false, false, false, false, false, true),
  wasPublic: fc.constantFrom(false, false, false, true),
  zone: fc.constantFrom(...ZONES),
  allDay: fc.constantFrom(false, false, true),
  day: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -40, max: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(...FAR_DAYS) },
  ),
  quarter: fc.nat(95),
  quarters: fc.oneof(fc.nat(12), fc.nat(300)),
  rule: fc.oneof(
    // Shrinks towards the first: with few rows a counterexample is shrunk quickly.
    { withCrossShrink: true },
    { weight: 8, arbitrary: fc.constantFrom(null, null, ...RULES) },
    { weight: 1, arbitrary: fc.constantFrom(...FREQUENT_RULES) },
    { weight: 1, arbitrary: fc.constantFrom(...EDGE_RULES) },
  ),
  extraDays: fc.uniqueArray(fc.nat(60), { maxLength: 2 }),
  periodQuarters: fc.constantFrom(null, null, 1, 4),
  isAlone: fc.constantFrom(false, false, false, false, false, true),
  deleted: fc.uniqueArray(fc.nat(MAX_KEYS - 1), { maxLength: 3 }),
  moved: fc.uniqueArray(
    fc.record({
      at: fc.nat(MAX_KEYS - 1),
      byQuarters: fc.integer({ min: -40, max: 400 }),
      longerBy: fc.constantFrom(0, 0, 3),
    }),
    { maxLength: 3, selector: ({ at }) => at },
  ),
})

/** All-day events have no hours, and no rule ends before it begins. */
const placing = anyPlacing.map((any) => {
  const isTimed = /HOUR|MINUTE|SECOND/.test(any.rule ?? '')
  const endsEarly = any.day > 700 && /UNTIL=202/.test(any.rule ?? '')
  return (any.allDay && isTimed) || endsEarly ? { ...any, rule: 'FREQ=DAILY' } : any
})

export const anyTwinEvent: fc.Arbitrary<TwinEvent> = fc.record({ placing, words: fc.tuple(wordsOf(0), wordsOf(1)) })

export const anyTwinEvents: fc.Arbitrary<TwinEvent[]> = fc.array(anyTwinEvent, {
  minLength: 2,
  maxLength: 8,
  size: 'max',
})

/** Internal categories of each side, as administrators named them, and as an event spells them. */
export const INTERNAL = [
  { name: 'Aardvark board', spelt: 'AÁRDVARK  board' },
  { name: 'zoo council, and all who come to it', spelt: 'Zoo council, and all who come to it' },
] as const

/** The words of an event on this side. */
export function sideOf({ placing: { visibility, isInternal }, words }: TwinEvent, side: Side): HiddenWords {
  if (visibility === 'private') return words[side]
  return isInternal ? { ...words[0], category: INTERNAL[side].spelt } : words[0]
}

export const uidOf = (event: TwinEvent, index: number, side: Side): string => `${sideOf(event, side).uid}-${index}`

export const indexOfUid = (uid: string): number => Number(uid.slice(uid.lastIndexOf('-') + 1))
