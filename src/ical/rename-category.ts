// Renames a value of CATEGORIES in a calendar object wherever it stands; everything else stays.
import type { Instant } from '../domain/time/instant.ts'
import { findMain, readCategory } from './decode.ts'
import { stamp } from './encode.ts'
import { type Component, escapeText, isComponent, type Property, splitList } from './text/tree.ts'

/** The same tree where no value is renamed. The main VEVENT is stamped when the object is encoded. */
export function renameCategories(
  tree: Component,
  isRenamed: (category: string) => boolean,
  name: string,
  now: Instant,
): Component {
  const main = findMain(tree)
  let isChanged = false
  const children = tree.children.map((node) => {
    if (!isComponent(node) || node.name !== 'VEVENT') return node
    const event = renameInEvent(node, isRenamed, name)
    if (event === node) return node
    isChanged = true
    return node === main ? event : stamp(event, now)
  })
  return isChanged ? { ...tree, children } : tree
}

/** A name that the event has already is not written twice. */
function renameInEvent(event: Component, isRenamed: (category: string) => boolean, name: string): Component {
  let isChanged = false
  let isWritten = false
  const rename = (value: string): string[] => {
    const text = readCategory(value)
    const isOld = isRenamed(text)
    if (!isOld && text !== name) return [value]
    if (isOld) isChanged = true
    if (isWritten) return []
    isWritten = true
    return [isOld ? escapeText(name) : value]
  }
  const children = event.children.flatMap((node): (Property | Component)[] => {
    if (isComponent(node) || node.name !== 'CATEGORIES') return [node]
    const value = splitList(node.value).flatMap(rename).join(',')
    if (value === node.value) return [node]
    return value === '' ? [] : [{ name: node.name, params: node.params, value }]
  })
  return isChanged ? { ...event, children } : event
}
