// Dialog on the calendar page: move one date of a series, it and all later ones, or all of them?
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as words from '../../../strings.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { createStore, useStore } from '../../../ui/store.ts'

export type MoveScope = 'one' | 'following' | 'all'

interface MoveQuestion {
  title: string
  answer(which: MoveScope | undefined): void
}

const asked = createStore<MoveQuestion | undefined>(undefined)

/** Resolves to undefined if nothing is to be moved. */
export const askMoveScope = (title: string): Promise<MoveScope | undefined> =>
  new Promise((resolve) => {
    asked.set({
      title,
      answer(which) {
        asked.set(undefined)
        resolve(which)
      },
    })
  })

export function MoveQuestion(): JSX.Element | null {
  const question = useStore(asked)
  // Leaving the page cancels the move.
  useEffect(() => () => asked.get()?.answer(undefined), [])
  if (!question) return null
  const { title, answer } = question
  return (
    <Dialog title={words.editor.moveTitle} onClose={() => answer(undefined)}>
      <p>{words.editor.move(title)}</p>
      <div class="actions">
        <button type="button" class="main" onClick={() => answer('one')}>
          {words.editor.moveOne}
        </button>
        <button type="button" onClick={() => answer('following')}>
          {words.editor.moveFollowing}
        </button>
        <button type="button" onClick={() => answer('all')}>
          {words.editor.moveAll}
        </button>
        <button type="button" class="plain" onClick={() => answer(undefined)}>
          {words.common.cancel}
        </button>
      </div>
    </Dialog>
  )
}
