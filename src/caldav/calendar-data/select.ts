// Selects calendar data of a response: the stored text, or the requested parts. RFC 4791 §9.6.
import type { Steps } from '../../domain/steps.ts'
import { printInPieces } from '../../ical/text/print.ts'
import { type Component, isComponent, listComponents, type Property } from '../../ical/text/tree.ts'
import { createExpansionBudget, type ExpandedObject, type ExpansionBudget, expandInSteps } from './expand.ts'
import type { ReadObject } from './instances.ts'
import { limitRecurrenceSet } from './limit.ts'
import type { CompSelection, DataRequest } from './parse.ts'

export type StoredObject = ReadObject & { text: string }

/** Whether the stored text is enough, without parsing the object. */
export const isWholeAsked = ({ comp, expand, limitRecurrence }: DataRequest): boolean =>
  !comp && !expand && !limitRecurrence

export const selectData = (request: DataRequest, object: StoredObject): string =>
  [...selectPieces(request, object, createExpansionBudget())].join('')

/**
 * The text in pieces that take a short time each, some of them empty. `budget` is shared by the objects of one
 * response.
 */
export function* selectPieces(request: DataRequest, object: StoredObject, budget: ExpansionBudget): Generator<string> {
  const { comp, expand, limitRecurrence } = request
  if (expand) {
    const expanded = yield* withEmptyPieces(expandInSteps(object, expand, budget))
    return yield* printExpansion(expanded, comp)
  }
  const limited = limitRecurrence ? limitRecurrenceSet(object, limitRecurrence) : object.tree
  const tree = comp ? yield* withEmptyPieces(selectInSteps(comp, limited)) : limited
  if (tree === object.tree) yield object.text
  else yield* printInPieces(tree)
}

function* withEmptyPieces<T>(steps: Steps<T>): Generator<string, T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    yield ''
  }
}

function* printExpansion({ shell, instances }: ExpandedObject, comp: CompSelection | undefined): Generator<string> {
  const end = `END:${shell.name}\r\n`
  let begun = ''
  for (const piece of printInPieces(yield* selected(shell))) {
    yield begun
    begun = piece
  }
  yield begun.slice(0, -end.length)
  for (const instance of instances) {
    const tree = yield* selected({ ...shell, children: [instance] })
    for (const event of listComponents(tree, 'VEVENT')) yield* printInPieces(event)
  }
  yield end

  function* selected(tree: Component): Generator<string, Component> {
    return comp ? yield* withEmptyPieces(selectInSteps(comp, tree)) : tree
  }
}

/** A request that names another component than VCALENDAR selects nothing of it. */
const selectInSteps = (selection: CompSelection, tree: Component): Steps<Component> =>
  selectParts(selection.name === tree.name ? selection : { ...selection, props: new Map(), comps: new Map() }, tree)

const PARTS_AT_ONCE = 1_000

function* selectParts({ props, comps }: CompSelection, node: Component): Steps<Component> {
  if (props === 'all' && comps === 'all') return node
  const children: (Property | Component)[] = []
  for (const [index, child] of node.children.entries()) {
    if (index % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) yield
    if (!isComponent(child)) children.push(...selectProperty(props, child))
    else if (comps === 'all') children.push(child)
    else {
      const wanted = comps.get(child.name)
      if (wanted) children.push(yield* selectParts(wanted, child))
    }
  }
  return { ...node, children }
}

function selectProperty(props: CompSelection['props'], line: Property): Property[] {
  const wanted = props === 'all' ? 'whole' : props.get(line.name)
  if (!wanted) return []
  return wanted === 'whole' ? [line] : [{ name: line.name, params: line.params, value: '' }]
}
