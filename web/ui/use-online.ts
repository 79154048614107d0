// Retries what failed when the browser is online again.
import { useEffect } from 'preact/hooks'

export function useOnline(hasFailed: boolean, again: () => void): void {
  useEffect(() => {
    if (!hasFailed) return
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [hasFailed, again])
}
