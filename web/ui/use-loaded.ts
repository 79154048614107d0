// Hook that loads data from the API: loading, ready or failed; reloads when `keys` change.
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useOnline } from './use-online.ts'

export type Loaded<T> =
  | { state: 'loading'; data?: T }
  | { state: 'ready'; data: T }
  | { state: 'failed'; error: unknown; data?: T }

/** The previous data stays available while newer data loads, and when loading fails. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): Loaded<T> & { again(): void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    setLoaded((known) => (known.data === undefined ? { state: 'loading' } : { state: 'loading', data: known.data }))
    load(stop.signal).then(
      (data) => stop.signal.aborted || setLoaded({ state: 'ready', data }),
      (error) =>
        stop.signal.aborted ||
        setLoaded((known) =>
          known.data === undefined ? { state: 'failed', error } : { state: 'failed', error, data: known.data },
        ),
    )
    return () => stop.abort()
  }, [...keys, turn])
  const again = useCallback(() => setTurn((n) => n + 1), [])
  useOnline(loaded.state === 'failed', again)
  return { ...loaded, again }
}
