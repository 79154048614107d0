// Pairs of calendars for tests of privacy: the same public events, private ones at the same times, every other word of them another.
import fc from 'fast-check'
import { isRecurring } from '../../src/domain/calendar/event.ts'
import { layOut, patternOf } from '../../src/domain/recurrence/occurrences.ts'
import { DAY_MS, dayOf, MINUTE_MS, type Wall } from '../../src/domain/time/instant.ts'
import { formatBasicDate, formatBasicLocal } from '../../src/domain/time/text.ts'
import { foldLine } from '../../src/ical/print.ts'
import { escapeText } from '../../src/ical/tree.ts'
import { calendar, decode } from '../ical/objects.ts'

/** What the public may know of an event, and what both calendars of a pair share. */
export interface Placing {
  visibility: 'public' | 'private'
  /** Written as cancelled; a private one may as well not be there. */
  isGone: boolean
  /** It was public once, under words of its own. */
  wasPublic: boolean
  zone: string
  allDay: boolean
  /** Days from the tenth of July 2026. */
  day: number
  quarter: number
  quarters: number
  rule: string | null
  extraDays: number[]
  /** By number of occurrence, as are those below. */
  deleted: number[]
  moved: { at: number; byQuarters: number }[]
}

/** What nobody but the keepers may know of a private event. */
export interface Words {
  title: string
  description: string
  location: string
  category: string
  uid: string
  status: 'CONFIRMED' | 'TENTATIVE'
  transparency: 'OPAQUE' | 'TRANSPARENT'
  hidingWord: 'PRIVATE' | 'CONFIDENTIAL' | 'X-OURS'
  /** Lines that only some client knows. */
  extras: string[]
  hasAlarm: boolean
  /** Its client writes lists backwards, rules in small letters, and zones by names of its own. */
  isOddClient: boolean
  /** Occurrences that have other words and stand where they stood. */
  reworded: number[]
  /** What is deleted in the one calendar is there and cancelled in the other. */
  cancelsInstead: boolean
  /** How often the title was changed since. */
  edits: number
  createdMinutesLate: number
}

export interface TwinEvent {
  placing: Placing
  /** Of a public event both calendars have the first. */
  words: readonly [Words, Words]
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

const wordsOf = (side: Side): fc.Arbitrary<Words> =>
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
    reworded: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
    cancelsInstead: fc.boolean(),
    edits: fc.constantFrom(0, 0, 0, 0, 1, 2),
    createdMinutesLate: fc.nat(5_000),
  })

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

/** Days before the tenth of July 2026: the nights the clocks change in London and New York, and times long past. */
const FAR_DAYS = [-103, -104, 107, 114, 115, -14_000, -3_000, 20_000]

const placing: fc.Arbitrary<Placing> = fc.record({
  visibility: fc.constantFrom('private', 'public'),
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
  rule: fc.constantFrom(null, null, ...RULES),
  extraDays: fc.uniqueArray(fc.nat(60), { maxLength: 2 }),
  deleted: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
  moved: fc.uniqueArray(fc.record({ at: fc.nat(5), byQuarters: fc.integer({ min: -40, max: 400 }) }), {
    maxLength: 2,
    selector: ({ at }) => at,
  }),
})

export const anyTwinEvents: fc.Arbitrary<TwinEvent[]> = fc.array(
  fc.record({ placing, words: fc.tuple(wordsOf(0), wordsOf(1)) }),
  { minLength: 2, maxLength: 8, size: 'max' },
)

/** The words of an event as this side has them. */
export const sideOf = ({ placing: { visibility }, words }: TwinEvent, side: Side): Words =>
  words[visibility === 'public' ? 0 : side]

export const uidOf = (event: TwinEvent, index: number, side: Side): string => `${sideOf(event, side).uid}-${index}`

/** The nominal starts of the first occurrences; none of an event that does not repeat. */
export function keysOf({ placing }: TwinEvent): Wall[] {
  const series = decode(calendar('SUMMARY:x', ...timeLines(placing, placing.zone, false)))
  if (!isRecurring(series)) return []
  const everything = { from: Date.UTC(1900, 0, 1), to: Date.UTC(2201, 0, 1) }
  return layOut(patternOf(series), everything, new Set(), 6).occurrences.map(({ key }) => key)
}

