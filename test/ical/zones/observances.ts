// A second VTIMEZONE reader for tests: it shares no code with the printer or the matcher.
import assert from 'node:assert/strict'
import { type Component, findProperty, isComponent, listProperties } from '../../../src/ical/text/tree.ts'

const DAY = 86_400_000
const LAST_YEAR = 2201
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Offset in milliseconds at any instant: the latest onset at or before it decides. */
export function offsetsOf(definition: Component): (at: number) => number {
  const onsets = definition.children.filter(isComponent).flatMap(onsetsOf)
  onsets.sort((a, b) => a.at - b.at)
  return (at) => {
    let low = 0
    let high = onsets.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (onsets[middle]!.at <= at) low = middle + 1
      else high = middle
    }
    if (low === 0) assert.fail(`nothing is said of ${new Date(at).toISOString()}`)
    return onsets[low - 1]!.to
  }
}

function onsetsOf(observance: Component): { at: number; to: number }[] {
  const from = offset(findProperty(observance, 'TZOFFSETFROM')!.value)
  const to = offset(findProperty(observance, 'TZOFFSETTO')!.value)
  const start = local(findProperty(observance, 'DTSTART')!.value)
  const dates = listProperties(observance, 'RDATE').map(({ value }) => local(value))
  const rule = findProperty(observance, 'RRULE')?.value
  const ruled = rule === undefined ? [] : ruleWalls(rule, start, from)
  if (rule !== undefined) assert.equal(ruled[0], start, 'DTSTART follows its own rule')
  return [...new Set([start, ...dates, ...ruled])].map((wall) => ({ at: wall - from, to }))
}

function ruleWalls(rule: string, start: number, from: number): number[] {
  const match = /^FREQ=YEARLY;BYMONTH=(\d+);BYDAY=(-1|[1-4])(\w\w)(?:;UNTIL=(\w+)Z)?$/.exec(rule)
  assert.ok(match, rule)
  const until = match[4] === undefined ? Number.POSITIVE_INFINITY : local(match[4]) + from
  const time = start % DAY
  const walls: number[] = []
  for (let year = new Date(start).getUTCFullYear(); year <= LAST_YEAR; year++) {
    const days = daysOf(year, Number(match[1]), WEEKDAYS.indexOf(match[3]!))
    const wall = days.at(match[2] === '-1' ? -1 : Number(match[2]) - 1)! + ((time + DAY) % DAY)
    if (wall >= start && wall <= until) walls.push(wall)
  }
  if (Number.isFinite(until)) assert.equal(walls.at(-1), until, 'UNTIL is the last onset')
  return walls
}

/** All days of a month that are this weekday. */
function daysOf(year: number, month: number, weekday: number): number[] {
  const first = new Date(Date.UTC(year, month - 1, 1))
  const next = Date.UTC(year, month, 1)
  const days: number[] = []
  for (let day = first.getTime() + ((weekday - first.getUTCDay() + 7) % 7) * DAY; day < next; day += 7 * DAY)
    days.push(day)
  return days
}

const local = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'))

const offset = (text: string): number =>
  (text[0] === '-' ? -1 : 1) * (Number(text.slice(1, 3)) * 60 + Number(text.slice(3, 5))) * 60_000
