// The connection is back: what failed is asked for again without anybody having to press for it.
import { useEffect } from 'preact/hooks'

export function useOnline(hasFailed: boolean, again: () => void): void {
  useEffect(() => {
    if (!hasFailed) return
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [hasFailed, again])
}
