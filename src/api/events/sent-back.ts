// Read-only fields in updates: ignored when unchanged, so that events as read can be sent back.
import type { SentBackCheck } from '../../actions/events/change-event.ts'
import { FOLLOWING_FIELDS, READ_ONLY, READ_ONLY_OF_OCCURRENCE } from '../../contract/event-requests.ts'
import { dayOf } from '../../domain/time/instant.ts'
import { parseTimeText, type TimeText } from '../../domain/time/text.ts'
import { failFields, fieldProblem } from '../../errors.ts'

type Fields = Record<string, unknown>

/**
 * The check of an update of an event, or of an occurrence; undefined where the request has no read-only field. The
 * author gets to know no more than whether a field is as a read would show it.
 */
export function createSentBackCheck<Shown>(
  body: unknown,
  kind: 'event' | 'occurrence' | 'following',
  present: (shown: Shown) => object,
): SentBackCheck<Shown> | undefined {
  const sent = body as Fields
  const names = NAMES[kind].filter((name) => sent[name] !== undefined)
  if (names.length === 0) return undefined
  return (shown) => {
    const stored: Fields = shown ? { ...present(shown) } : {}
    // The public form of a private event does not have it.
    if (kind === 'event') stored.occurrence_key ??= null
    const changed = names.filter((name) => !isSame(sent[name], stored[name], stored.all_day === true))
    if (changed.length > 0) failFields(changed.map((name) => fieldProblem(`/${name}`, 'not_allowed')))
  }
}

const NAMES: Record<'event' | 'occurrence' | 'following', readonly string[]> = {
  event: READ_ONLY,
  occurrence: READ_ONLY_OF_OCCURRENCE,
  following: READ_ONLY_OF_OCCURRENCE.filter((name) => !FOLLOWING_FIELDS.includes(name)),
}

/** Exceptions have times, which a read may show in another zone. */
function isSame(sent: unknown, stored: unknown, allDay: boolean): boolean {
  if (typeof sent !== 'object' || sent === null || typeof stored !== 'object' || stored === null) return sent === stored
  if (Array.isArray(sent) !== Array.isArray(stored)) return false
  const [one, other] = [sent as Fields, stored as Fields]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const isSameField = (name: string): boolean =>
    isSame(one[name], other[name], allDay) ||
    ((name === 'start' || name === 'end') && isSameMoment(one[name], other[name], allDay))
  return [...names].every(isSameField)
}

function isSameMoment(sent: unknown, stored: unknown, allDay: boolean): boolean {
  const [one, other] = [readInstant(sent), readInstant(stored)]
  if (!one || !other) return false
  return one.instant === other.instant || (allDay && dayOf(one.written) === dayOf(other.written))
}

function readInstant(value: unknown): Extract<TimeText, { kind: 'instant' }> | undefined {
  const text = typeof value === 'string' ? parseTimeText(value) : undefined
  return text?.kind === 'instant' ? text : undefined
}
