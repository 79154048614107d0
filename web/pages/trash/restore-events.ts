// Restores a selection of deleted events by as many requests as it takes, or foresees the result.
import type { Operations, RestoreReport } from '../../api/contract.ts'
import { call } from '../../app/session.ts'

const RESULTS = ['restored', 'uid_conflict', 'not_found', 'not_stored'] as const

export type RestoreCounts = Pick<RestoreReport, (typeof RESULTS)[number]>

type RestoreBody = Operations['restoreEvents']['body']

export async function restoreEvents(selection: RestoreBody, isDryRun: boolean): Promise<RestoreCounts> {
  const counts = { restored: 0, uid_conflict: 0, not_found: 0, not_stored: 0 }
  let after: string | null = null
  do {
    const body: RestoreBody = { ...selection, dry_run: isDryRun, ...(after === null ? {} : { after }) }
    const { data }: Operations['restoreEvents']['answer'] = await call('restoreEvents', { body })
    for (const result of RESULTS) counts[result] += data[result]
    after = data.next
  } while (after !== null)
  return counts
}
