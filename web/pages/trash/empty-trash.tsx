// Deletes everything in the trash for good, after asking; for administrators.
import type { JSX } from 'preact'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { toast } from '../../ui/toasts.tsx'

const text = words.trash

export function EmptyTrash({ total, onDone }: { total: number; onDone(): void }): JSX.Element {
  const { isBusy, error, run } = useSubmission()
  const { isAsked, ask, cancel, opener } = useQuestion()
  const empty = () =>
    run(async () => {
      await call('emptyTrash')
      cancel()
      toast(text.emptied)
      onDone()
    })
  return (
    <>
      {isAsked ? (
        <Question yes={text.emptyYes} isBusy={isBusy} onYes={empty} onCancel={cancel}>
          {text.emptySure(total)}
        </Question>
      ) : (
        <button ref={opener} type="button" class="danger" onClick={ask}>
          {text.empty}
        </button>
      )}
      {!!error && <Notice kind="bad">{explain(error)}</Notice>}
    </>
  )
}
