// CALDAV:time-range: parses it, and tests the instances of an event against it. RFC 4791 §9.9.
import type { Steps } from '../../domain/steps.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Component } from '../../ical/text/tree.ts'
import {
  ALL_TIME,
  editedInstances,
  type Instance,
  isEdit,
  overlaps,
  plainInstances,
  type ReadObject,
} from '../calendar-data/instances.ts'
import type { XmlElement } from '../xml/parse.ts'

/** `start` and `end` in UTC, one of which may be missing. Undefined when it is no valid range. */
export function parseTimeRange({ attributes }: XmlElement): Range | undefined {
  const [start, end] = [attributes.get('start'), attributes.get('end')]
  if (start === undefined && end === undefined) return undefined
  const from = start === undefined ? ALL_TIME.from : parseUtc(start)
  const to = end === undefined ? ALL_TIME.to : parseUtc(end)
  return from !== undefined && to !== undefined && from < to ? clamp({ from, to }) : undefined
}

function parseUtc(text: string): number | undefined {
  const time = /^\d{8}T\d{6}Z$/.test(text) ? parseTimeText(text) : undefined
  return time?.kind === 'instant' ? time.instant : undefined
}

/** Some clients ask from year 1 to year 9999; no event is that far out. */
const clamp = ({ from, to }: Range): Range => ({
  from: Math.min(Math.max(from, ALL_TIME.from), ALL_TIME.to - 1),
  to: Math.max(Math.min(to, ALL_TIME.to), ALL_TIME.from + 1),
})

/**
 * Whether a VEVENT has an instance in the range for which `isMeant` holds. Edited ones belong to the VEVENT that edits
 * them.
 */
export function* hasInstance(
  object: ReadObject,
  event: Component,
  range: Range,
  isMeant: (instance: Instance) => boolean = () => true,
): Steps<boolean> {
  if (!isEdit(object, event)) return yield* hasPlainInstance(object, range, isMeant)
  const instances = editedInstances(object).get(event) ?? []
  return instances.some((instance) => overlaps(instance, range) && isMeant(instance))
}

const FIRST_STEP = 31 * DAY_MS

/**
 * Searches in growing steps from the start, because ranges are often open: most series have an instance in the first
 * step. A series too dense to expand counts as a match: an extra object harms a client less than a missing one.
 */
function* hasPlainInstance(object: ReadObject, range: Range, isMeant: (instance: Instance) => boolean): Steps<boolean> {
  const { rule, timing } = object.series
  let from = Math.max(range.from, timing.startAt - 2 * DAY_MS)
  for (let step = rule ? FIRST_STEP : Number.POSITIVE_INFINITY; from < range.to; step *= 4) {
    const to = Math.min(range.to, from + step)
    const { instances, complete } = plainInstances(object, { from, to })
    if (!complete || instances.some(isMeant)) return true
    from = to
    yield
  }
  return false
}
