// Saves the event form for one date of a series and all later ones.
import type { Occurrence } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { type SaveTarget, unlessGone } from './event-store.ts'
import { followingPatchOf, valuesOf } from './form/event-values.ts'
import { restOfRule } from './form/rest-of-rule.ts'
import { overrideOf, readEvent } from './read-event.ts'
import { restoreDate } from './restore-override.ts'

export function createFollowingTarget(id: string, key: string): SaveTarget {
  const path = { event_id: id, occurrence_key: key }
  return {
    scope: 'following',
    name: `${id} ${key} following`,
    async save(values, base) {
      const body = followingPatchOf(values, base.values)
      const { meta } = await call('patchOccurrence', {
        path,
        query: { scope: 'following' },
        body,
        ifMatch: base.etag,
      })
      return { id, dropped: meta?.dropped_exceptions?.length ?? 0 }
    },
    read: () =>
      unlessGone(async () => {
        const [event, { data }] = await Promise.all([readEvent(id), call('getOccurrence', { path })])
        const occurrence = data as Occurrence
        const rrule = restOfRule(event, key)
        return { values: valuesOf({ ...occurrence, rrule }), etag: occurrence.etag, event }
      }),
    bringBack: () => restoreDate(id, key),
    isOfSeries: ({ event, etag }) => !!event && event.etag === etag && !overrideOf(event, key),
  }
}
