// The frame of every page: sets the heading and the window title.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { site } from '../site.ts'

interface PageProps {
  title: string
  /** Narrow pages hold a form or a few lines; wide ones a grid or a table. */
  width?: 'narrow' | 'wide'
  /** Buttons beside the title. */
  beside?: ComponentChildren
  children?: ComponentChildren
}

/** After in-app navigation the heading gets the focus, so that it is read out and Tab continues from there. */
export function Page({ title, width = 'narrow', beside, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – ${site.name}`
  }, [title])
  // A layout effect, so that the focus is set before the user can press a key on the new page.
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

/** For when the focused element is gone and other content appears under the same heading. */
export const focusHeading = (): void => document.querySelector('h1')?.focus({ preventScroll: true })
