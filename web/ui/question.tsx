// Asks in place of a button before a large or final action, and moves the keyboard focus there and back.
import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import * as words from '../strings.ts'

interface AskState {
  isAsked: boolean
  ask(): void
  cancel(): void
  /** For the button that asks: it gets the focus back if the question had it. */
  opener: RefObject<HTMLButtonElement>
}

export function useQuestion(isAskedFirst = false): AskState {
  const [isAsked, setAsked] = useState(isAskedFirst)
  const opener = useRef<HTMLButtonElement>(null)
  const wasAsked = useRef(false)
  useLayoutEffect(() => {
    if (wasAsked.current && !isAsked && document.activeElement === document.body) opener.current?.focus()
    wasAsked.current = isAsked
  }, [isAsked])
  return { isAsked, ask: () => setAsked(true), cancel: () => setAsked(false), opener }
}

interface QuestionProps {
  yes: string
  /** Where nothing is lost by it. */
  isHarmless?: boolean
  isBusy: boolean
  onYes(): void
  onCancel(): void
  children: ComponentChildren
}

/** Cancel gets the focus, so that a key pressed twice does nothing. A disabled button would lose it. */
export function Question({ yes, isHarmless, isBusy, onYes, onCancel, children }: QuestionProps): JSX.Element {
  const cancel = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => cancel.current!.focus(), [])
  return (
    <div role="alert">
      <p>{children}</p>
      <div class="actions">
        <button type="button" class={isHarmless ? 'main' : 'danger'} aria-disabled={isBusy} onClick={onYes}>
          {yes}
        </button>
        <button ref={cancel} type="button" onClick={onCancel}>
          {words.common.cancel}
        </button>
      </div>
    </div>
  )
}
