// Cache of DAV:response elements of objects by version, shared by all readers with full sight.
import type { ObjectHead } from '../actions/caldav-objects/objects.ts'
import { ByteLruMap, LruMap } from '../lru-map.ts'
import { newCacheCounts, type WatchedCache } from '../ops/metrics.ts'
import type { Xml } from './xml/write.ts'

type VersionName = Pick<ObjectHead, 'name' | 'revision'>

/** Elements of one set of properties. */
export interface ObjectFragments {
  find(head: VersionName): Xml | undefined
  keep(head: VersionName, fragment: Xml): void
}

export interface FragmentCache extends WatchedCache {
  /**
   * `shape` names what an element contains: it must depend on nothing but the version of the object. In another
   * `history` the same revision may have another text.
   */
  open(history: number, shape: string): ObjectFragments
}

/** A longer one is built again: a few of them must not evict many short ones. */
const MAX_FRAGMENT = 16 * 1_024
const ENTRY_BYTES = 150
const MAX_SHAPES = 50
const MAX_SHAPE_CHARACTERS = 1_000

const NONE: ObjectFragments = { find: () => undefined, keep() {} }

export function createFragmentCache(maxBytes: number): FragmentCache {
  const fragments = new ByteLruMap<string, Xml>(maxBytes)
  const shapes = new LruMap<string, number>(MAX_SHAPES)
  const counts = newCacheCounts()
  let current = 0
  let lastShape = 0
  const numberOf = (shape: string): number => {
    const number = shapes.get(shape) ?? ++lastShape
    shapes.set(shape, number)
    return number
  }
  return {
    counts,
    bytes: () => fragments.bytes,
    open(history, shape) {
      if (history > current) {
        fragments.clear()
        current = history
      }
      if (history < current || shape.length > MAX_SHAPE_CHARACTERS) return NONE
      const number = numberOf(shape)
      const keyOf = ({ name, revision }: VersionName): string => `${number} ${revision} ${name}`
      return {
        find(head) {
          const fragment = history === current ? fragments.get(keyOf(head)) : undefined
          counts[fragment ? 'hits' : 'misses'] += 1
          return fragment
        },
        keep(head, fragment) {
          if (history !== current || fragment.length > MAX_FRAGMENT) return
          const key = keyOf(head)
          fragments.set(key, fragment, bytesOf(key) + bytesOf(fragment) + ENTRY_BYTES)
        },
      }
    },
  }
}

/** V8 uses two bytes for each character if one of them is not in Latin-1. */
const bytesOf = (text: string): number => (/[^\u0000-\u00ff]/.test(text) ? 2 * text.length : text.length)
