// Reads the observances of a VTIMEZONE as changes of its offset. RFC 5545 §3.6.5.
import { expandRule, untilWall } from '../../domain/recurrence/expand.ts'
import { parseRule } from '../../domain/recurrence/rule.ts'
import { DAY_MS, HOUR_MS, type LocalMs, MINUTE_MS, SECOND_MS, wallOfDay } from '../../domain/time/instant.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import type { Range } from '../../domain/time/window.ts'
import type { OffsetChange } from '../../domain/time/zone.ts'
import { type Component, findProperty, isComponent, listProperties } from '../text/tree.ts'

/** Offsets in milliseconds. */
export interface ZoneTransition extends OffsetChange {
  from: number
}

/** A definition larger than any real one is not evaluated; one or two milliseconds. */
const MAX_OBSERVANCES = 500
const MAX_CHANGES = 2_000
const MAX_WORK = 60_000
/** Parsing an observance, and a letter of its rule, costs about as many steps of the expander. */
const OBSERVANCE_WORK = 100
const RULE_LETTER_WORK = 5

/** Steps of work left for further definitions. */
export interface ReadBudget {
  left: number
}

export const createReadBudget = (): ReadBudget => ({ left: MAX_WORK })

/** Those in the range, in order of time; undefined when there are none, too many, or one that cannot be parsed. */
export function readChanges(definition: Component, budget: ReadBudget, range: Range): ZoneTransition[] | undefined {
  const observances = definition.children.filter(isComponent)
  if (observances.length === 0 || observances.length > MAX_OBSERVANCES) return undefined
  const work = { left: Math.min(MAX_WORK, budget.left) }
  const allowed = work.left
  try {
    work.left -= observances.length * OBSERVANCE_WORK
    return work.left > 0 ? readObservances(observances, work, range) : undefined
  } finally {
    budget.left -= allowed - work.left
  }
}

function readObservances(
  observances: readonly Component[],
  work: ReadBudget,
  range: Range,
): ZoneTransition[] | undefined {
  const changes: ZoneTransition[] = []
  for (const observance of observances) {
    const from = readOffset(findProperty(observance, 'TZOFFSETFROM')?.value)
    const to = readOffset(findProperty(observance, 'TZOFFSETTO')?.value)
    const walls = from === undefined ? undefined : readWalls(observance, from, work, range)
    if (from === undefined || to === undefined || !walls || changes.length + walls.length > MAX_CHANGES)
      return undefined
    for (const wall of walls) changes.push({ at: wall - from, from, to })
  }
  return changes.sort((a, b) => a.at - b.at)
}

function readWalls(observance: Component, offset: number, work: ReadBudget, range: Range): LocalMs[] | undefined {
  const start = readWall(findProperty(observance, 'DTSTART')?.value ?? '')
  const dates = listProperties(observance, 'RDATE').flatMap(({ value }) => value.split(',', MAX_CHANGES + 1))
  if (start === undefined || dates.length > MAX_CHANGES) return undefined
  const walls = [start, ...dates.map(readWall)]
  if (!walls.every((wall) => wall !== undefined)) return undefined
  const rule = findProperty(observance, 'RRULE')
  if (!rule) return walls
  work.left -= rule.value.length * RULE_LETTER_WORK
  if (work.left <= 0) return undefined
  const more = expandYearly(rule.value.trim(), start, offset, work, range)
  return more && [...walls, ...more]
}

/** What a rule gives in the range, or in its last two years if they are earlier: only the last state before matters. */
function expandYearly(
  text: string,
  start: LocalMs,
  offset: number,
  work: ReadBudget,
  range: Range,
): LocalMs[] | undefined {
  const rule = parseRule(text)
  if (typeof rule === 'string' || rule.frequency !== 'YEARLY' || rule.count !== undefined) return undefined
  const last = rule.until ? untilWall(rule.until, (instant) => instant + offset) : range.to + DAY_MS
  const from = Math.min(range.from, last - 2 * 366 * DAY_MS)
  const limits = { from, to: range.to + DAY_MS, last, limit: MAX_CHANGES, work: work.left }
  const { walls, complete, workLeft } = expandRule(rule, start, limits)
  work.left = workLeft
  return complete ? walls : undefined
}

function readWall(text: string): LocalMs | undefined {
  const time = parseTimeText(text.trim())
  if (time?.kind === 'date') return wallOfDay(time.day)
  return time?.kind === 'local' ? time.wall : time?.written
}

function readOffset(text: string | undefined): number | undefined {
  const match = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text?.trim() ?? '')
  if (!match) return undefined
  const size = Number(match[2]) * HOUR_MS + Number(match[3]) * MINUTE_MS + Number(match[4] ?? 0) * SECOND_MS
  return match[1] === '-' ? -size : size
}
