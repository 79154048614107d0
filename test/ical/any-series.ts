// Arbitrary series for property tests: zones, clock changes, extra, deleted and edited dates.
import fc from 'fast-check'
import { MAX_TEXT_CHARS } from '../../src/domain/calendar/fields.ts'
import { overrideOccurrence } from '../../src/domain/calendar/occurrence-update.ts'
import { expand, patternOf } from '../../src/domain/recurrence/occurrences.ts'
import { HOUR_MS } from '../../src/domain/time/instant.ts'
import { formatInstant, formatLocal } from '../../src/domain/time/text.ts'
import { requireZone } from '../../src/domain/time/zone.ts'
import { create } from '../domain/calendar/series.ts'
import { anyWebAddress } from '../support/any-text.ts'

const word = fc.string({
  unit: fc.constantFrom(...'abc é漢😀\\;,:"\n\'^%=- '.match(/./gsu)!),
  maxLength: 120,
  size: 'max',
})
const ZONES = [
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Africa/Monrovia',
  'UTC',
]

export const anySeries = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    allDay: fc.boolean(),
    // Half of them near clock changes in London and New York.
    wall: fc.oneof(
      fc.integer({ min: 0, max: 4 * 24 * 366 * 150 }).map((quarter) => Date.UTC(1950, 0, 1) + quarter * (HOUR_MS / 4)),
      fc
        .tuple(
          fc.constantFrom(Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25), Date.UTC(2026, 2, 8), Date.UTC(2026, 10, 1)),
          fc.integer({ min: 0, max: 12 }),
        )
        .map(([day, quarter]) => day + quarter * (HOUR_MS / 4)),
    ),
    asInstant: fc.boolean(),
    quarters: fc.integer({ min: 0, max: 300 }),
    rrule: fc.constantFrom(
      null,
      'FREQ=DAILY',
      'FREQ=WEEKLY;COUNT=9',
      'FREQ=MONTHLY',
      'FREQ=DAILY;INTERVAL=2;UNTIL=22000101T000000Z',
      // Most starts do not match these rules.
      'FREQ=WEEKLY;BYDAY=FR;COUNT=4',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA;COUNT=1',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA;UNTIL=21980101T000000Z',
      'FREQ=MONTHLY;BYDAY=2WE',
    ),
    extra: fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 3 }),
    words: fc.record({ title: word, description: word, location: word, category: word }),
    url: fc.option(anyWebAddress),
    status: fc.constantFrom('confirmed', 'tentative', 'cancelled'),
    visibility: fc.constantFrom('public', 'private'),
    transparency: fc.constantFrom('opaque', 'transparent'),
    excluded: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
    edited: fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 12 }),
        title: word,
        moveQuarters: fc.option(fc.integer({ min: 0, max: 5_000 })),
      }),
      { maxLength: 3 },
    ),
  })
  .map((given) => {
    const { zone, allDay, wall, asInstant, quarters, rrule, extra, words, excluded, edited, ...rest } = given
    const title = (text: string) => text.replaceAll('\n', ' ').trim() || 'x'
    const isRecurring = rrule !== null || extra.length > 0
    const text = (at: number) => {
      if (allDay) return formatLocal(at).slice(0, 10)
      return asInstant && !isRecurring ? formatInstant(at, requireZone(zone)) : formatLocal(at)
    }
    const length = allDay ? 86_400_000 * (1 + (quarters % 9)) : quarters * (HOUR_MS / 4)
    const start = text(wall)
    // A wall time in a gap may end up after an end read beyond it; an extra hour keeps the order.
    const end = text(wall + length + (allDay || (asInstant && !isRecurring) ? 0 : HOUR_MS))
    let series = create({
      ...rest,
      ...words,
      title: title(words.title),
      category: [...words.category].slice(0, MAX_TEXT_CHARS.category).join(''),
      timezone: zone,
      all_day: allDay,
      start,
      end,
      rrule,
      rdates: extra.map((days) => text(wall + days * 86_400_000 + (allDay ? 0 : HOUR_MS / 4))),
    })
    if (!isRecurring) return series
    const everything = { from: Date.UTC(1940, 0, 1), to: Date.UTC(2201, 0, 1) }
    const { occurrences } = expand(patternOf(series), everything, new Set(), 13)
    const exclusions = new Set(excluded.flatMap((index) => occurrences[index]?.key ?? []))
    series = { ...series, exclusions: [...exclusions].sort((a, b) => a - b) }
    for (const { at, title: own, moveQuarters } of edited) {
      const found = occurrences[at]
      if (!found || exclusions.has(found.key)) continue
      const shift = moveQuarters === null ? undefined : moveQuarters * (allDay ? 86_400_000 / 100 : HOUR_MS / 4)
      const moved = (instant: number) =>
        allDay ? formatLocal(instant).slice(0, 10) : formatInstant(instant, requireZone(zone))
      series = overrideOccurrence(series, found.key, {
        title: title(own),
        ...(shift === undefined ? {} : { start: moved(found.startAt + shift), end: moved(found.endAt + shift) }),
      })
    }
    return series
  })
