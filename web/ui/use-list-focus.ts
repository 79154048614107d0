// Moves the focus to the list when the entry that had it is removed.
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Returns a ref for the element that gets the focus then; it must stay on the page and be focusable. */
export function useListFocus<T extends HTMLElement>(length: number): RefObject<T> {
  const place = useRef<T>(null)
  const before = useRef(0)
  useLayoutEffect(() => {
    if (length < before.current && document.activeElement === document.body) place.current?.focus()
    before.current = length
  }, [length])
  return place
}
