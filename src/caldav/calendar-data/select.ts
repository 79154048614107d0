// An object's text as a client asked for it: byte for byte as stored, or the parts it named. RFC 4791 §9.6.
import { printCalendar } from '../../ical/print.ts'
import { type Component, isComponent, listComponents, type Property } from '../../ical/tree.ts'
import { type ExpandedObject, type ExpansionBudget, expandObject, makeExpansionBudget } from './expand.ts'
import type { ReadObject } from './instances.ts'
import { limitRecurrenceSet } from './limit.ts'
import type { CompSelection, DataRequest } from './parse.ts'

export type StoredObject = ReadObject & { text: string }

/** Whether an object must be read to answer, or its text will do. */
export const isWholeAsked = ({ comp, expand, limitRecurrence }: DataRequest): boolean =>
  !comp && !expand && !limitRecurrence

export const selectData = (request: DataRequest, object: StoredObject): string =>
  [...selectPieces(request, object, makeExpansionBudget())].join('')

/** The text in pieces: one for each instance where they are asked for. `budget` is shared by the objects of one answer. */
export function* selectPieces(request: DataRequest, object: StoredObject, budget: ExpansionBudget): Generator<string> {
  const { comp, expand, limitRecurrence } = request
  const selected = (tree: Component): Component => (comp ? select(comp, tree) : tree)
  if (expand) return yield* printExpansion(expandObject(object, expand, budget), selected)
  const tree = selected(limitRecurrence ? limitRecurrenceSet(object, limitRecurrence) : object.tree)
  yield tree === object.tree ? object.text : printCalendar(tree)
}

function* printExpansion(
  { shell, instances }: ExpandedObject,
  selected: (tree: Component) => Component,
): Generator<string> {
  const end = `END:${shell.name}\r\n`
  yield printCalendar(selected(shell)).slice(0, -end.length)
  for (const instance of instances)
    for (const event of listComponents(selected({ ...shell, children: [instance] }), 'VEVENT'))
      yield printCalendar(event)
  yield end
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
