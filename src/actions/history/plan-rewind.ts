// Plans a rewind: what each event that changed since a moment becomes. Reads no texts.
import type { Context } from '../../context.ts'
import type { Visibility } from '../../domain/calendar/event.ts'
import { findRewindTarget, type RewindTarget, type VersionSpan } from '../../domain/calendar/rewind-target.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { keyOfId } from '../../storage/events/events.ts'
import {
  type DeletedEvent,
  listDeletedAfter,
  listDeletedBefore,
  listEventsAfter,
  listLiveByUid,
  listVersionsSince,
  type PastVersion,
} from '../../storage/history/rewind.ts'
import { MAX_VERSIONS } from '../../storage/history/versions.ts'

export const REWIND_REASONS = ['changed_later', 'changed_meanwhile', 'not_kept', 'uid_conflict', 'not_stored'] as const

/** Why an event is left as it is. */
export type RewindReason = (typeof REWIND_REASONS)[number]

export interface PlannedRewind {
  key: number
  id: string
  title: string
  /** To the trash, to an earlier version, or back from the trash. */
  action: 'delete' | 'change' | 'restore'
  /** The version that it has now. */
  from: number
  /** The version that it gets the text of. */
  to: number | undefined
  reason: RewindReason | undefined
  /** A private event whose text of then is public. */
  becomesPublic: boolean
  octets: number
}

interface RewindScope {
  to: Instant
  /** The account whose changes are undone; undefined: all changes. */
  person: string | undefined
}

/** Events of a slice; many of them may have changed. */
const EVENTS_AT_ONCE = 200

type Pause = () => Promise<void> | undefined

/** In the order of their keys; those that are deleted now come last, when the UIDs they need are free. */
export async function planRewind(ctx: Context, scope: RewindScope, pause: Pause): Promise<PlannedRewind[]> {
  const events = await planEvents(ctx, scope, pause)
  const isFreed = new Set(events.filter(({ action, reason }) => action === 'delete' && !reason).map(({ id }) => id))
  const deleted = await planDeleted(ctx, scope, isFreed, pause)
  return [...events, ...withoutSameUid(deleted)]
}

interface PlannedRestoration extends PlannedRewind {
  uid: string
  deletedAt: Instant
}

/** Of two deleted events with one UID, the one deleted last is restored, as from the trash. */
function withoutSameUid(planned: readonly PlannedRestoration[]): PlannedRewind[] {
  const last = new Map<string, PlannedRestoration>()
  for (const one of planned)
    if (!one.reason && one.deletedAt >= (last.get(one.uid)?.deletedAt ?? 0)) last.set(one.uid, one)
  return planned.map((one) => (one.reason || last.get(one.uid) === one ? one : conflicting(one)))
}

const conflicting = <Planned extends PlannedRewind>(planned: Planned): Planned => ({
  ...planned,
  reason: 'uid_conflict',
  becomesPublic: false,
})

async function planEvents(ctx: Context, scope: RewindScope, pause: Pause): Promise<PlannedRewind[]> {
  const { reads } = ctx.storage
  const planned: PlannedRewind[] = []
  for (let after = -1; ; ) {
    const slice = await listEventsAfter(reads, after, EVENTS_AT_ONCE)
    const changed = slice.filter(({ updated_at }) => updated_at > scope.to)
    for (const batch of batchByVersions(changed)) {
      const histories = await readHistories(
        ctx,
        batch.map(({ key }) => key),
        scope,
      )
      for (const event of batch) {
        const last = { version: event.version, at: event.updated_at, by: event.updated_by }
        const current = { ...last, endedAt: undefined, deletion: undefined }
        planned.push(...planOne(event, event.key, current, histories, scope))
      }
      await pause()
    }
    if (slice.length < EVENTS_AT_ONCE) return planned
    after = slice.at(-1)!.key
  }
}

