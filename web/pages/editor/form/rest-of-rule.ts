// The rule of a series from one of its dates on.
import { countBefore } from '../../../../src/domain/calendar/following/end-rule.ts'
import { formatRule, parseRule } from '../../../../src/domain/recurrence/rule.ts'
import type { Event } from '../../../api/contract.ts'
import { wallIn } from './event-values.ts'

/** The rule of the later dates: its COUNT without the dates before. */
export function restOfRule(event: Event, key: string): string | null {
  const rule = event.rrule === null ? undefined : parseRule(event.rrule)
  const [start, at] = [wallIn(event.start_date ?? event.start, event.timezone), wallIn(key, '')]
  if (typeof rule !== 'object' || rule.count === undefined || start === undefined || at === undefined)
    return event.rrule
  return formatRule({ ...rule, count: Math.max(1, rule.count - (countBefore(rule, start, at) ?? 0)) })
}
