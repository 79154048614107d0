// An object's text as a client asked for it: byte for byte as stored, or the parts it named. RFC 4791 §9.6.
import { printCalendar } from '../../ical/print.ts'
import { type Component, isComponent, type Property } from '../../ical/tree.ts'
import { expandObject } from './expand.ts'
import type { ReadObject } from './instances.ts'
import { limitRecurrenceSet } from './limit.ts'
import type { CompSelection, DataRequest } from './parse.ts'

/** Whether an object must be read to answer, or its text will do. */
export const isWholeAsked = ({ comp, expand, limitRecurrence }: DataRequest): boolean =>
  !comp && !expand && !limitRecurrence

export function selectData(request: DataRequest, object: ReadObject & { text: string }): string {
  const tree = inTime(request, object)
  const selected = request.comp ? select(request.comp, tree) : tree
  return selected === object.tree ? object.text : printCalendar(selected)
}

function inTime({ expand, limitRecurrence }: DataRequest, object: ReadObject): Component {
  if (expand) return expandObject(object, expand)
  return limitRecurrence ? limitRecurrenceSet(object, limitRecurrence) : object.tree
}

/** A request that names another component than the calendar itself names nothing of it. */
const select = (selection: CompSelection, tree: Component): Component =>
  selectParts(selection.name === tree.name ? selection : { ...selection, props: new Map(), comps: [] }, tree)

function selectParts(selection: CompSelection, node: Component): Component {
  const { props, comps } = selection
  if (props === 'all' && comps === 'all') return node
  const children = node.children.flatMap((child): (Property | Component)[] => {
    if (!isComponent(child)) return selectProperty(props, child)
    if (comps === 'all') return [child]
    const wanted = comps.find(({ name }) => name === child.name)
    return wanted ? [selectParts(wanted, child)] : []
  })
  return { ...node, children }
}

function selectProperty(props: CompSelection['props'], line: Property): Property[] {
  const wanted = props === 'all' ? 'whole' : props.get(line.name)
  if (!wanted) return []
  return wanted === 'whole' ? [line] : [{ name: line.name, params: line.params, value: '' }]
}
