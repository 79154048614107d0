// Helpers to build events and their exceptions in tests.
import assert from 'node:assert/strict'
import type { Series } from '../../../src/domain/calendar/event.ts'
import type { EventFields, FieldsPatch, OccurrenceFieldsPatch } from '../../../src/domain/calendar/fields.ts'
import { excludeOccurrence, overrideOccurrence } from '../../../src/domain/calendar/occurrence-update.ts'
import { patchSeries, replaceSeries, type SeriesUpdate } from '../../../src/domain/calendar/update.ts'
import { findKey, formatOccurrenceKey, parseOccurrenceKey } from '../../../src/domain/recurrence/occurrence-key.ts'
import { expand, patternOf } from '../../../src/domain/recurrence/occurrences.ts'
import { formatRule } from '../../../src/domain/recurrence/rule.ts'
import type { LocalMs } from '../../../src/domain/time/instant.ts'
import { formatInstant } from '../../../src/domain/time/text.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { AppError } from '../../../src/errors.ts'

export const DEFAULTS = { zone: 'Europe/London', visibility: 'private' } as const

const CHOIR: EventFields = { title: 'Choir', start: '2026-07-14T19:30', end: '2026-07-14T21:00' }

/** A choir evening in London, 14 July 2026, unless stated otherwise. */
export const create = (fields: Partial<EventFields> = {}): Series => createChange(fields).series

export const createChange = (fields: Partial<EventFields> = {}): SeriesUpdate =>
  replaceSeries('uid@example.org', { ...CHOIR, ...fields }, DEFAULTS)

export const replace = (current: Series, fields: Partial<EventFields> = {}): SeriesUpdate =>
  replaceSeries(current.uid, { ...CHOIR, ...fields }, DEFAULTS, current)

export const patch = (current: Series, fields: FieldsPatch): SeriesUpdate => patchSeries(current, fields, DEFAULTS)

/** The nominal start of a key, which must be one of the series. */
export function keyOf(series: Series, text: string): LocalMs {
  const parsed = parseOccurrenceKey(text)
  const wall = parsed && findKey(patternOf(series), parsed)
  assert.ok(wall !== undefined, `the series has no ${text}`)
  return wall
}

export const exclude = (series: Series, ...keys: string[]): Series =>
  keys.reduce((changed, key) => excludeOccurrence(changed, keyOf(changed, key)), series)

export const edit = (series: Series, key: string, fields: OccurrenceFieldsPatch): Series =>
  overrideOccurrence(series, keyOf(series, key), fields)

/** `start → end` in the event's own zone. */
export function when({ timing }: Pick<Series, 'timing'>): string {
  const zone = requireZone(timing.zone)
  return `${formatInstant(timing.startAt, zone)} → ${formatInstant(timing.startAt + timing.durationMs, zone)}`
}

export const keys = (series: Series, walls: readonly LocalMs[]): string[] =>
  walls.map((wall) => formatOccurrenceKey(wall, series.timing.allDay))

export const droppedKeys = (dropped: SeriesUpdate['dropped']): string[] =>
  dropped.map(({ occurrenceKey }) => occurrenceKey)

export const excludedKeys = (series: Series): string[] => keys(series, series.exclusions)

export const editedKeys = (series: Series): string[] =>
  keys(
    series,
    series.overrides.map(({ key }) => key),
  )

export const ruleText = ({ rule }: Series): string | null => (rule ? formatRule(rule) : null)

/** The keys of every occurrence that is not excluded, up to `limit`. */
export function standing(series: Series, limit = 50): string[] {
  const everything = { from: Date.UTC(1890, 0, 1), to: Date.UTC(2210, 0, 1) }
  const { occurrences } = expand(patternOf(series), everything, new Set(series.exclusions), limit)
  return keys(
    series,
    occurrences.map(({ key }) => key),
  )
}

/** `field code` of every problem; fails when there is none. */
export function problems(action: () => unknown): string[] {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'validation_failed', String(error))
    const { fields } = error.details as { fields: { field: string; code: string }[] }
    return fields.map(({ field, code }) => `${field} ${code}`)
  }
  assert.fail('nothing was refused')
}
