// LRU maps, bounded by entries or by bytes: a new entry evicts the least recently used ones.

/** Iterates from the least to the most recently used. While iterating, read with `peek`: `get` moves the entry. */
export class LruMap<K, V> extends Map<K, V> {
  readonly #maxEntries: number
  /** The most recently used key, if it is in the map: another use of it moves nothing. */
  #newest: K | undefined

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  /** Counts as a use. */
  override get(key: K): V | undefined {
    const value = super.get(key)
    if (key === this.#newest || (value === undefined && !super.has(key))) return value
    super.delete(key)
    super.set(key, value as V)
    this.#newest = key
    return value
  }

  /** Does not count as a use. */
  peek(key: K): V | undefined {
    return super.get(key)
  }

  override set(key: K, value: V): this {
    super.delete(key)
    if (this.size >= this.#maxEntries) super.delete(this.keys().next().value!)
    this.#newest = key
    return super.set(key, value)
  }
}

/** Bounded by the bytes of all entries together, as the caller counts them. */
export class ByteLruMap<K, V> {
  readonly #maxBytes: number
  readonly #entries = new LruMap<K, { value: V; bytes: number }>(Number.POSITIVE_INFINITY)
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  /** Counts as a use. */
  get(key: K): V | undefined {
    return this.#entries.get(key)?.value
  }

  /** Does not count as a use. */
  peek(key: K): V | undefined {
    return this.#entries.peek(key)?.value
  }

  set(key: K, value: V, bytes: number): void {
    this.delete(key)
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    this.#evict()
  }

  /** For an entry that has grown; it may be evicted itself. */
  addBytes(key: K, bytes: number): void {
    const entry = this.#entries.peek(key)
    if (!entry) return
    entry.bytes += bytes
    this.#bytes += bytes
    this.#evict()
  }

  delete(key: K): void {
    this.#bytes -= this.#entries.peek(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }
}
