// Object versions that each CalDAV credential has received; decides PUT requests without If-Match.
import type { Context } from '../../context.ts'
import { type AccountViewer, type Actor, mayDo } from '../../domain/privacy/viewer.ts'
import { LruMap } from '../../lru-map.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { isVersionServed, type ServedVersion, saveServedVersions } from '../../storage/accounts/served-versions.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { readCalendarState, readServerState } from '../../storage/events/calendar.ts'
import type { Db } from '../../storage/tables.ts'

/** What one credential has received since the last `flushServedVersions`, and what is known to be stored. */
interface ServedState {
  userId: string
  /** Every object with this revision or an earlier one was listed with its ETag; 0 if unknown. */
  revision: number
  /** Revisions of single objects that were fetched since, by name. */
  objects: LruMap<string, number>
  /** Not stored yet. */
  isUnsaved: boolean
  unsaved: Set<string>
}

export type { ServedVersion }

const MAX_CREDENTIALS = 200
/** Single objects of one credential. A client that lists the whole calendar needs none. */
export const MAX_SERVED_OBJECTS = 500

interface ServedRegistry {
  credentials: LruMap<string, ServedState>
  hasFailed: boolean
  /** The database whose revisions these are, as it was last seen. */
  database: DatabaseIdentity | undefined
}

interface DatabaseIdentity {
  revision: number
  /** Of PostgreSQL. */
  serverStartedAt?: string | undefined
}

const registries = new WeakMap<Context, ServedRegistry>()

function registryOf(ctx: Context): ServedRegistry {
  const registry = registries.get(ctx) ?? {
    credentials: new LruMap(MAX_CREDENTIALS),
    hasFailed: false,
    database: undefined,
  }
  registries.set(ctx, registry)
  return registry
}

const credentialKey = ({ credentialId, account }: AccountViewer): string => credentialId ?? account.id

/** False where no PUT depends on it: by the setting, or because the viewer may not write or uses an API token. */
const isTracked = (ctx: Context, viewer: AccountViewer): boolean =>
  ctx.config.caldavBlindWrites === 'served' && viewer.proof !== 'token' && mayDo(viewer, 'write')

function openState(ctx: Context, viewer: AccountViewer): ServedState | undefined {
  if (!isTracked(ctx, viewer)) return undefined
  const { credentials } = registryOf(ctx)
  const key = credentialKey(viewer)
  const state = credentials.get(key) ?? {
    userId: viewer.account.id,
    revision: 0,
    objects: new LruMap(MAX_SERVED_OBJECTS),
    isUnsaved: false,
    unsaved: new Set(),
  }
  credentials.set(key, state)
  return state
}

/** The client has the ETag of every object as of this revision. */
export function recordListing(ctx: Context, viewer: AccountViewer, revision: number): void {
  const state = openState(ctx, viewer)
  if (!state || revision === state.revision) return
  // A lower one too: after a failover to a standby without the last writes, revisions begin again from there.
  state.revision = revision
  state.isUnsaved = true
  for (const [name, version] of [...state.objects]) {
    if (version > revision) continue
    state.objects.delete(name)
    state.unsaved.delete(name)
  }
}

/** What a client knows that has received a response. */
export interface ServedContents {
  /** It lists every object as of this revision. */
  listed?: number | undefined
  /** Objects whose complete text it contains. */
  objects: ServedVersion[]
}

export function recordServed(ctx: Context, viewer: AccountViewer, { listed, objects }: ServedContents): void {
  if (listed !== undefined) recordListing(ctx, viewer, listed)
  if (objects.length > 0) recordObjects(ctx, viewer, objects)
}

/** Whether `recordObjects` would add this object: most reads repeat what is recorded already. */
export function isNewToClient(ctx: Context, viewer: AccountViewer, { name, revision }: ServedVersion): boolean {
  const state = registryOf(ctx).credentials.peek(credentialKey(viewer))
  if (state && (revision <= state.revision || revision === state.objects.peek(name))) return false
  return isTracked(ctx, viewer)
}

/** The client has the complete text of these objects. */
export function recordObjects(ctx: Context, viewer: AccountViewer, objects: Iterable<ServedVersion>): void {
  const state = openState(ctx, viewer)
  if (!state) return
  for (const { name, revision } of objects) {
    if (revision <= state.revision || revision === state.objects.peek(name)) continue
    state.objects.set(name, revision)
    state.unsaved.add(name)
  }
}

