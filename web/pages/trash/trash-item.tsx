// One deleted event: when it was, who deleted it and with what, and the buttons to restore it.
import type { JSX } from 'preact'
import type { TrashEntry } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { Link } from '../../app/router.tsx'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import { formatTimes } from '../../words/formats.ts'
import { DateTime } from '../admin/parts.tsx'
import { selectionLike, type TrashSearch } from './trash-filters.tsx'

const text = words.trash

interface TrashItemProps {
  entry: TrashEntry
  isChosen: boolean
  /** Undefined if there is only one. */
  onChoose: ((isOn: boolean) => void) | undefined
  /** Undefined where only entries of one credential are listed. */
  onSelect: ((selection: TrashSearch) => void) | undefined
  onSettled(): void
}

export function TrashItem({ entry, isChosen, onChoose, onSelect, onSettled }: TrashItemProps): JSX.Element {
  const { isBusy, error, run } = useSubmission()
  const { id, title, continued_by: successor } = entry
  const restore = () =>
    run(async () => {
      const query = successor === null ? {} : { replace: true }
      await call('restoreEvent', { path: { event_id: id }, query })
      toast(words.editor.eventBroughtBack, undefined, { to: addressOf(entry), text: words.editor.showSaved })
      showChanges()
      onSettled()
    })
  return (
    <li>
      {onChoose && (
        <input
          type="checkbox"
          aria-label={text.select(title)}
          checked={isChosen}
          onChange={(e) => onChoose(e.currentTarget.checked)}
        />
      )}
      <div class="trash-event">
        <h2>{title}</h2>
        <p>
          {formatTimes(entry, site.timezone)}
          {entry.recurring && ` · ${words.calendar.repeats}`}
          {entry.visibility === 'private' && ` · ${words.calendar.private}`}
        </p>
        <p class="quiet">
          {text.deleted} <DateTime at={entry.deleted_at} /> {text.by(entry)}. {text.until}{' '}
          <DateTime at={entry.purged_at} as="date" />.
        </p>
        {successor !== null && (
          <p class="hint">
            {text.replacedNote} <Link to={addressOf({ ...entry, id: successor })}>{text.showOther}</Link>
          </p>
        )}
        {!!error && <Notice kind="bad">{explain(error, text.refusals)}</Notice>}
      </div>
      <div class="trash-actions">
        <button
          type="button"
          aria-disabled={isBusy}
          aria-label={`${successor === null ? text.restore : text.replace}: ${title}`}
          onClick={restore}
        >
          {successor === null ? text.restore : text.replace}
        </button>
        {onSelect && (
          <button type="button" class="plain" onClick={() => onSelect(selectionLike(entry))}>
            {text.sameSince(entry)}
          </button>
        )}
      </div>
    </li>
  )
}

/** The calendar at its first date, with its details open. */
const addressOf = ({ id, start }: Pick<TrashEntry, 'id' | 'start'>): string =>
  `/?${new URLSearchParams({ date: start.slice(0, 10), event: id })}`
