// LRU map: a Map with a maximum number of entries; a new entry evicts the least recently used one.

/** Iterates from the least to the most recently used. While iterating, read with `peek`: `get` moves the entry. */
export class LruMap<K, V> extends Map<K, V> {
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  /** Counts as a use. */
  override get(key: K): V | undefined {
    const value = super.get(key)
    if (value === undefined && !super.has(key)) return undefined
    super.delete(key)
    super.set(key, value as V)
    return value
  }

  /** Does not count as a use. */
  peek(key: K): V | undefined {
    return super.get(key)
  }

  override set(key: K, value: V): this {
    super.delete(key)
    if (this.size >= this.#maxEntries) super.delete(this.keys().next().value!)
    return super.set(key, value)
  }
}
