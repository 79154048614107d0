// CALDAV:limit-recurrence-set: keeps only the overrides that affect a range. RFC 4791 §9.6.6.
import type { Range } from '../../domain/time/window.ts'
import { hasRange } from '../../ical/import/this-and-future.ts'
import { type Component, isComponent } from '../../ical/text/tree.ts'
import { editedInstances, isEdit, nominalRange, overlaps, type ReadObject } from './instances.ts'

/**
 * An override affects the time it is at and its original time, where the occurrence is missing; with a RANGE every later
 * time.
 */
export function limitRecurrenceSet(object: ReadObject, range: Range): Component {
  const edits = editedInstances(object)
  const matters = (event: Component): boolean =>
    hasRange(event) ||
    (edits.get(event) ?? []).some(
      (instance) => overlaps(instance, range) || overlaps(nominalRange(object, instance.key), range),
    )
  const isKept = (node: Component['children'][number]): boolean =>
    !isComponent(node) || node.name !== 'VEVENT' || !isEdit(object, node) || matters(node)
  const children = object.tree.children.filter(isKept)
  return children.length === object.tree.children.length ? object.tree : { ...object.tree, children }
}
