// Checks the clock against the last use of the calendar and PostgreSQL, and time zone data.

import type { Config } from '../../config.ts'
import { judgeClock } from '../../domain/time/clock-jump.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import { COMMAND } from '../../installation.ts'
import type { Inspection } from '../../storage/engine/inspect.ts'
import { readClockDifference } from '../../storage/operations/clock.ts'
import { readClockSeenAt } from '../../storage/operations/instance.ts'
import { type Finding, finding } from '../finding.ts'

/** Time servers keep clocks within milliseconds; the round trip to the database is far below this. */
const MAX_DRIFT_MS = 2_000

export interface CheckedClocks {
  /** The clock of this machine. */
  local: () => Instant
  /** The clock of the service, if it runs here. */
  shared?: (() => Instant) | undefined
}

export async function checkClock({ engine, db }: Inspection, { local, shared }: CheckedClocks): Promise<Finding[]> {
  const found: Finding[] = []
  const ahead = engine === 'postgres' ? await readClockDifference(db, local) : 0
  if (Math.abs(ahead) > MAX_DRIFT_MS)
    found.push(
      finding(
        'clock_drift',
        `the clock of this machine is ${formatSeconds(ahead)} ${ahead > 0 ? 'behind' : 'ahead of'} that of PostgreSQL`,
        {
          advice: 'Let a time server set both clocks. The service uses the time of PostgreSQL.',
          values: { seconds: Math.round(Math.abs(ahead) / 100) / 10, is_ahead: ahead < 0 },
        },
      ),
    )
  const seenAt = await readClockSeenAt(db)
  const now = shared?.() ?? local() + ahead
  const verdict = judgeClock(seenAt, now)
  if (verdict !== 'plausible')
    found.push(
      finding(
        'clock_in_doubt',
        `the clock is ${Math.round(Math.abs(now - seenAt) / DAY_MS)} days ${verdict === 'ahead' ? 'ahead of' : 'behind'} the last time this calendar was in use; nothing is purged meanwhile`,
        {
          values: { days: Math.round(Math.abs(now - seenAt) / DAY_MS), is_ahead: verdict === 'ahead' },
          advice: `Set the clock right and restart the service. If the clock is right, run ${COMMAND} reindex --accept-clock.`,
        },
      ),
    )
  if (found.length > 0) return found
  const compared =
    engine === 'postgres' ? 'PostgreSQL and the last use of the calendar' : 'the last use of the calendar'
  return [finding('clock_ok', `the clock fits ${compared}`, { values: { engine } })]
}

const formatSeconds = (ms: number): string => `${(Math.abs(ms) / 1_000).toFixed(1)} s`

/** Governments change clocks at short notice; data of two years ago is wrong somewhere. */
const MAX_ZONE_YEARS = 2

export function checkZoneData(
  { timezone }: Config,
  now: Instant,
  versions: NodeJS.Dict<string> = process.versions,
): Finding[] {
  const { tz = 'unknown', icu = 'unknown' } = versions
  const year = Number(/^\d{4}/.exec(tz)?.[0] ?? 0)
  if (new Date(now).getUTCFullYear() - year >= MAX_ZONE_YEARS)
    return [
      finding('zone_data_old', `the time zone data is of version ${tz}`, {
        values: { tz },
        advice: 'Update Daybook; its own Node brings the time zone data.',
      }),
    ]
  return [
    finding('zone_data_ok', `time zone data ${tz}, ICU ${icu}; the calendar is in ${timezone}`, {
      values: { tz, icu, timezone },
    }),
  ]
}
