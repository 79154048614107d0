// Filters of the trash: what is selected, in words, and fields for the account and the time.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Operations, TrashEntry } from '../../api/contract.ts'
import { Link } from '../../app/router.tsx'
import { session } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { fieldValue, localMinute } from '../../ui/local-minute.ts'
import { useStore } from '../../ui/store.ts'

const text = words.trash

const NAMES = ['deleted_by', 'deleted_with', 'credential_id', 'since', 'until'] as const

export type TrashSearch = { [Name in (typeof NAMES)[number]]?: NonNullable<Operations['listTrash']['query'][Name]> }

export function selectionOf(query: URLSearchParams): TrashSearch {
  return Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])))
}

/** What was deleted by the same account with the same credential, from that entry on. */
export const selectionLike = ({ deleted_by, deleted_with, credential_id, deleted_at }: TrashEntry): TrashSearch => ({
  ...(deleted_by === null ? {} : { deleted_by }),
  ...(credential_id === null ? { deleted_with } : { credential_id }),
  // The minute begins before the deletion.
  since: localMinute(deleted_at),
})

interface TrashFiltersProps {
  selection: TrashSearch
  entries: readonly TrashEntry[]
  onSelect(to: TrashSearch): void
}

export function TrashFilters({ selection, entries, onSelect }: TrashFiltersProps): JSX.Element {
  const { deleted_by = '', deleted_with, credential_id, since, until } = selection
  // A date that is being typed is no date in between.
  const [typed, setTyped] = useState(fieldValue(since))
  const isFiltered = Object.keys(selection).length > 0
  const [first] = entries
  const change = (to: TrashSearch): void =>
    onSelect(Object.fromEntries(Object.entries({ ...selection, ...to }).filter(([, value]) => value !== '')))
  return (
    <search class="trash-filters">
      <SelectField
        label={text.deletedBy}
        value={deleted_by}
        onValue={(to) => change({ deleted_by: to })}
        options={[['', text.anyone], ...usePeople(entries, deleted_by)]}
      />
      <form
        class="trash-since"
        onSubmit={(event) => {
          event.preventDefault()
          change({ since: typed })
        }}
      >
        <TextField label={text.deletedSince} value={typed} onValue={setTyped} input={{ type: 'datetime-local' }} />
        <button type="submit">{text.apply}</button>
      </form>
      {isFiltered && (
        <p class="trash-chosen">
          {(deleted_with || credential_id) && (first ? `${text.onlyWith(text.withWords(first))} ` : `${text.onlyOne} `)}
          {until && `${text.onlyUntil(fieldValue(until).replace('T', ' '))} `}
          <Link to="/trash">{text.showAll}</Link>
        </p>
      )}
    </search>
  )
}

/** The signed-in user, and the accounts that deleted the listed events. */
function usePeople(entries: readonly TrashEntry[], chosen: string): [string, string][] {
  const known = useStore(session)
  const people = new Map<string, string>()
  if ('user' in known) people.set(known.user.id, text.you(known.user.display_name))
  for (const { deleted_by: id, deleted_by_name: name } of entries)
    if (id !== null && !people.has(id)) people.set(id, name ?? id)
  if (chosen !== '' && !people.has(chosen)) people.set(chosen, text.someone)
  return [...people]
}
