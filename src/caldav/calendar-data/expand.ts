// CALDAV:expand: recurrence expansion into instances in UTC within a range. RFC 4791 §9.6.5.
import { isRecurring, type Timing } from '../../domain/calendar/event.ts'
import { isFrequent } from '../../domain/recurrence/sub-daily-limit.ts'
import type { Steps } from '../../domain/steps.ts'
import { DAY_MS, type Instant, type LocalMs } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { fail } from '../../errors.ts'
import { SERIES_LINES } from '../../ical/import/read-parts.ts'
import { printInPieces } from '../../ical/text/print.ts'
import {
  type Component,
  findProperty,
  isComponent,
  type Property,
  paramOf,
  withProperties,
} from '../../ical/text/tree.ts'
import { momentLine, parseLength, readMomentLine, utcLine } from '../../ical/times.ts'
import { text } from '../xml/write.ts'
import { editedInstances, type Instance, nominalRange, overlaps, plainInstances, type ReadObject } from './instances.ts'

/** Per object and response. */
const MAX_INSTANCES = 1_000
/** Per object and response, as escaped for XML: each instance repeats the whole VEVENT. */
const MAX_OBJECT_OCTETS = 8 * 1_048_576
/** Of the instances of all objects in one response. */
const MAX_ANSWER_OCTETS = 64 * 1_048_576

/** Octets that further instances in the same response may take. */
export interface ExpansionBudget {
  left: number
}

export const createExpansionBudget = (): ExpansionBudget => ({ left: MAX_ANSWER_OCTETS })

export interface ExpandedObject {
  /** The calendar without its events and zones. */
  shell: Component
  /** Each is written when it is consumed. */
  instances: Iterable<Component>
}

/** Yields between steps: an object may have tens of thousands of lines. */
export function* expandInSteps(object: ReadObject, range: Range, budget: ExpansionBudget): Steps<ExpandedObject> {
  const instances = instancesIn(object, range)
  const events = new Map<Component, Component>()
  for (const { event } of instances) if (!events.has(event)) events.set(event, yield* inUtc(event, object))
  // A single instance is no longer than the stored object.
  if (instances.length > 1) spend(budget, yield* countOctets(instances, events))
  const others = object.tree.children.filter(
    (node) => !isComponent(node) || (node.name !== 'VEVENT' && node.name !== 'VTIMEZONE'),
  )
  return {
    shell: { ...object.tree, children: others },
    instances: Iterator.from(instances).map((one) => writeInstance(object, one, events.get(one.event)!)),
  }
}

/** Estimated before anything is written; instances of one VEVENT differ only in their short time lines. */
function* countOctets(instances: readonly Instance[], events: ReadonlyMap<Component, Component>): Steps<number> {
  const sizes = new Map<Component, number>()
  for (const [event, out] of events) {
    let octets = 0
    for (const piece of printInPieces(out)) {
      octets += Buffer.byteLength(text(piece))
      yield
    }
    sizes.set(event, octets)
  }
  return instances.reduce((sum, { event }) => sum + sizes.get(event)!, 0)
}

function spend(budget: ExpansionBudget, octets: number): void {
  if (octets > MAX_OBJECT_OCTETS) fail('too_many_instances')
  if (octets > budget.left) fail('too_many_matches')
  budget.left -= octets
}

function instancesIn(object: ReadObject, range: Range): Instance[] {
  const { instances, complete } = plainInstances(object, range)
  const edited = [...editedInstances(object).values()].flat().filter((instance) => overlaps(instance, range))
  const all = [...instances, ...edited].sort((a, b) => a.startAt - b.startAt || a.key - b.key)
  if (complete && all.length <= MAX_INSTANCES) return all
  // An event that repeats every minute is truncated, so that it does not fail the whole request.
  const { rule } = object.series
  return rule && isFrequent(rule) ? all.slice(0, MAX_INSTANCES) : fail('too_many_instances')
}

/** A VEVENT without the properties of a series, and with times in UTC: the same for all its instances. */
function* inUtc(event: Component, object: ReadObject): Steps<Component> {
  const children: (Property | Component)[] = []
  for (const [index, node] of event.children.entries()) {
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) yield
    children.push(...instanceLines(node, object))
  }
  return { ...event, children }
}

/** Each line may name another zone, whose transitions take half a millisecond to find. */
const LINES_AT_ONCE = 10

/** `event` is the VEVENT in UTC; this sets the times of the instance. */
function writeInstance(object: ReadObject, instance: Instance, event: Component): Component {
  const { key, wall, durationMs, startAt, endAt } = instance
  const at = (name: string, reading: LocalMs, instant: Instant): Property[] => [
    object.series.timing.allDay ? momentLine(name, reading, true, object.zone) : utcLine(name, instant),
  ]
  let out = withProperties(event, 'DTSTART', at('DTSTART', wall, startAt))
  if (findProperty(out, 'DTEND') || !hasRightLength(out, object.series.timing, durationMs)) {
    out = withProperties(out, 'DURATION', [])
    out = withProperties(out, 'DTEND', at('DTEND', wall + durationMs, endAt))
  }
  if (!isRecurring(object.series)) return out
  return withProperties(out, 'RECURRENCE-ID', at('RECURRENCE-ID', key, nominalRange(object, key).startAt))
}

/** Whether the VEVENT has the right length without DTEND: in UTC, where a day has 24 hours. */
const hasRightLength = (event: Component, { allDay }: Timing, durationMs: number): boolean =>
  (parseLength(findProperty(event, 'DURATION')?.value ?? '') ?? (allDay ? DAY_MS : 0)) === durationMs

/** A longer value is not read: it may be a list of a hundred thousand, and no list is a moment. */
const MOMENT_CHARACTERS = 100

/** The response contains no VTIMEZONE, so no line may have a TZID. */
function instanceLines(node: Property | Component, { known, zone }: ReadObject): (Property | Component)[] {
  if (isComponent(node)) return [node]
  if (SERIES_LINES.includes(node.name)) return []
  const mayBeMoment = paramOf(node, 'TZID') !== undefined && node.value.length <= MOMENT_CHARACTERS
  const moment = mayBeMoment ? readMomentLine(known(node), zone) : undefined
  if (!moment || moment.isDate) return [node]
  return [{ ...utcLine(node.name, moment.at), params: node.params.filter(({ name }) => name !== 'TZID') }]
}
