// Cache of the heads of CalDAV objects: each is read once, and again when its object has changed.
import type { Context } from '../../context.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { HOUR_MS } from '../../domain/time/instant.ts'
import {
  listChangedHeads,
  listObjectHeadsAt,
  listObjectHeadsNamed,
  type SizedHeadRow,
} from '../../storage/events/objects.ts'
import { listTombstones } from '../../storage/events/tombstones.ts'
import type { CurrentState } from '../maintenance/revision-reader.ts'

/** The heads as they are at the revision of a request, or later. */
export interface KnownHeads {
  /** Without reading the database: undefined also if the head is not known. */
  findNamed(name: string): SizedHeadRow | undefined
  /** In the order of the keys, without those that do not exist. */
  listAt(keys: readonly number[]): Promise<SizedHeadRow[]>
  listNamed(names: readonly string[]): Promise<SizedHeadRow[]>
}

type Moment = Pick<CurrentState, 'history' | 'revision'>

export interface HeadCache {
  open(viewer: Viewer, state: Moment): Promise<KnownHeads>
}

/** A head takes about 400 bytes. After more changes at once, all heads are read again. */
const LIMITS = { maxHeads: 10_000, maxChanges: 200 }

/** Older than this, tombstones of deleted objects might be purged. */
const MAX_AGE_MS = HOUR_MS

export function createHeadCache({ storage: { reads } }: Context, { maxHeads, maxChanges } = LIMITS): HeadCache {
  const rows = new Map<number, SizedHeadRow>()
  const keys = new Map<string, number>()
  let current: Moment = { history: 0, revision: 0 }
  let refreshedAt = 0
  let refreshing: Promise<void> | undefined

  const drop = (key: number | undefined): void => {
    const row = key === undefined ? undefined : rows.get(key)
    if (!row) return
    rows.delete(row.key)
    if (keys.get(row.dav_name) === row.key) keys.delete(row.dav_name)
  }
  const dropAll = (): void => {
    rows.clear()
    keys.clear()
  }
  const keep = (row: SizedHeadRow): void => {
    drop(row.key)
    if (rows.size >= maxHeads) drop(rows.keys().next().value)
    rows.set(row.key, row)
    keys.set(row.dav_name, row.key)
  }

  /** Nothing is kept while it reads but what belongs to the earlier revision, and the changes are dropped after that. */
  async function refresh(state: Moment): Promise<void> {
    const changes = await listChanges(state)
    if (!changes) dropAll()
    for (const { key, name } of changes ?? []) {
      drop(key)
      drop(keys.get(name))
    }
    current = state
    refreshedAt = performance.now()
  }

  /** Undefined if they are too many, or not known. */
  async function listChanges(state: Moment): Promise<{ key?: number; name: string }[] | undefined> {
    const isOld = performance.now() - refreshedAt > MAX_AGE_MS
    if (rows.size === 0 || isOld || state.history !== current.history) return undefined
    // The counter of the database itself.
    const since = { revision: current.revision - current.history + 1, name: '' }
    const until = state.revision - state.history
    const changed = await listChangedHeads(reads, since, until, maxChanges + 1)
    const gone = await listTombstones(reads, since, until, maxChanges + 1)
    if (changed.length + gone.length > maxChanges) return undefined
    return [...changed.map(({ key, dav_name: name }) => ({ key, name })), ...gone]
  }

  const isBehind = ({ history, revision }: Moment): boolean =>
    history > current.history || (history === current.history && revision > current.revision)

  return {
    async open(viewer, state) {
      requireAccess(viewer, 'read_full')
      while (isBehind(state)) {
        refreshing ??= refresh(state).finally(() => {
          refreshing = undefined
        })
        await refreshing
      }
      const isUsable = (): boolean => state.history === current.history
      /** What was read for an earlier revision may have changed since. */
      const keepRead = (read: SizedHeadRow[]): void => {
        if (isUsable() && state.revision === current.revision) for (const row of read) keep(row)
      }
      const findNamed = (name: string): SizedHeadRow | undefined => {
        const key = isUsable() ? keys.get(name) : undefined
        return key === undefined ? undefined : rows.get(key)
      }
      return {
        findNamed,
        async listAt(wanted) {
          const found = new Map(wanted.flatMap((key) => (isUsable() && rows.has(key) ? [[key, rows.get(key)!]] : [])))
          const unknown = wanted.filter((key) => !found.has(key))
          const read = unknown.length === 0 ? [] : await listObjectHeadsAt(reads, unknown)
          keepRead(read)
          for (const row of read) found.set(row.key, row)
          return wanted.flatMap((key) => found.get(key) ?? [])
        },
        async listNamed(wanted) {
          const found = new Map(wanted.map((name) => [name, findNamed(name)]))
          const unknown = wanted.filter((name) => !found.get(name))
          const read = unknown.length === 0 ? [] : await listObjectHeadsNamed(reads, unknown)
          keepRead(read)
          for (const row of read) found.set(row.dav_name, row)
          return wanted.flatMap((name) => found.get(name) ?? [])
        },
      }
    },
  }
}
