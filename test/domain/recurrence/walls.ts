// Helpers for rules and wall times in the recurrence tests.
import assert from 'node:assert/strict'
import { expandRule } from '../../../src/domain/recurrence/expand.ts'
import { parseRule, type Rule } from '../../../src/domain/recurrence/rule.ts'
import type { LocalMs } from '../../../src/domain/time/instant.ts'

/** `1997-09-02` or `1997-09-02 09:00` or `1997-09-02 09:00:30`. */
export function wall(text: string): LocalMs {
  const [date, time = '00:00'] = text.split(' ')
  const value = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}Z`)
  assert.ok(!Number.isNaN(value), `not a wall: ${text}`)
  return value
}

/** `1997-09-02 09:00`, with seconds where there are any. */
export const show = (value: LocalMs): string =>
  new Date(value).toISOString().slice(0, 19).replace('T', ' ').replace(/:00$/, '')

export const showDates = (walls: readonly LocalMs[]): string[] => walls.map((value) => show(value).slice(0, 10))

export function rule(text: string): Rule {
  const parsed = parseRule(text)
  assert.ok(typeof parsed === 'object', `${text}: ${parsed}`)
  return parsed
}

/** The first occurrences from the start on. */
export function first(text: string, start: string, limit = 10): string[] {
  return expandRule(rule(text), wall(start), { from: wall(start), to: Number.POSITIVE_INFINITY, limit }).walls.map(show)
}

export const firstDates = (text: string, start: string, limit = 10): string[] =>
  first(text, start, limit).map((value) => value.slice(0, 10))

/** The occurrences in a window of a series. */
export function within(text: string, start: string, from: string, to: string, limit = 10_000): string[] {
  return expandRule(rule(text), wall(start), { from: wall(from), to: wall(to), limit }).walls.map(show)
}
