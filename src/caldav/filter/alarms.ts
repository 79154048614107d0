// Alarm triggers in a time range, with repeats. RFC 4791 §9.9, RFC 5545 §3.6.6.
import type { Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { type Component, findProperty, paramOf } from '../../ical/text/tree.ts'
import { parseLength, readMomentLine } from '../../ical/times.ts'
import { ALL_TIME, type ReadObject } from '../calendar-data/instances.ts'
import { hasInstance } from './time-range.ts'

/** Whether an alarm of the VEVENT triggers in the range, for any of its instances. */
export function* alarmInRange(object: ReadObject, event: Component, alarm: Component, range: Range): Steps<boolean> {
  const trigger = findProperty(alarm, 'TRIGGER')
  if (!trigger) return false
  const repeats = repeatsOf(alarm)
  const offset = parseLength(trigger.value)
  if (offset === undefined) {
    const fixed = readMomentLine(trigger, object.zone)
    return fixed !== undefined && !fixed.isDate && isAnyIn(fixed.at, repeats, range)
  }
  const isFromEnd = paramOf(trigger, 'RELATED')?.toUpperCase() === 'END'
  // Instances whose start or end can have a trigger in the range; the extra second includes an instance ending at its
  // edge.
  const near = {
    from: Math.max(range.from - offset - repeats.count * repeats.everyMs - 1_000, ALL_TIME.from),
    to: Math.min(range.to - offset, ALL_TIME.to),
  }
  return yield* hasInstance(object, event, near, ({ startAt, endAt }) =>
    isAnyIn((isFromEnd ? endAt : startAt) + offset, repeats, range),
  )
}

interface Repeats {
  count: number
  everyMs: number
}

function repeatsOf(alarm: Component): Repeats {
  const count = findProperty(alarm, 'REPEAT')?.value.trim() ?? ''
  const everyMs = parseLength(findProperty(alarm, 'DURATION')?.value ?? '') ?? 0
  return /^\d{1,6}$/.test(count) && everyMs > 0 ? { count: Number(count), everyMs } : { count: 0, everyMs: 0 }
}

/** Whether the first trigger or one of its repeats is in the range. */
function isAnyIn(firstAt: Instant, { count, everyMs }: Repeats, { from, to }: Range): boolean {
  const index = count > 0 && firstAt < from ? Math.ceil((from - firstAt) / everyMs) : 0
  const at = firstAt + index * everyMs
  return index <= count && at >= from && at < to
}
