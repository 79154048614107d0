// Exceptions that an edit of a series loses: their keys, and if they were excluded or overridden.
import { formatOccurrenceKey } from '../recurrence/occurrence-key.ts'
import type { LocalMs } from '../time/instant.ts'
import type { Series } from './event.ts'

export interface DroppedException {
  occurrenceKey: string
  type: 'excluded' | 'overridden'
}

interface LostKeys {
  type: DroppedException['type']
  keys: readonly LocalMs[]
  /** Whether the keys are dates. */
  isDate: boolean
}

/** Each once, in order of their keys. */
export const listDropped = (...lost: readonly LostKeys[]): DroppedException[] =>
  lost
    .flatMap(({ type, keys, isDate }) =>
      [...new Set(keys)].map((key) => ({ occurrenceKey: formatOccurrenceKey(key, isDate), type })),
    )
    .sort((a, b) => (a.occurrenceKey < b.occurrenceKey ? -1 : 1))

/** Of exceptions of this series, by their keys. */
export function listLost({ overrides, timing }: Series, keys: readonly LocalMs[]): DroppedException[] {
  const edited = new Set(overrides.map((override) => override.key))
  const isDate = timing.allDay
  return listDropped(
    { type: 'excluded', keys: keys.filter((key) => !edited.has(key)), isDate },
    { type: 'overridden', keys: keys.filter((key) => edited.has(key)), isDate },
  )
}
