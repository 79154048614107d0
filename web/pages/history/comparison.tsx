// Compares an earlier version with the current one, side by side, and restores it after a question.
import type { JSX } from 'preact'
import type { EventChange, EventVersion } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { LoadedSection } from '../admin/parts.tsx'
import { momentInWords } from '../editor/form/date-words.ts'
import { valueInWords } from './change-words.ts'

const text = words.history

interface ComparisonProps {
  id: string
  version: number
  onRestored(): void
}

export function VersionComparison({ id, version, onRestored }: ComparisonProps): JSX.Element {
  const path = { event_id: id, version: String(version) }
  const loaded = useLoaded(
    (signal) => call('getEventVersion', { path, query: { against: 'current' }, signal }),
    [id, version],
  )
  return (
    <LoadedSection loaded={loaded}>
      {({ data }) => {
        const changes = data.changes ?? []
        return changes.length === 0 ? (
          <p class="quiet">{text.same}</p>
        ) : (
          <>
            <SideBySide changes={changes} />
            <RestoreVersion id={id} shown={data} onRestored={onRestored} />
          </>
        )
      }}
    </LoadedSection>
  )
}

/** The changes are from the current version to this one. */
const SideBySide = ({ changes }: { changes: readonly EventChange[] }): JSX.Element => (
  <table class="versions">
    <thead>
      <tr>
        <th scope="col">{text.field}</th>
        <th scope="col">{text.earlier}</th>
        <th scope="col">{text.now}</th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change) => (
        <tr key={`${change.field} ${change.occurrence_key ?? ''}`}>
          <th scope="row">{nameOf(change)}</th>
          <td data-side={text.earlier}>{sideOf(change, 'after')}</td>
          <td data-side={text.now}>{sideOf(change, 'before')}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const nameOf = ({ field, occurrence_key: key }: EventChange): string =>
  field === 'occurrence' ? text.date(momentInWords(key!)) : (text.fields[field] ?? field)

function sideOf(change: EventChange, side: 'before' | 'after'): string {
  if (change.field === 'other') return '–'
  if (change.field !== 'occurrence') return valueInWords(change.field, change[side])
  const state = change[side] as keyof typeof text.dateStates
  if (state !== 'edited' || change.fields === undefined) return text.dateStates[state]
  const own = change.fields.filter((field) => side in field)
  return own
    .map(({ field, ...values }) => `${text.fields[field] ?? field}: ${valueInWords(field, values[side])}`)
    .join('; ')
}

interface RestoreProps {
  id: string
  shown: EventVersion
  onRestored(): void
}

function RestoreVersion({ id, shown, onRestored }: RestoreProps): JSX.Element {
  const { isAsked, ask, cancel, opener } = useQuestion()
  const { isBusy, error, run } = useSubmission()
  const isPublished = shown.changes?.some(({ field, after }) => field === 'visibility' && after === 'public')
  const restore = () =>
    run(async () => {
      const path = { event_id: id, version: String(shown.version) }
      await call('restoreEventVersion', { path, body: { version: shown.against! } })
      toast(text.restored)
      showChanges()
      onRestored()
    })
  return (
    <>
      {isAsked ? (
        <Question yes={text.restoreYes} isHarmless={!isPublished} isBusy={isBusy} onYes={restore} onCancel={cancel}>
          {text.restoreSure} {isPublished && <strong>{text.publishes}</strong>}
        </Question>
      ) : (
        <button ref={opener} type="button" onClick={ask}>
          {text.restore}
        </button>
      )}
      {!!error && <Notice kind="bad">{explain(error, { version_mismatch: text.stale })}</Notice>}
    </>
  )
}
