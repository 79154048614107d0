// Cache of verified and refused credentials by keyed hash; rechecked when accounts change.
import type { Context } from '../../context.ts'
import type { AccountViewer } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { LruMap } from '../../lru-map.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { keyedHash, newKey } from '../../secrets.ts'
import type { CalendarState } from '../maintenance/revision-reader.ts'

/** A full cache evicts one entry for each new one, so no client can empty it at once. */
const MAX_ENTRIES = 10_000
/** How often expired entries are removed, including those that no request looks up again. */
const PURGE_MS = 30_000

/**
 * A verified credential: its account, how to check it again, and how long it is cached. `recheck` outlives the request,
 * so it must hold hashes and ids only, never the credential as it was sent.
 */
export interface VerifiedCredential {
  viewer: AccountViewer
  /** Reads the account and credential again; undefined when the credential is no longer valid. */
  recheck: () => Promise<AccountViewer | undefined>
  forMs: number
}

/** A refusal that is cached because the same text again is no new guess. `recheck` holds no credential, as above. */
export interface RefusedCredential {
  /** Whether the reason for the refusal still holds. */
  recheck: () => Promise<boolean>
  forMs: number
}

export const isProven = (found: VerifiedCredential | RefusedCredential): found is VerifiedCredential =>
  'viewer' in found

export interface CredentialCache {
  /** The account the credential was verified for, if that needs no check; synchronous. */
  findCurrent(state: CalendarState, name: string): AccountViewer | undefined
  /** The account the credential was verified for, or its refusal for this network; undefined when nothing is cached. */
  find(state: CalendarState, name: string, network: string): Promise<AccountViewer | CachedRefusal | undefined>
  /**
   * Runs the check once for all concurrent requests under one accounts revision, and caches its result. A refusal is
   * cached for this network only, so that no other network learns what its clients have tried.
   */
  prove(
    state: CalendarState,
    name: string,
    network: string,
    verify: () => Promise<VerifiedCredential | RefusedCredential | undefined>,
    /** The time of an earlier refusal that this one renews. */
    refusedAt?: Instant,
  ): Promise<AccountViewer | undefined>
}

export interface CachedRefusal {
  refusedAt: Instant
  /** False where the account has changed since, so that the credential must be checked again. */
  isCurrent: boolean
}

export const isCachedRefusal = (found: AccountViewer | CachedRefusal): found is CachedRefusal => 'refusedAt' in found

interface Entry {
  found: VerifiedCredential | RefusedCredential
  accountsRevision: number
  at: Instant
}

/** A name begins with the kind of credential, so one that was verified as one kind is not accepted as another. */
export function createCredentialCache(ctx: Context): CredentialCache {
  // The key exists only in this process, so the cached hashes are useless outside it.
  const key = newKey()
  const proven = new LruMap<string, Entry>(MAX_ENTRIES)
  const refused = new LruMap<string, Entry>(MAX_ENTRIES)
  const proving = new Map<string, Promise<AccountViewer | undefined>>()
  const hashOf = (name: string): string => keyedHash(key, name)

  let purgedAt = ctx.clock()
  let timer: NodeJS.Timeout | undefined

  /** Runs at most once per PURGE_MS; a timer repeats it while entries are left, even when no request comes. */
  function purge(): void {
    const now = ctx.clock()
    if (now < purgedAt || now >= purgedAt + PURGE_MS) {
      purgedAt = now
      for (const map of [proven, refused]) for (const [hash, entry] of map) if (isExpired(entry, now)) map.delete(hash)
    }
    if (timer || proven.size + refused.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      purge()
    }, PURGE_MS).unref()
  }

  function findCurrent(state: CalendarState, name: string): AccountViewer | undefined {
    const entry = proven.get(hashOf(name))
    const isCurrent = entry?.accountsRevision === state.accountsRevision && !isExpired(entry, ctx.clock())
    return isCurrent && isProven(entry.found) ? entry.found.viewer : undefined
  }

  async function find(
    state: CalendarState,
    name: string,
    network: string,
  ): Promise<AccountViewer | CachedRefusal | undefined> {
    const provenHash = hashOf(name)
    const [map, hash] = proven.has(provenHash) ? [proven, provenHash] : [refused, hashOf(`${network} ${name}`)]
    const entry = map.get(hash)
    if (!entry) return undefined
    if (isExpired(entry, ctx.clock())) {
      map.delete(hash)
      return undefined
    }
    // An account or credential has changed since; it may be this one.
    const found = entry.accountsRevision === state.accountsRevision ? entry.found : await recheckFound(entry.found)
    if (!found) map.delete(hash)
    else if (found !== entry.found || entry.accountsRevision !== state.accountsRevision)
      map.set(hash, { ...entry, found, accountsRevision: state.accountsRevision })
    if (!isProven(entry.found)) return { refusedAt: entry.at, isCurrent: found !== undefined }
    return found && isProven(found) ? found.viewer : undefined
  }

  async function prove(
    state: CalendarState,
    name: string,
    network: string,
    verify: () => Promise<VerifiedCredential | RefusedCredential | undefined>,
    refusedAt?: Instant,
  ): Promise<AccountViewer | undefined> {
    const hash = hashOf(name)
    // A check that began under an older revision may have read an account as it was before it was suspended.
    const check = `${state.accountsRevision} ${hash}`
    const known = proving.get(check)
    if (known) {
      const viewer = await known
      // Hundreds of requests may wait for one slow hash: each continues in its own turn of the event loop.
      await yieldToEventLoop()
      return viewer
    }
    const proof = verify()
      .then((found) => {
        const entry = found && { found, accountsRevision: state.accountsRevision, at: ctx.clock() }
        if (entry && isProven(entry.found)) proven.set(hash, entry)
        else if (entry) refused.set(hashOf(`${network} ${name}`), { ...entry, at: refusedAt ?? entry.at })
        if (entry) purge()
        return found && isProven(found) ? found.viewer : undefined
      })
      .finally(() => proving.delete(check))
    proving.set(check, proof)
    return proof
  }

  return { find, findCurrent, prove }
}

async function recheckFound(
  found: VerifiedCredential | RefusedCredential,
): Promise<VerifiedCredential | RefusedCredential | undefined> {
  if (!isProven(found)) return (await found.recheck()) ? found : undefined
  const accountViewer = await found.recheck()
  return accountViewer && { ...found, viewer: accountViewer }
}

const isExpired = ({ at, found }: Entry, now: Instant): boolean => now < at || now >= at + found.forMs