/** The event as a file has it, on one side, now or as it was when it was public. */
export function fileEvent(event: TwinEvent, index: number, side: Side, visibility = event.placing.visibility): string {
  const { placing } = event
  const words = sideOf(event, side)
  const { isOddClient, cancelsInstead } = words
  const tzid = isOddClient ? (OTHER_NAMES[placing.zone] ?? placing.zone) : placing.zone
  const uid = uidOf(event, index, side)
  const keys = keysOf(event)
  const has = (at: number): boolean => keys[at] !== undefined
  const deleted = placing.deleted.filter(has)
  const moved = placing.moved.filter(({ at }) => has(at) && !deleted.includes(at))
  const reworded = words.reworded.filter((at) => has(at) && ![...deleted, ...moved.map((move) => move.at)].includes(at))
  const isHidden = visibility === 'private'
  const cancelled = isHidden && cancelsInstead ? deleted : []
  const edited = [
    ...moved.map(({ at, byQuarters }) => edit(placing, tzid, keys[at]!, byQuarters, words.status)),
    ...reworded.map((at) => edit(placing, tzid, keys[at]!, 0, words.status)),
    ...cancelled.map((at) => edit(placing, tzid, keys[at]!, at * 4, 'CANCELLED')),
  ]
  const excluded = deleted.filter((at) => !cancelled.includes(at)).map((at) => keys[at]!)
  return [
    ...eventLines(uid, words, [
      ...timeLines(placing, tzid, isOddClient),
      ...exclusionLines(placing, tzid, excluded, isOddClient),
      `STATUS:${placing.isGone ? 'CANCELLED' : words.status}`,
      `CLASS:${isHidden ? words.hidingWord : 'PUBLIC'}`,
    ]),
    ...inOrder(edited, isOddClient).flatMap((lines) => eventLines(uid, words, lines, ' edited')),
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join('')
}

/** The same zones under names that other programs have for them. */
const OTHER_NAMES: Record<string, string> = {
  'Europe/London': 'GMT Standard Time',
  'America/New_York': 'Eastern Standard Time',
  'Asia/Kolkata': 'India Standard Time',
}

const inOrder = <T>(items: readonly T[], isBackwards: boolean): T[] => (isBackwards ? items.toReversed() : [...items])

function eventLines(uid: string, words: Words, times: string[], suffix = ''): string[] {
  const { title, description, location, category, transparency, extras, hasAlarm } = words
  const named = (name: string, value: string): string[] => (value ? [`${name}:${escapeText(value)}`] : [])
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    ...named('SUMMARY', `${title}${suffix}`),
    ...named('DESCRIPTION', description),
    ...named('LOCATION', location),
    ...named('CATEGORIES', category),
    `TRANSP:${transparency}`,
    ...extras.map((line) => line.replaceAll('@@', `${words.uid}@`).replaceAll('@', words.uid)),
    ...times,
    ...(hasAlarm
      ? ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', `DESCRIPTION:${escapeText(title)}`, 'END:VALARM']
      : []),
    'END:VEVENT',
  ]
}

const startOf = ({ day, quarter, allDay }: Placing): Wall =>
  Date.UTC(2026, 6, 10) + day * DAY_MS + (allDay ? 0 : quarter * 15 * MINUTE_MS)

function timeLines(placing: Placing, tzid: string, isOddClient: boolean): string[] {
  const { rule, extraDays } = placing
  const start = startOf(placing)
  const extra = inOrder(
    extraDays.map((days) => start + days * DAY_MS),
    isOddClient,
  )
  return [
    momentsLine('DTSTART', [start], placing, tzid),
    ...lengthLines(placing, start),
    ...(rule ? [`RRULE:${isOddClient ? rule.split(';').reverse().join(';').toLowerCase() : rule}`] : []),
    ...(extra.length > 0 ? [momentsLine('RDATE', extra, placing, tzid)] : []),
  ]
}

function lengthLines({ allDay, quarters }: Placing, start: Wall): string[] {
  if (!allDay) return quarters === 0 ? [] : [`DURATION:PT${quarters * 15}M`]
  return [`DTEND;VALUE=DATE:${formatBasicDate(dayOf(start) + 1 + (quarters % 3))}`]
}

/** In one line, or as an odd client has it: a line each, the last first, and one of them twice. */
function exclusionLines(placing: Placing, tzid: string, keys: readonly Wall[], isOddClient: boolean): string[] {
  if (keys.length === 0) return []
  if (!isOddClient) return [momentsLine('EXDATE', keys, placing, tzid)]
  return [...keys.toReversed(), keys[0]!].map((key) => momentsLine('EXDATE', [key], placing, tzid))
}

function edit(placing: Placing, tzid: string, key: Wall, byQuarters: number, status: string): string[] {
  const start = key + (placing.allDay ? Math.trunc(byQuarters / 40) * DAY_MS : byQuarters * 15 * MINUTE_MS)
  return [
    momentsLine('RECURRENCE-ID', [key], placing, tzid),
    momentsLine('DTSTART', [start], placing, tzid),
    ...lengthLines(placing, start),
    `STATUS:${status}`,
  ]
}

function momentsLine(name: string, walls: readonly Wall[], { allDay, zone }: Placing, tzid: string): string {
  if (allDay) return `${name};VALUE=DATE:${walls.map((wall) => formatBasicDate(dayOf(wall))).join(',')}`
  const readings = walls.map(formatBasicLocal)
  if (zone === 'UTC') return `${name}:${readings.map((reading) => `${reading}Z`).join(',')}`
  return `${name};TZID=${tzid}:${readings.join(',')}`
}