/**
 * Whether the credential of this request has received the stored version of an object. What is stored decides: it
 * belongs to the same history of the database. Memory adds only what is not stored yet.
 */
export async function isServed(ctx: Context, db: Db, viewer: Actor, object: ServedVersion): Promise<boolean> {
  if (viewer.kind !== 'account') return false
  const key = credentialKey(viewer)
  await forgetOtherDatabase(ctx, db)
  if (isServedUnsaved(ctx, key, object)) return true
  return isVersionServed(db, key, object)
}

function isServedUnsaved(ctx: Context, key: string, { name, revision }: ServedVersion): boolean {
  const state = registryOf(ctx).credentials.peek(key)
  if (state?.isUnsaved && state.revision >= revision) return true
  return state?.unsaved.has(name) === true && state.objects.peek(name) === revision
}

/** Forgets everything, when the database is found to have another history. */
export function forgetServedVersions(ctx: Context, found: DatabaseIdentity): void {
  const registry = registryOf(ctx)
  registry.credentials = new LruMap(MAX_CREDENTIALS)
  registry.database = found
}

/** Does nothing if the database has been found to have another history since. */
export function onSameDatabase(ctx: Context, record: () => void): () => void {
  const { credentials } = registryOf(ctx)
  return () => {
    if (registryOf(ctx).credentials === credentials) record()
  }
}

/**
 * Call in the transaction that uses the registry. Forgets everything if the database may have another history: a
 * standby that lacks the last writes reaches the same revisions with other contents. It is recognised by lower
 * revisions, or by the time its server was started; a restart of the same server means that clients synchronise once
 * more.
 */
async function forgetOtherDatabase(ctx: Context, db: Db): Promise<void> {
  const registry = registryOf(ctx)
  const { database: before, credentials } = registry
  const highest = Math.max(before?.revision ?? 0, ...[...credentials.values()].map(({ revision }) => revision))
  const found: DatabaseIdentity =
    ctx.storage.engine === 'sqlite' ? await readCalendarState(db) : await readServerState(db)
  const isOther = before !== undefined && before.serverStartedAt !== found.serverStartedAt
  if (isOther || highest > found.revision) forgetServedVersions(ctx, found)
  else registry.database = found
}

/** Call once at the start, before anything is recorded: a failover before the first `flushServedVersions` is noticed. */
export const noteDatabase = (ctx: Context): Promise<void> =>
  runForService(() => forgetOtherDatabase(ctx, ctx.storage.reads)).catch(() => {})

/**
 * Stores what is new; never fails. What could not be stored is tried again with the next call. `endsAtFailure`: at the
 * stop of the service, where each transaction would wait for a locked database in turn.
 */
export async function flushServedVersions(ctx: Context, endsAtFailure = false): Promise<void> {
  const registry = registryOf(ctx)
  let hasFailed = false
  for (const [credentialId, state] of [...registry.credentials]) {
    if (!state.isUnsaved && state.unsaved.size === 0) continue
    try {
      await runForService(() => saveState(ctx, credentialId, state))
    } catch {
      hasFailed = true
      if (endsAtFailure) break
    }
  }
  if (hasFailed && !registry.hasFailed)
    ctx.log.warn('the versions that CalDAV clients have received cannot be stored just now')
  registry.hasFailed = hasFailed
}

async function saveState(ctx: Context, credentialId: string, state: ServedState): Promise<void> {
  const { userId, revision } = state
  const objects = [...state.unsaved].map((name) => ({ name, revision: state.objects.peek(name) ?? 0 }))
  await inTransaction(ctx.storage, async (db) => {
    await forgetOtherDatabase(ctx, db)
    if (registryOf(ctx).credentials.peek(credentialId) !== state) return
    await saveServedVersions(db, { credentialId, userId, revision, objects }, ctx.clock(), MAX_SERVED_OBJECTS)
  })
  if (state.revision === revision) state.isUnsaved = false
  for (const object of objects)
    if ((state.objects.peek(object.name) ?? 0) === object.revision) state.unsaved.delete(object.name)
}
