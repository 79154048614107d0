// One version of an event: who made it, when and by what means, what it changed, and its comparison.
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { HistoryEntry } from '../../api/contract.ts'
import * as words from '../../strings.ts'
import { DateTime } from '../admin/parts.tsx'
import { changesInWords } from './change-words.ts'
import { VersionComparison } from './comparison.tsx'

const text = words.history

interface VersionItemProps {
  id: string
  entry: HistoryEntry
  /** Whether it is the last that is listed, and an older one is not kept. */
  isOldest: boolean
  onRestored(): void
}

export function VersionItem({ id, entry, isOldest, onRestored }: VersionItemProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  const { version, current } = entry
  return (
    <li>
      <h2>
        {actionOf(entry)} <DateTime at={entry.at} />
        {current && <span class="mark good">{text.current}</span>}
      </h2>
      <p class="quiet">{text.by(entry)}</p>
      <Changes entry={entry} isOldest={isOldest} />
      {entry.deleted && <p>{text.deletedThen}</p>}
      {!current && (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? panel : undefined}
            aria-label={isOpen ? text.hideLabel(version) : text.compareLabel(version)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? text.hide : text.compare}
          </button>
          {isOpen && (
            <div id={panel} class="version-panel">
              <VersionComparison id={id} version={version} onRestored={onRestored} />
            </div>
          )}
        </>
      )}
    </li>
  )
}

const actionOf = ({ version, through }: HistoryEntry): string => {
  if (through !== null) return text.through[through]
  return version === 1 ? text.created : text.changed
}

function Changes({ entry, isOldest }: { entry: HistoryEntry; isOldest: boolean }): JSX.Element | null {
  const { changes, more_changes: more, version } = entry
  if (changes === null && version === 1) return null
  if (changes === null) return <p class="hint">{isOldest ? text.unknown : text.tooLong}</p>
  if (changes.length === 0) return <p class="hint">{text.nothing}</p>
  return (
    <ul class="changes">
      {changesInWords(changes).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {more > 0 && <li>{text.more(more)}</li>}
    </ul>
  )
}
