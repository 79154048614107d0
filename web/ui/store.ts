// Observable value shared by several components, with a hook that re-renders on change.
import { useLayoutEffect, useState } from 'preact/hooks'

export interface Store<T> {
  get(): T
  set(value: T): void
  /** Returns a function that stops watching. */
  watch(look: () => void): () => void
}

export function createStore<T>(value: T): Store<T> {
  const watchers = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const look of [...watchers]) look()
    },
    watch(look) {
      watchers.add(look)
      return () => watchers.delete(look)
    },
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get)
  useLayoutEffect(() => {
    const look = () => setValue(store.get)
    look()
    return store.watch(look)
  }, [store])
  return value
}
