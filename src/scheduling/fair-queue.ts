// Fair queue: round-robin between the widest networks, then the networks in each, then accounts.

export interface FairQueue<T> {
  /** Queues the item behind those of the same path; an item that is already queued there keeps its place. */
  push(path: readonly string[], item: T): void
  /** The first item of the client that was served longest ago. */
  shift(): T | undefined
  delete(path: readonly string[], item: T): void
  size(): number
  /** The number of items on all paths that begin with this name. */
  sizeOf(name: string): number
}

/** Only innermost groups have items. Groups are in the order of their next turn, and none is empty. */
interface QueueGroup<T> {
  groups: Map<string, QueueGroup<T>>
  items: Set<T>
  size: number
}

const createGroup = <T>(): QueueGroup<T> => ({ groups: new Map(), items: new Set(), size: 0 })

/** Ends every path, so that the items of a network itself are one group beside those of its accounts. */
const INNERMOST = ''

export function createFairQueue<T>(): FairQueue<T> {
  const all = createGroup<T>()
  return {
    push(path, item) {
      const groups = [all]
      for (const name of [...path, INNERMOST]) {
        const outer = groups.at(-1)!
        const inner = outer.groups.get(name) ?? createGroup()
        outer.groups.set(name, inner)
        groups.push(inner)
      }
      const { items } = groups.at(-1)!
      if (items.has(item)) return
      items.add(item)
      for (const group of groups) group.size += 1
    },
    shift: () => (all.size === 0 ? undefined : shiftFrom(all)),
    delete: (path, item) => void deleteFrom(all, [...path, INNERMOST], item),
    size: () => all.size,
    sizeOf: (name) => all.groups.get(name)?.size ?? 0,
  }
}

function shiftFrom<T>(group: QueueGroup<T>): T {
  group.size -= 1
  for (const [name, inner] of group.groups) {
    const item = shiftFrom(inner)
    group.groups.delete(name)
    if (inner.size > 0) group.groups.set(name, inner)
    return item
  }
  for (const item of group.items) {
    group.items.delete(item)
    return item
  }
  throw new Error('a group of the queue is empty')
}

function deleteFrom<T>(group: QueueGroup<T>, path: readonly string[], item: T): boolean {
  const [name, ...inside] = path
  const inner = name === undefined ? undefined : group.groups.get(name)
  const isDeleted = inner ? deleteFrom(inner, inside, item) : group.items.delete(item)
  if (!isDeleted) return false
  group.size -= 1
  if (inner?.size === 0) group.groups.delete(name!)
  return true
}
