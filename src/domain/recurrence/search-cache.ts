// Cache of costly rule searches by rule and start, because reads repeat them.

import { LruMap } from '../../lru-map.ts'
import type { LocalMs } from '../time/instant.ts'
import { formatRule, type Rule } from './rule.ts'

/** Searches that took more steps than this are cached. */
const MIN_WORK = 1_000
const MAX_REMEMBERED = 1_000

export interface SearchResult<T> {
  value: T
  /** Elementary steps of the expander. */
  work: number
}

/** `others` is everything else that the result depends on. */
export type CachedSearch<T> = (rule: Rule, start: LocalMs, others: string, search: () => SearchResult<T>) => T

export function createSearchCache<T>(): CachedSearch<T> {
  const remembered = new LruMap<string, T>(MAX_REMEMBERED)
  return (rule, start, others, search) => {
    const key = `${formatRule(rule)} ${start} ${others}`
    const known = remembered.get(key)
    if (known !== undefined || remembered.has(key)) return known as T
    const { value, work } = search()
    if (work > MIN_WORK) remembered.set(key, value)
    return value
  }
}
