// Loads what only users need on the calendar: words for rules; for writers dragging, the quick form and its questions.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { canRead, canWrite, type SessionState } from '../../app/session.ts'
import type { GridEditing } from '../../calendar/grid-span.ts'
import { loadRuleWords } from '../../calendar/item-words.ts'
import { loadWords } from '../../words/load.ts'

interface Editing {
  /** Whether the user’s role is known and, for writers, dragging is loaded: the grid is created only once. */
  isSettled: boolean
  editing?: GridEditing
  /** Dialogs that ask which dates of a series to move, and what a new event is. */
  Questions: readonly ComponentType[]
}

export function useEditing(known: SessionState): Editing {
  const [loaded, setLoaded] = useState<Editing>({ isSettled: known.state === 'signed_out', Questions: [] })
  const isReader = canRead(known)
  const isWriter = canWrite(known)
  const isKnown = known.state !== 'unknown' || known.error !== undefined
  useEffect(() => {
    if (!isReader) return setLoaded({ isSettled: isKnown, Questions: [] })
    const settle = (): void => setLoaded({ isSettled: true, Questions: [] })
    if (!isWriter) return void loadRuleWords().then(settle, settle)
    const loadEditing = () =>
      Promise.all([
        import('fullcalendar/interaction'),
        import('../editor/grid/editing-options.ts'),
        import('../editor/grid/grid-editing.ts'),
        import('../editor/grid/move-question.tsx'),
        import('../editor/quick/quick-question.tsx'),
        loadRuleWords(),
      ])
    // These modules use the words when they are evaluated.
    loadWords('editor')
      .then(loadEditing)
      .then(
        ([
          { default: plugin },
          { editingOptions },
          { moveEvent },
          { MoveQuestion },
          { createQuickly, QuickQuestion },
        ]) => {
          const onMove: GridEditing['onMove'] = (item, to) => moveEvent(item as never, to)
          const actions = { onCreate: createQuickly, onMove }
          setLoaded({
            isSettled: true,
            editing: { plugin, options: editingOptions(actions), ...actions },
            Questions: [MoveQuestion, QuickQuestion],
          })
        },
        // If loading fails, events can still be edited in the form.
        settle,
      )
  }, [isReader, isWriter, isKnown])
  return loaded
}
