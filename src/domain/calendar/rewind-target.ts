// Decides what an event becomes when the calendar is rewound, from who made which of its versions.
import type { Instant } from '../time/instant.ts'

/** A version from `at` until it was replaced or deleted. */
export interface VersionSpan {
  version: number
  at: Instant
  by: string | null
  /** Undefined for the current version. */
  endedAt: Instant | undefined
  /** If it ended because the event was deleted. */
  deletion: { by: string | null } | undefined
}

export interface EventTimeline {
  createdAt: Instant
  /** All that ended after the moment, in order; the last one is the current, or the one in the trash. */
  versions: readonly VersionSpan[]
  /** Whether the event was in the trash just before the first of them. */
  wasDeletedBefore: boolean
}

/** What an event was: a version, not there, or not known because it is not kept. */
export type EventState = { version: number } | 'absent' | 'unknown'

/** What it becomes: that state, or nothing because of a reason; undefined where it is not affected. */
export type RewindTarget = EventState | 'changed_later' | undefined

interface Step {
  by: string | null
  before: EventState
}

/** With a person, only changes of that person are undone, and only if no other person has changed the event since. */
export function findRewindTarget(timeline: EventTimeline, to: Instant, person: string | undefined): RewindTarget {
  const steps = stepsSince(timeline, to)
  const first = person === undefined ? 0 : steps.findIndex(({ by }) => by === person)
  const undone = first === -1 ? [] : steps.slice(first)
  if (undone.length === 0) return undefined
  if (person !== undefined && undone.some(({ by }) => by !== person)) return 'changed_later'
  return undone[0]!.before
}

/** Each change after the moment, with what the event was before it. */
function stepsSince({ createdAt, versions, wasDeletedBefore }: EventTimeline, to: Instant): Step[] {
  const steps: Step[] = []
  let state: EventState = createdAt > to || wasDeletedBefore ? 'absent' : 'unknown'
  for (const { version, at, by, endedAt, deletion } of versions) {
    if (at > to) steps.push({ by, before: state })
    state = { version }
    if (!deletion || endedAt === undefined) continue
    steps.push({ by: deletion.by, before: state })
    state = 'absent'
  }
  return steps
}
