// Converts RDATE;VALUE=PERIOD to RDATEs, plus overrides for other lengths. RFC 5545 §3.3.9.
import { parseTimeText } from '../../domain/time/text.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { decodeTiming, lengthOf } from '../decode.ts'
import { copyForOccurrence } from '../encode.ts'
import { printCalendar } from '../text/print.ts'
import {
  type Component,
  isComponent,
  type Property,
  paramOf,
  property,
  splitList,
  upperCaseAscii,
  withProperties,
} from '../text/tree.ts'
import { type LineMoment, parseDuration, readMomentValue } from '../times.ts'

/** The VEVENTs of an object: the series and its overrides, of which a later one replaces an earlier one. */
export interface SeriesComponents {
  main: Component
  edits: readonly Component[]
}

/** Each override is a copy of its event: together they may be as long as a whole object. */
const MAX_COPIED = 1_024 * 1_024

/**
 * All zones must be resolved. A period that repeats the start adds nothing; in an all-day series each is its first day.
 */
export function unrollPeriods(main: Component, ownZone: Zone): SeriesComponents | 'too_many_periods' {
  const isPeriods = (node: Property | Component): node is Property => !isComponent(node) && isPeriodLine(node)
  const lines = main.children.filter(isPeriods)
  if (lines.length === 0) return { main, edits: [] }
  const plain = { ...main, children: main.children.map((node) => (isPeriods(node) ? startsOf(node) : node)) }
  const timing = decodeTiming(plain, ownZone.name)
  if (!timing || timing.allDay) return { main: plain, edits: [] }
  const own = lines.flatMap((line) =>
    splitList(line.value).flatMap((text) => {
      const period = readPeriod(text, paramOf(line, 'TZID'), ownZone)
      const isOrdinary = !period || period.lengthMs === timing.durationMs || period.start.at === timing.startAt
      return isOrdinary ? [] : [{ line, text }]
    }),
  )
  const model = copyForOccurrence(plain)
  if (own.length > 0 && own.length * printCalendar(model).length > MAX_COPIED) return 'too_many_periods'
  return { main: plain, edits: own.map(({ line, text }) => editOf(model, line, text)) }
}

export const isPeriodLine = (line: Property): boolean =>
  line.name === 'RDATE' && upperCaseAscii(paramOf(line, 'VALUE') ?? '') === 'PERIOD'

/** Whether a period can be parsed, in any zone. */
export function isPeriod(text: string): boolean {
  const [start = '', end = '', ...more] = text.split('/')
  const isMoment = (part: string): boolean => !['date', undefined].includes(parseTimeText(part.trim())?.kind)
  if (more.length > 0 || !isMoment(start)) return false
  return isMoment(end) ? !endsBefore(start, end) : parseDuration(end) !== undefined && !/^\s*-/.test(end)
}

/** Both must be local or both in UTC; otherwise they cannot be compared. */
function endsBefore(start: string, end: string): boolean {
  const [from, to] = [parseTimeText(start.trim())!, parseTimeText(end.trim())!]
  if (from.kind === 'local' && to.kind === 'local') return to.wall < from.wall
  return !(from.kind === 'instant' && to.kind === 'instant' && to.instant >= from.instant)
}

interface Period {
  start: LineMoment
  lengthMs: number
}

function readPeriod(text: string, tzid: string | undefined, ownZone: Zone): Period | undefined {
  const [startText = '', endText = ''] = text.split('/')
  const start = readMomentValue(startText, tzid, ownZone)
  if (!start) return undefined
  const end = readMomentValue(endText, tzid, ownZone)
  const lengthMs = end ? end.at - start.at : lengthOf(endText, start)
  return lengthMs === undefined ? undefined : { start, lengthMs }
}

const startsOf = ({ name, params, value }: Property): Property => ({
  name,
  params: params.filter((param) => param.name !== 'VALUE'),
  value: splitList(value)
    .map((text) => startTextOf(text))
    .join(','),
})

export const startTextOf = (period: string): string => period.split('/', 1)[0]!.trim()

/** Copies the texts of the line, so that its zone is preserved. */
function editOf(model: Component, line: Property, text: string): Component {
  const tzid = paramOf(line, 'TZID')
  const at = (name: string, value: string): Property => property(name, value, tzid === undefined ? {} : { TZID: tzid })
  const [start, end] = text.split('/').map((part) => part.trim()) as [string, string]
  const endLine = parseTimeText(end) ? at('DTEND', end) : property('DURATION', end)
  let out = withProperties(model, 'DTSTART', [at('DTSTART', start)])
  out = withProperties(withProperties(out, 'DURATION', []), 'DTEND', [endLine])
  return withProperties(out, 'RECURRENCE-ID', [at('RECURRENCE-ID', start)])
}
