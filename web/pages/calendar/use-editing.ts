// Loads what writers need on the calendar, and only for them: dragging, the quick form and its questions.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { canWrite, type SessionState } from '../../app/session.ts'
import type { GridEditing } from '../../calendar/editing.ts'
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
  const isWriter = canWrite(known)
  const isKnown = known.state !== 'unknown' || known.error !== undefined
  useEffect(() => {
    if (!isWriter) return setLoaded({ isSettled: isKnown, Questions: [] })
    const loadEditing = () =>
      Promise.all([
        import('fullcalendar/interaction'),
        import('../editor/grid/grid-editing.ts'),
        import('../editor/grid/move-question.tsx'),
        import('../editor/quick/quick-question.tsx'),
      ])
    // These modules use the words when they are evaluated.
    loadWords('editor')
      .then(loadEditing)
      .then(
        ([{ default: plugin }, { moveEvent }, { MoveQuestion }, { createQuickly, QuickQuestion }]) => {
          const onMove: GridEditing['onMove'] = (item, to) => moveEvent(item as never, to)
          setLoaded({
            isSettled: true,
            editing: { plugin, onCreate: createQuickly, onMove },
            Questions: [MoveQuestion, QuickQuestion],
          })
        },
        // If loading fails, events can still be edited in the form.
        () => setLoaded({ isSettled: true, Questions: [] }),
      )
  }, [isWriter, isKnown])
  return loaded
}
