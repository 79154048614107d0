// Edit conflict page: both versions side by side, with a choice for each field that differs.
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import * as words from '../../../strings.ts'
import { Page } from '../../../ui/page.tsx'
import type { SaveTarget } from '../event-store.ts'
import { momentInWords } from '../form/date-words.ts'
import type { EventValues } from '../form/event-values.ts'
import { type FieldGroup, groupsOf, mergeChosenGroups } from './compare.ts'

const strings = words.editor

interface ConflictProps {
  scope: SaveTarget['scope']
  /** The version that both edits started from. */
  base: EventValues
  mine: EventValues
  theirs: EventValues
  /** The occurrence keys of single dates that the other user has changed. */
  dates: readonly string[]
  onSave(values: EventValues): void
  onBack(): void
}

export function Conflict({ scope, base, mine, theirs, dates, onSave, onBack }: ConflictProps): JSX.Element {
  const groups = groupsOf(scope)
  const differing = groups.filter((group) => !group.isSame(mine, theirs))
  // A field that only one of the two changed defaults to that change; if both did, it defaults to mine.
  const touched = differing.filter((group) => !group.isSame(mine, base)).map(({ name }) => name)
  const [ours, setOurs] = useState<readonly string[]>(touched)
  const choose = (name: string, isMine: boolean) =>
    setOurs([...ours.filter((one) => one !== name), ...(isMine ? [name] : [])])
  return (
    <Page title={strings.conflictTitle}>
      <p>{strings.conflict}</p>
      {dates.length > 0 && <p>{strings.conflictDates(dates.map(momentInWords).join('; '))}</p>}
      <div class="actions">
        <button type="button" onClick={() => setOurs(differing.map(({ name }) => name))}>
          {strings.allMine}
        </button>
        <button type="button" onClick={() => setOurs([])}>
          {strings.allTheirs}
        </button>
      </div>
      {differing.map((group) => (
        <Choice
          key={group.name}
          group={group}
          mine={mine}
          theirs={theirs}
          isMine={ours.includes(group.name)}
          onChoose={(isMine) => choose(group.name, isMine)}
        />
      ))}
      <Same groups={groups.filter((group) => !differing.includes(group))} values={mine} />
      <div class="actions">
        <button type="button" class="main" onClick={() => onSave(mergeChosenGroups(differing, ours, mine, theirs))}>
          {strings.saveChoice}
        </button>
        <button type="button" onClick={onBack}>
          {strings.backToForm}
        </button>
      </div>
    </Page>
  )
}

interface ChoiceProps {
  group: FieldGroup
  mine: EventValues
  theirs: EventValues
  isMine: boolean
  onChoose(isMine: boolean): void
}

function Choice({ group, mine, theirs, isMine, onChoose }: ChoiceProps): JSX.Element {
  const name = useId()
  const side = (isOurs: boolean) => (
    <label class="choice">
      <input type="radio" name={name} checked={isMine === isOurs} onChange={() => onChoose(isOurs)} />
      <span>
        <strong>{isOurs ? strings.mine : strings.theirs}</strong>
        <span class="means version">{group.show(isOurs ? mine : theirs) || <em>{strings.empty}</em>}</span>
      </span>
    </label>
  )
  return (
    <fieldset class="differs">
      <legend>
        {group.label} <span class="mark bad">{strings.differs}</span>
      </legend>
      <div class="cards always">
        {side(true)}
        {side(false)}
      </div>
    </fieldset>
  )
}

const Same = ({ groups, values }: { groups: readonly FieldGroup[]; values: EventValues }): JSX.Element => (
  <section class="card">
    <h2>{strings.same}</h2>
    <dl class="same">
      {groups.map(({ name, label, show }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{show(values) || <em>{strings.empty}</em>}</dd>
        </div>
      ))}
    </dl>
  </section>
)