/** `isFreed` are the events that are deleted before any is restored. */
async function planDeleted(
  ctx: Context,
  scope: RewindScope,
  isFreed: ReadonlySet<string>,
  pause: Pause,
): Promise<PlannedRestoration[]> {
  const { reads } = ctx.storage
  const planned: PlannedRestoration[] = []
  for (let after = ''; ; ) {
    const slice = await listDeletedAfter(reads, scope.to, after, EVENTS_AT_ONCE)
    const uids = slice.map(({ uid }) => uid)
    const taken = new Set((await listLiveByUid(reads, uids)).filter(({ id }) => !isFreed.has(id)).map(({ uid }) => uid))
    for (const batch of batchByVersions(slice)) {
      const keys = batch.flatMap(({ event_id }) => keyOfId(event_id) ?? [])
      const histories = await readHistories(ctx, keys, scope)
      for (const event of batch) {
        const last = { version: event.version, at: event.updated_at, by: event.updated_by }
        const ended = { ...last, endedAt: event.deleted_at, deletion: { by: event.deleted_by } }
        const restored = planOne({ ...event, id: event.event_id }, keyOfId(event.event_id)!, ended, histories, scope)
        for (const one of restored) {
          const isRefused = !one.reason && taken.has(event.uid)
          planned.push({ ...(isRefused ? conflicting(one) : one), uid: event.uid, deletedAt: event.deleted_at })
        }
      }
      await pause()
    }
    if (slice.length < EVENTS_AT_ONCE) return planned
    after = slice.at(-1)!.event_id
  }
}

/** Versions in memory at a time, of one event or of many. */
const VERSIONS_AT_ONCE = 20_000

/** An event has at most as many earlier versions as its number says. */
function* batchByVersions<Event extends { version: number }>(events: readonly Event[]): Generator<Event[]> {
  let batch: Event[] = []
  let versions = 0
  for (const event of events) {
    const most = Math.min(event.version, MAX_VERSIONS)
    if (batch.length > 0 && versions + most > VERSIONS_AT_ONCE) {
      yield batch
      batch = []
      versions = 0
    }
    batch.push(event)
    versions += most
  }
  if (batch.length > 0) yield batch
}

interface Histories {
  byKey: Map<number, PastVersion[]>
  /** Events that were in the trash before the first of their versions here. */
  deletedBefore: ReadonlySet<number>
}

async function readHistories({ storage }: Context, keys: readonly number[], { to }: RewindScope): Promise<Histories> {
  if (keys.length === 0) return { byKey: new Map(), deletedBefore: new Set() }
  const versions = await listVersionsSince(storage.reads, keys, to)
  const deleted = await listDeletedBefore(storage.reads, keys, to)
  return { byKey: Map.groupBy(versions, ({ event_key }) => event_key), deletedBefore: new Set(deleted) }
}

interface RewindableEvent extends Pick<DeletedEvent, 'title' | 'visibility' | 'version' | 'created_at' | 'octets'> {
  id: string
}

function planOne(
  event: RewindableEvent,
  key: number,
  last: VersionSpan,
  { byKey, deletedBefore }: Histories,
  { to, person }: RewindScope,
): PlannedRewind[] {
  const past = byKey.get(key) ?? []
  const versions = [...past.map(spanOf), last]
  const timeline = { createdAt: event.created_at, versions, wasDeletedBefore: deletedBefore.has(key) }
  const target = findRewindTarget(timeline, to, person)
  const isDeleted = last.deletion !== undefined
  const action = isDeleted ? 'restore' : target === 'absent' ? 'delete' : 'change'
  if (target === undefined || (isDeleted && target === 'absent')) return []
  const version = versionOf(target)
  if (!isDeleted && version === event.version) return []
  const was = past.find((one) => one.version === version)?.visibility ?? event.visibility
  const { id, title, octets } = event
  const reason = reasonOf(target)
  const becomesPublic = reason === undefined && action !== 'delete' && isPublished(event.visibility, was)
  return [{ key, id, title, action, from: event.version, to: version, reason, becomesPublic, octets }]
}

const isPublished = (now: Visibility, then: Visibility): boolean => now === 'private' && then === 'public'

const versionOf = (target: RewindTarget): number | undefined =>
  typeof target === 'object' ? target.version : undefined

const reasonOf = (target: RewindTarget): RewindReason | undefined =>
  target === 'unknown' ? 'not_kept' : target === 'changed_later' ? target : undefined

const spanOf = (past: PastVersion): VersionSpan => ({
  version: past.version,
  at: past.changed_at,
  by: past.changed_by,
  endedAt: past.ended_at,
  deletion: past.deleted_with === null ? undefined : { by: past.deleted_by },
})
