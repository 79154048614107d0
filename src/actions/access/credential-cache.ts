// Credentials that were proven, or refused, a moment ago: kept by a keyed hash, and looked at again whenever people changed.
import type { Context } from '../../context.ts'
import type { AccountViewer } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { keyedHash, newKey } from '../../secrets.ts'
import type { CalendarState } from '../maintenance/revision-reader.ts'

const MAX_REMEMBERED = 10_000
/** How often entries whose time has passed are removed; also those that are never asked for again. */
const PURGE_MS = 30_000

/**
 * A proof: whose it is, how to read it again, and how long it is kept. `recheck` outlives the request: it must hold hashes
 * and ids only, never the credential as it was sent.
 */
export interface Proven {
  person: AccountViewer
  /** Reads it again; undefined when it does not hold any more. */
  recheck: () => Promise<AccountViewer | undefined>
  forMs: number
}

/** A refusal, where the same text again is no new guess. `recheck` holds no credential, as above. */
export interface Refused {
  /** Whether what it was refused for is still so. */
  recheck: () => Promise<boolean>
  forMs: number
}

export const isProven = (found: Proven | Refused): found is Proven => 'person' in found

export interface Remembered {
  /** Whose it was proven to be, or its refusal to this network; undefined when nothing is cached. */
  find(state: CalendarState, name: string, network: string): Promise<AccountViewer | CachedRefusal | undefined>
  /**
   * Runs the check once for all requests that ask at the same time under one accounts revision, and caches its result: a
   * refusal for the network alone, so that no other learns what its clients have tried.
   */
  prove(
    state: CalendarState,
    name: string,
    network: string,
    way: () => Promise<Proven | Refused | undefined>,
    /** The time of an earlier refusal that this one renews. */
    refusedAt?: Instant,
  ): Promise<AccountViewer | undefined>
}

export interface CachedRefusal {
  refusedAt: Instant
  /** False where the account has changed since, so that it must be checked again. */
  isCurrent: boolean
}

export const isCachedRefusal = (found: AccountViewer | CachedRefusal): found is CachedRefusal => 'refusedAt' in found

interface Entry {
  found: Proven | Refused
  accountsRevision: number
  at: Instant
}

/** Names begin with the kind of credential: what was proven as one kind is worth nothing as another. */
export function createCredentialCache(ctx: Context): Remembered {
  // A key of this process alone: the memory below is of no use to anyone who reads it elsewhere.
  const key = newKey()
  const proven = new Map<string, Entry>()
  const refused = new Map<string, Entry>()
  const proving = new Map<string, Promise<AccountViewer | undefined>>()
  const hashOf = (name: string): string => keyedHash(key, name)

  let purgedAt = ctx.clock()
  let timer: NodeJS.Timeout | undefined

  /** At most once in a while; a timer comes back for entries that are left, also when no request does. */
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
    // Somebody's account or credential changed since; perhaps this one.
    const found = entry.accountsRevision === state.accountsRevision ? entry.found : await lookAgain(entry.found)
    if (!found) map.delete(hash)
    else if (found !== entry.found || entry.accountsRevision !== state.accountsRevision)
      map.set(hash, { ...entry, found, accountsRevision: state.accountsRevision })
    if (!isProven(entry.found)) return { refusedAt: entry.at, isCurrent: found !== undefined }
    return found && isProven(found) ? found.person : undefined
  }

  async function prove(
    state: CalendarState,
    name: string,
    network: string,
    way: () => Promise<Proven | Refused | undefined>,
    refusedAt?: Instant,
  ): Promise<AccountViewer | undefined> {
    const hash = hashOf(name)
    // A check begun under an older revision may have read an account as it was before it was suspended.
    const check = `${state.accountsRevision} ${hash}`
    const known = proving.get(check)
    if (known) {
      const person = await known
      // Hundreds may have waited for one slow hash: each goes on in a slice of its own.
      await yieldToEventLoop()
      return person
    }
    const proof = way()
      .then((found) => {
        const entry = found && { found, accountsRevision: state.accountsRevision, at: ctx.clock() }
        if (entry && isProven(entry.found)) keep(proven, hash, entry)
        else if (entry) keep(refused, hashOf(`${network} ${name}`), { ...entry, at: refusedAt ?? entry.at })
        if (entry) purge()
        return found && isProven(found) ? found.person : undefined
      })
      .finally(() => proving.delete(check))
    proving.set(check, proof)
    return proof
  }

  return { find, prove }
}

async function lookAgain(found: Proven | Refused): Promise<Proven | Refused | undefined> {
  if (!isProven(found)) return (await found.recheck()) ? found : undefined
  const person = await found.recheck()
  return person && { ...found, person }
}

const isExpired = ({ at, found }: Entry, now: Instant): boolean => now < at || now >= at + found.forMs

/** Full, it makes room by the oldest: nobody can have everything forgotten at once. */
function keep(map: Map<string, Entry>, name: string, entry: Entry): void {
  map.delete(name)
  if (map.size >= MAX_REMEMBERED) map.delete(map.keys().next().value!)
  map.set(name, entry)
}
