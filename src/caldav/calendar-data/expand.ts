// A series as its single instances in a range, in UTC, for clients that do not repeat by themselves. RFC 4791 §9.6.5.
import { isRecurring } from '../../domain/calendar/event.ts'
import { isFrequent } from '../../domain/recurrence/frequent.ts'
import type { Instant, Wall } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { fail } from '../../errors.ts'
import { SERIES_LINES } from '../../ical/read-parts.ts'
import { momentLine, readMomentLine, utcLine } from '../../ical/times.ts'
import { type Component, findProperty, isComponent, type Property, paramOf, withProperties } from '../../ical/tree.ts'
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

export function expandObject(object: ReadObject, range: Range): Component {
  const instances = instancesIn(object, range).map((instance) => writeInstance(object, instance))
  const others = object.tree.children.filter(
    (node) => !isComponent(node) || (node.name !== 'VEVENT' && node.name !== 'VTIMEZONE'),
  )
  return { ...object.tree, children: [...others, ...instances] }
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

/** Its VEVENT at its own time, without what only a series says. */
function writeInstance(object: ReadObject, instance: Instance): Component {
  const { event, key, wall, durationMs, startAt, endAt } = instance
  const at = (name: string, reading: Wall, instant: Instant): Property[] => [
    object.series.timing.allDay ? momentLine(name, reading, true, object.zone) : utcLine(name, instant),
  ]
  let out: Component = { ...event, children: event.children.flatMap((node) => instanceLines(node, object)) }
  out = withProperties(out, 'DTSTART', at('DTSTART', wall, startAt))
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
