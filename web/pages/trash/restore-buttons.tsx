// Buttons that restore many deleted events: the selected ones, or after a preview all that the filters find.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { showChanges } from '../../app/last-calendar-view.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { type RestoreCounts, restoreEvents } from './restore-events.ts'
import type { TrashSearch } from './trash-filters.tsx'

const text = words.trash

interface RestoreSelectedProps {
  ids: readonly string[]
  onDone(counts: RestoreCounts): void
}

export function RestoreSelected({ ids, onDone }: RestoreSelectedProps): JSX.Element {
  const { isBusy, error, run } = useSubmission()
  const restore = () =>
    run(async () => {
      const counts = await restoreEvents({ event_ids: [...ids] }, false)
      showChanges()
      onDone(counts)
    })
  return (
    <>
      <button type="button" disabled={ids.length === 0} aria-disabled={isBusy} onClick={restore}>
        {ids.length === 0 ? text.noneSelected : text.restoreSelected(ids.length)}
      </button>
      {!!error && <Notice kind="bad">{explain(error)}</Notice>}
    </>
  )
}

interface RestoreAllProps {
  selection: TrashSearch
  total: number
  onDone(counts: RestoreCounts): void
}

export function RestoreAll({ selection, total, onDone }: RestoreAllProps): JSX.Element {
  const { isBusy, error, run } = useSubmission()
  const { isAsked, ask, cancel, opener } = useQuestion()
  const [foreseen, setForeseen] = useState<RestoreCounts>()
  const preview = () =>
    run(async () => {
      setForeseen(await restoreEvents(selection, true))
      ask()
    })
  const restore = () =>
    run(async () => {
      const counts = await restoreEvents(selection, false)
      cancel()
      showChanges()
      onDone(counts)
    })
  return (
    <>
      {isAsked && foreseen ? (
        <Question yes={text.restoreYes(foreseen.restored)} isHarmless isBusy={isBusy} onYes={restore} onCancel={cancel}>
          {text.restoreSure(foreseen.restored)}
          {foreseen.uid_conflict > 0 && ` ${text.wouldConflict(foreseen.uid_conflict)}`}
        </Question>
      ) : (
        <button ref={opener} type="button" class="main" aria-disabled={isBusy} onClick={preview}>
          {text.restoreAll(total)}
        </button>
      )}
      <span class="working" role="status">
        {isBusy && words.common.working}
      </span>
      {!!error && <Notice kind="bad">{explain(error)}</Notice>}
    </>
  )
}
