// Helpers for tests of filters and calendar data.
import assert from 'node:assert/strict'
import type { ReadObject } from '../../../src/caldav/calendar-data/instances.ts'
import { parseDataRequest } from '../../../src/caldav/calendar-data/parse.ts'
import { selectData } from '../../../src/caldav/calendar-data/select.ts'
import { matchesFilter } from '../../../src/caldav/filter/match.ts'
import { type CalendarFilter, parseFilter } from '../../../src/caldav/filter/parse.ts'
import { parseXml } from '../../../src/caldav/xml/parse.ts'
import { runSteps } from '../../../src/domain/steps.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { AppError } from '../../../src/errors.ts'
import { createTzidResolver } from '../../../src/ical/zones/resolve-tzid.ts'
import { decode, parse } from '../../ical/objects.ts'

export function read(text: string, zone = 'Europe/London'): ReadObject & { text: string } {
  const [tree, series, own] = [parse(text), decode(text, zone), requireZone(zone)]
  return { text, tree, series, known: runSteps(createTzidResolver(tree, series, own)), zone: own }
}

export const filterOf = (inside: string): CalendarFilter =>
  parseFilter(parseXml(`<C:filter xmlns:C="urn:ietf:params:xml:ns:caldav">${inside}</C:filter>`))

/** A filter on VEVENT with this content. */
export const eventFilter = (inside: string): string =>
  `<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${inside}</C:comp-filter></C:comp-filter>`

export const matches = (inside: string, text: string, zone?: string): boolean =>
  matchesFilter(filterOf(eventFilter(inside)), read(text, zone))

/** `20260714T090000Z/20260714T100000Z`; one side may be empty. */
export function rangeXml(range: string, name = 'time-range'): string {
  const [start, end] = range.split('/')
  return `<C:${name}${start ? ` start="${start}"` : ''}${end ? ` end="${end}"` : ''}/>`
}

export const isIn = (range: string, text: string, zone?: string): boolean => matches(rangeXml(range), text, zone)

export const dataOf = (inside: string, text: string, attributes = '', zone?: string): string =>
  selectData(
    parseDataRequest(
      parseXml(`<C:calendar-data xmlns:C="urn:ietf:params:xml:ns:caldav" ${attributes}>${inside}</C:calendar-data>`),
    ),
    read(text, zone),
  )

/** The code of the refusal; fails when nothing is refused. */
export function refusal(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return error.code
  }
  assert.fail('nothing was refused')
}
