// A series as its single instances in a range, in UTC, for clients that do not repeat by themselves. RFC 4791 §9.6.5.
import { isRecurring } from '../../domain/calendar/event.ts'
import { isFrequent } from '../../domain/recurrence/sub-daily-limit.ts'
import type { Steps } from '../../domain/steps.ts'
import type { Instant, LocalMs } from '../../domain/time/instant.ts'
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
import { momentLine, readMomentLine, utcLine } from '../../ical/times.ts'
import { text } from '../xml/write.ts'
import {
  editedInstances,
  type Instance,
  isEdit,
  nominalPlace,
  plainInstances,
  type ReadObject,
  touches,
} from './instances.ts'

/** Of one object in one answer. */
const MAX_INSTANCES = 1_000
/** Of one object's instances in one answer, as escaped for XML: each repeats the whole VEVENT. */
const MAX_OBJECT_OCTETS = 8 * 1_048_576
/** Of the instances of all objects in one answer. */
const MAX_ANSWER_OCTETS = 64 * 1_048_576

/** What the instances in one answer may still take, in octets. */
export interface ExpansionBudget {
  left: number
}

export const createExpansionBudget = (): ExpansionBudget => ({ left: MAX_ANSWER_OCTETS })

export interface ExpandedObject {
  /** The calendar without its events and zones. */
  shell: Component
  /** Each is written when it is taken. */
  instances: Iterable<Component>
}

/** In short parts: an object may have tens of thousands of lines. */
export function* expandInSteps(object: ReadObject, range: Range, budget: ExpansionBudget): Steps<ExpandedObject> {
  const instances = instancesIn(object, range)
  const events = new Map<Component, Component>()
  for (const { event } of instances) if (!events.has(event)) events.set(event, yield* inUtc(event, object))
  // A single instance is no longer than what is stored.
  if (instances.length > 1) spend(budget, yield* countOctets(instances, events))
  const others = object.tree.children.filter(
    (node) => !isComponent(node) || (node.name !== 'VEVENT' && node.name !== 'VTIMEZONE'),
  )
  return {
    shell: { ...object.tree, children: others },
    instances: Iterator.from(instances).map((one) => writeInstance(object, one, events.get(one.event)!)),
  }
}

/** Estimated before anything is written; what differs between the instances of one VEVENT are its short time lines. */
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
  const edited = [...editedInstances(object).values()].filter((instance) => touches(instance, range))
  const all = [...instances, ...edited].sort((a, b) => a.startAt - b.startAt || a.key - b.key)
  if (complete && all.length <= MAX_INSTANCES) return all
  // One event that comes every minute is no reason to refuse all others.
  const { rule } = object.series
  return rule && isFrequent(rule) ? all.slice(0, MAX_INSTANCES) : fail('too_many_instances')
}

/** A VEVENT without what only a series says, and with its times in UTC: the same for all its instances. */
function* inUtc(event: Component, object: ReadObject): Steps<Component> {
  const children: (Property | Component)[] = []
  for (const [index, node] of event.children.entries()) {
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) yield
    children.push(...instanceLines(node, object))
  }
  return { ...event, children }
}

/** Each may name another zone, whose changes take half a millisecond to find. */
const LINES_AT_ONCE = 10

/** `event` is its VEVENT in UTC; here it gets its own time. */
function writeInstance(object: ReadObject, instance: Instance, event: Component): Component {
  const { key, wall, durationMs, startAt, endAt } = instance
  const at = (name: string, reading: LocalMs, instant: Instant): Property[] => [
    object.series.timing.allDay ? momentLine(name, reading, true, object.zone) : utcLine(name, instant),
  ]
  let out = withProperties(event, 'DTSTART', at('DTSTART', wall, startAt))
  if (findProperty(out, 'DTEND') || !saysLength(object, instance)) {
    out = withProperties(out, 'DURATION', [])
    out = withProperties(out, 'DTEND', at('DTEND', wall + durationMs, endAt))
  }
  if (!isRecurring(object.series)) return out
  return withProperties(out, 'RECURRENCE-ID', at('RECURRENCE-ID', key, nominalPlace(object, key).startAt))
}

/** Whether its VEVENT has the right length without a DTEND; one of a series' periods may have another. */
const saysLength = (object: ReadObject, { event, durationMs }: Instance): boolean =>
  isEdit(object, event) || durationMs === object.series.timing.durationMs

/** No zone is described in the answer, so no line may name one. */
function instanceLines(node: Property | Component, { known, zone }: ReadObject): (Property | Component)[] {
  if (isComponent(node)) return [node]
  if (SERIES_LINES.includes(node.name)) return []
  const moment = paramOf(node, 'TZID') === undefined ? undefined : readMomentLine(known(node), zone)
  if (!moment || moment.isDate) return [node]
  return [{ ...utcLine(node.name, moment.at), params: node.params.filter(({ name }) => name !== 'TZID') }]
}
