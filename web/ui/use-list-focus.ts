// When an entry of a list goes away and had the focus, the keyboard goes on from the list and not from the top of the page.
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Answers where to go on from: something that stays, and can have the focus. */
export function useListFocus<T extends HTMLElement>(length: number): RefObject<T> {
  const place = useRef<T>(null)
  const before = useRef(0)
  useLayoutEffect(() => {
    if (length < before.current && document.activeElement === document.body) place.current?.focus()
    before.current = length
  }, [length])
  return place
}
