// Leaves out of a patch of later occurrences what the occurrence that was sent back has unchanged.
import { Problems } from '../../problems.ts'
import { patternOf } from '../../recurrence/occurrences.ts'
import { formatRule } from '../../recurrence/rule.ts'
import type { LocalMs } from '../../time/instant.ts'
import { DETAIL_FIELDS, type Series } from '../event.ts'
import type { Defaults } from '../fields.ts'
import { nominalTiming, patchDetails, patchTiming } from '../update.ts'
import type { FollowingPatch } from './patch-following.ts'

const TIMES = ['start', 'end', 'all_day', 'timezone'] as const

/**
 * A client that edits one field of such an occurrence does not mean the others: a rule with COUNT would begin anew, and
 * the text of later edited occurrences would be replaced. Start and end are left out together.
 */
export function withoutUnchanged(
  series: Series,
  key: LocalMs,
  patch: FollowingPatch,
  defaults: Defaults,
): FollowingPatch {
  const override = series.overrides.find((one) => one.key === key)
  const details = override?.details ?? series.details
  const timing = override?.timing ?? nominalTiming(series, patternOf({ ...series, rule: undefined, rdates: [] }), key)
  const problems = new Problems()
  const patched = patchDetails(details, patch, problems)
  const moved = patchTiming(timing, patch, defaults, problems)
  // What is wrong is for the caller to refuse.
  if (!moved || !problems.isEmpty) return patch
  const isTimed = JSON.stringify({ ...timing, ...moved }) !== JSON.stringify(timing)
  const { visibility, rule } = series
  const transparency = override?.transparency ?? series.transparency
  const rrule = rule ? formatRule(rule) : null
  const unchanged = new Set<string>([
    ...DETAIL_FIELDS.filter((field) => patched[field] === details[field]),
    ...(isTimed ? [] : TIMES),
    ...Object.entries({ visibility, transparency, rrule }).flatMap(([name, value]) =>
      patch[name as keyof FollowingPatch] === value ? [name] : [],
    ),
  ])
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !unchanged.has(name)))
}
