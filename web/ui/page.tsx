// The beginning of every page: its title, in the heading and in the window.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { site } from '../site.ts'

interface PageProps {
  title: string
  /** Narrow pages hold a form or a few lines; wide ones a grid or a table. */
  width?: 'narrow' | 'wide'
  /** What can be done here, beside the title. */
  beside?: ComponentChildren
  children?: ComponentChildren
}

/** Where somebody came by a link, the heading takes the focus, so that it is read out and the next Tab goes on from there. */
export function Page({ title, width = 'narrow', beside, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – ${site.name}`
  }, [title])
  // Before anybody can have pressed a key on it.
  useLayoutEffect(() => {
    if (hasShownOne) heading.current?.focus({ preventScroll: true })
    hasShownOne = true
  }, [])
  return (
    <div class={`page ${width}`}>
      <div class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside}
      </div>
      {children}
    </div>
  )
}

let hasShownOne = false

/** Where what had the focus is gone, and something else is shown under the same heading. */
export const focusHeading = (): void => document.querySelector('h1')?.focus({ preventScroll: true })
