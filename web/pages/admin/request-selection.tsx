// Selects account requests on the page, and rejects the selected ones after asking.
import type { JSX } from 'preact'
import type { User } from '../../api/contract.ts'
import * as words from '../../strings.ts'
import { Checkbox } from '../../ui/field.tsx'
import { useSubmission } from '../../ui/form.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type DecisionResult, rejectPendingUsers } from './change-account.ts'

const text = words.admin.requestsPage

interface SelectionProps {
  people: readonly User[]
  selected: ReadonlySet<string>
  onSelect(ids: readonly string[], isOn: boolean): void
  onSettled(result: DecisionResult): void
}

export function Selection({ people, selected, onSelect, onSettled }: SelectionProps): JSX.Element {
  const { isAsked, ask, cancel, opener } = useQuestion()
  const { isBusy, run } = useSubmission()
  const chosen = people.filter(({ id }) => selected.has(id))
  const ids = people.map(({ id }) => id)
  const reject = () =>
    run(async () => {
      const result = await rejectPendingUsers(chosen)
      cancel()
      if (!result.refusal) {
        onSelect(ids, false)
        toast(text.manyRejected(chosen.length))
      }
      onSettled(result)
    })
  return (
    <div class="selection">
      <Checkbox
        label={text.selectAll(people.length)}
        isOn={chosen.length === people.length}
        onChange={(isOn) => onSelect(ids, isOn)}
      />
      {isAsked && chosen.length > 0 ? (
        <Question yes={text.rejectYes} isBusy={isBusy} onYes={reject} onCancel={cancel}>
          {text.rejectSure(chosen.length)}
        </Question>
      ) : (
        <button ref={opener} type="button" class="danger" disabled={chosen.length === 0} onClick={ask}>
          {chosen.length === 0 ? text.noneSelected : text.rejectSelected(chosen.length)}
        </button>
      )}
    </div>
  )
}
