// Hook: whether a part of the words is loaded; loads it where a page did not.
import { useEffect, useState } from 'preact/hooks'
import { hasWords, loadWords, type PagePart } from './load.ts'

export function useWords(part: PagePart, isNeeded = true): boolean {
  const [isReady, setReady] = useState(() => hasWords(part))
  useEffect(() => {
    if (!isReady && isNeeded)
      loadWords(part).then(
        () => setReady(true),
        () => {},
      )
  }, [isReady, isNeeded, part])
  return isReady
}
