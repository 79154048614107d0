// Form that submits to the API: shows a busy state, the error, and focuses the invalid field.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import * as words from '../strings.ts'
import { explain, hasFields } from './explain.ts'
import { Notice } from './notice.tsx'

export interface FormSubmission {
  isBusy: boolean
  error: unknown
  /** Ignored while another run is in progress; an exception becomes `error`. */
  run(act: () => Promise<unknown>): Promise<void>
  forget(): void
}

export function useSubmission(): FormSubmission {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isRunning = useRef(false)
  return {
    isBusy,
    error,
    async run(act) {
      if (isRunning.current) return
      isRunning.current = true
      setBusy(true)
      setError(undefined)
      try {
        await act()
      } catch (problem) {
        setError(problem)
      }
      isRunning.current = false
      setBusy(false)
    },
    forget: () => setError(undefined),
  }
}

interface FormProps {
  sending: FormSubmission
  onSend(): Promise<unknown>
  button: string
  /** The action cannot be undone. */
  isDanger?: boolean
  /** Messages that replace the general ones, by error code. */
  refusals?: Record<string, string>
  /** Shown while the form is being sent. */
  working?: string | undefined
  /** What to do about the error, below its message. */
  help?: ComponentChildren
  /** Other buttons, after the main one. */
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** `method="post"`: if the script does not run, the browser must not put the fields into the URL. */
export function Form({
  sending,
  onSend,
  button,
  isDanger,
  refusals,
  working,
  help,
  actions,
  children,
}: FormProps): JSX.Element {
  const { isBusy, error } = sending
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!error) return
    const wrong = form.current!.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) wrong.focus()
    else form.current!.querySelector('.notice')!.scrollIntoView({ block: 'nearest' })
  }, [error])
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void sending.run(onSend)
      }}
    >
      {!!error && (
        <Notice kind="bad" isAboutFields={hasFields(error)}>
          {explain(error, refusals)}
          {help}
        </Notice>
      )}
      {children}
      <div class="actions">
        <button type="submit" class={isDanger ? 'danger' : 'main'} aria-disabled={isBusy}>
          {button}
        </button>
        {actions}
        <span class="working" role="status">
          {isBusy && (working ?? words.common.working)}
        </span>
      </div>
    </form>
  )
}
