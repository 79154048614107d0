// Gives an occurrence and all later ones other times or another rule, within one series.
import { fail, failField } from '../../../errors.ts'
import type { Steps } from '../../steps.ts'
import type { LocalMs } from '../../time/instant.ts'
import type { Series } from '../event.ts'
import type { SeriesUpdate } from '../update.ts'
import type { LaterValues, Rescheduled } from './later-exceptions.ts'
import type { LaterSchedule } from './later-schedule.ts'
import { MAX_FOLLOWING } from './limits.ts'
import { writeAsNewSeries } from './new-series.ts'
import { writeAsExtraDates, writeAsOverrides } from './old-series.ts'
import type { SeriesSides } from './sides.ts'

/**
 * Of the possible ways to write the change the one with the fewest exceptions: the series takes the new times and the
 * earlier occurrences are exceptions, or the other way round.
 */
export function* reschedule(
  series: Series,
  key: LocalMs,
  sides: SeriesSides,
  schedule: LaterSchedule,
  values: LaterValues,
): Steps<SeriesUpdate> {
  const change = { series, key, sides, schedule, values }
  const ways = [...(yield* writeAsNewSeries(change)), ...writeAsOverrides(change), ...writeAsExtraDates(change)]
  const best = ways.reduce<Rescheduled | undefined>(
    (one, other) => (one && one.cost <= other.cost ? one : other),
    undefined,
  )
  if (best && best.cost <= 2 * MAX_FOLLOWING) return best
  if (!values.mayLead) return failField('/status', 'not_allowed')
  return schedule.isRuleFixed ? failField('/rrule', 'required') : fail('too_many_overrides')
}
