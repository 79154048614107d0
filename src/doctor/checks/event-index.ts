// Checks derived rows: events are derived again from their texts and compared, a sample or all.

import type { DerivationContext } from '../../actions/maintenance/compare-derived.ts'
import { checkIndex, type IndexCheck } from '../../actions/maintenance/index-check.ts'
import { COMMAND } from '../../installation.ts'
import type { Inspection } from '../../storage/engine/inspect.ts'
import { type Finding, finding } from '../finding.ts'

const SAMPLE = 200
const MAX_NAMED = 5

export async function checkEventIndex(
  ctx: DerivationContext,
  inspection: Inspection,
  { isFull }: { isFull: boolean },
): Promise<Finding[]> {
  const zoneData = process.versions.tz ?? ''
  return describeIndex(await checkIndex(ctx, inspection, { sample: isFull ? undefined : SAMPLE, zoneData }))
}

function describeIndex({ pending, checked, different, unreadable }: IndexCheck): Finding[] {
  const found: Finding[] = []
  if (unreadable.length > 0)
    found.push(
      finding('events_unreadable', `${count(unreadable)} not readable: ${named(unreadable)}`, {
        values: { count: unreadable.length, ids: named(unreadable) },
        advice: 'Restore them from a backup, or delete them. They are not shown to anyone.',
      }),
    )
  if (different.length > 0) found.push(describeDifference(pending, different))
  if (found.length === 0)
    found.push(
      finding('index_ok', `columns and occurrences of ${checked} events are those of their texts`, {
        values: { checked },
      }),
    )
  return found
}

function describeDifference(pending: IndexCheck['pending'], different: string[]): Finding {
  if (pending === 'rebuilding')
    return finding('index_rebuilding', 'events are being derived again; lists may lack some until that is done', {
      values: {},
      advice: 'Keep the service running; GET /readyz shows the progress.',
    })
  if (pending === 'outdated')
    return finding('index_outdated', 'events were derived with other time zone data, another zone or another version', {
      values: {},
      advice: 'Start the service: it derives them again by itself.',
    })
  return finding('index_wrong', `${count(different)} derived wrongly: ${named(different)}`, {
    values: { count: different.length, ids: named(different) },
    advice: `Run ${COMMAND} reindex; it repairs them, also while the service runs.`,
  })
}

const count = ({ length }: string[]): string => (length === 1 ? '1 event is' : `${length} events are`)

const named = (ids: string[]): string =>
  [...ids.slice(0, MAX_NAMED), ...(ids.length > MAX_NAMED ? ['…'] : [])].join(', ')
