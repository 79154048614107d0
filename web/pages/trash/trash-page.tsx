// Trash page for writers: deleted events, filtered by who deleted them, with what and since when.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TrashEntry } from '../../api/contract.ts'
import { navigate, useRoute } from '../../app/router.tsx'
import { call, isAdmin, session } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Checkbox } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { focusHeading, Page } from '../../ui/page.tsx'
import { useStore } from '../../ui/store.ts'
import { useLoaded } from '../../ui/use-loaded.ts'
import { LoadedSection, Pager } from '../admin/parts.tsx'
import { WritersOnly } from '../editor/writers-only.tsx'
import { EmptyTrash } from './empty-trash.tsx'
import { RestoreAll, RestoreSelected } from './restore-buttons.tsx'
import type { RestoreCounts } from './restore-events.ts'
import { selectionOf, TrashFilters, type TrashSearch } from './trash-filters.tsx'
import { TrashItem } from './trash-item.tsx'
import './trash.css'

const text = words.trash

const PER_PAGE = 50

export default function TrashPage(): JSX.Element {
  return <WritersOnly title={text.title}>{() => (site.keeps_trash ? <Trash /> : <NoTrash />)}</WritersOnly>
}

const NoTrash = (): JSX.Element => (
  <Page title={text.title}>
    <p>{text.notKept}</p>
  </Page>
)

function Trash(): JSX.Element {
  const selection = selectionOf(useRoute().query)
  // Another selection begins on its first page, with nothing selected.
  return (
    <Page title={text.title} width="wide">
      <div class="trash">
        <DeletedEvents key={new URLSearchParams(selection).toString()} selection={selection} />
      </div>
    </Page>
  )
}

const select = (to: TrashSearch): void => void navigate(`/trash?${new URLSearchParams(to)}`).then(focusHeading)

function DeletedEvents({ selection }: { selection: TrashSearch }): JSX.Element {
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [done, setDone] = useState<RestoreCounts>()
  const isFiltered = Object.keys(selection).length > 0
  const loaded = useLoaded(
    (signal) => call('listTrash', { query: { ...selection, page, per_page: PER_PAGE }, signal }),
    [page],
  )
  const settle = (counts?: RestoreCounts): void => {
    setDone(counts)
    setChosen(new Set())
    setPage(1)
    loaded.again()
    // The entry and its focused button disappear.
    focusHeading()
  }
  const choose = (ids: readonly string[], isOn: boolean): void =>
    setChosen((known) => new Set(isOn ? [...known, ...ids] : [...known].filter((id) => !ids.includes(id))))
  return (
    <>
      <p>{text.lead}</p>
      <LoadedSection loaded={loaded}>
        {({ data, meta }) => {
          const total = meta?.pagination?.total ?? 0
          const ids = data.map(({ id }) => id)
          const listed = ids.filter((id) => chosen.has(id))
          return (
            <>
              <TrashFilters selection={selection} entries={data} onSelect={select} />
              {done && <RestoreResult counts={done} />}
              {total === 0 && <p class="quiet">{isFiltered ? text.nothingFound : text.nothing}</p>}
              {total > 0 && (
                <div class="trash-bar">
                  {total > 1 && (
                    <>
                      <Checkbox
                        label={text.selectAll(ids.length)}
                        isOn={listed.length === ids.length}
                        onChange={(isOn) => choose(ids, isOn)}
                      />
                      <RestoreSelected ids={listed} onDone={settle} />
                    </>
                  )}
                  {isFiltered && total > 1 && <RestoreAll selection={selection} total={total} onDone={settle} />}
                  {!isFiltered && <EmptyForAdmin total={total} onDone={settle} />}
                </div>
              )}
              <Entries {...{ data, chosen, choose, settle }} isOfOne={selection.credential_id !== undefined} />
              <Pager meta={meta} onPage={setPage} />
            </>
          )
        }}
      </LoadedSection>
    </>
  )
}

interface EntriesProps {
  data: readonly TrashEntry[]
  isOfOne: boolean
  chosen: ReadonlySet<string>
  choose(ids: readonly string[], isOn: boolean): void
  settle(): void
}

const Entries = ({ data, isOfOne, chosen, choose, settle }: EntriesProps): JSX.Element => (
  <ul class="trash-list">
    {data.map((entry) => (
      <TrashItem
        key={`${entry.id} ${entry.version}`}
        entry={entry}
        isChosen={chosen.has(entry.id)}
        onChoose={data.length > 1 ? (isOn) => choose([entry.id], isOn) : undefined}
        onSelect={isOfOne ? undefined : select}
        onSettled={settle}
      />
    ))}
  </ul>
)

function EmptyForAdmin({ total, onDone }: { total: number; onDone(): void }): JSX.Element | null {
  return isAdmin(useStore(session)) ? <EmptyTrash total={total} onDone={onDone} /> : null
}

const RestoreResult = ({ counts }: { counts: RestoreCounts }): JSX.Element => (
  <Notice kind={counts.restored > 0 ? 'good' : 'plain'}>
    {text.restored(counts.restored)}
    {counts.uid_conflict > 0 && ` ${text.conflicts(counts.uid_conflict)}`}
    {counts.not_found > 0 && ` ${text.notFound(counts.not_found)}`}
    {counts.not_stored > 0 && ` ${text.notStored(counts.not_stored)}`}
  </Notice>
)
