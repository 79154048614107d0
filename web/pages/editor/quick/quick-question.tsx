// Opens the quick form for a day or hour of the calendar; the form itself is loaded when it is first asked for.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { lazily } from '../../../app/lazily.tsx'
import type { GridSpan } from '../../../calendar/grid-span.ts'
import { createStore, useStore } from '../../../ui/store.ts'
import type { QuickCreateProps } from './quick-create.tsx'

const QuickCreate = lazily<QuickCreateProps>(() => import('./quick-create.tsx').then((module) => module.QuickCreate))

const asked = createStore<QuickCreateProps | undefined>(undefined)

/** Resolves when the form is closed, saved or not. */
export const createQuickly = (span: GridSpan): Promise<void> =>
  new Promise((resolve) => {
    asked.set({
      span,
      onClose() {
        asked.set(undefined)
        resolve()
      },
    })
  })

export function QuickQuestion(): JSX.Element | null {
  const question = useStore(asked)
  // Leaving the page closes the form.
  useEffect(() => () => asked.get()?.onClose(), [])
  return question ? <QuickCreate key={JSON.stringify(question.span)} {...question} /> : null
}
