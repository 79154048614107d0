// Hook that retries failed requests when the browser is back online.
import { useEffect } from 'preact/hooks'

export function useOnline(hasFailed: boolean, again: () => void): void {
  useEffect(() => {
    if (!hasFailed) return
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [hasFailed, again])
}
