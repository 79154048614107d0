// Credentials that were proven, or refused, a moment ago: kept by a keyed hash, and looked at again whenever people changed.
import type { Context } from '../context.ts'
import type { Person } from '../domain/privacy/viewer.ts'
import type { Instant } from '../domain/time/instant.ts'
import { keyedHash, newKey } from '../secrets.ts'
import type { CalendarState } from './state.ts'

const MAX_REMEMBERED = 10_000

/** A proof: whose it is, how to find out whether it still holds, and until when nobody need ask. */
export interface Proven {
  person: Person
  /** Reads it again; undefined when it does not hold any more. */
  recheck: () => Promise<Person | undefined>
  until: Instant
}

export interface Remembered {
  find(state: CalendarState, text: string): Promise<Person | undefined>
  /** Looks it up by the given way, once however many ask at the same time, and remembers what came of it. */
  prove(state: CalendarState, text: string, way: () => Promise<Proven | undefined>): Promise<Person | undefined>
  /** The same wrong text again is no new guess; it need not be tried, nor counted. */
  wasRefused(state: CalendarState, text: string): boolean
}

/** How long the same wrong text is refused without being tried. */
const REFUSED_MS = 15 * 60_000

export function makeRemembered(ctx: Context): Remembered {
  // A key of this process alone: the memory below is of no use to anyone who reads it elsewhere.
  const key = newKey()
  const proven = new Map<string, Proven & { accountsRevision: number }>()
  const refused = new Map<string, { accountsRevision: number; until: Instant }>()
  const proving = new Map<string, Promise<Person | undefined>>()
  const nameOf = (text: string): string => keyedHash(key, text)

  async function find(state: CalendarState, text: string): Promise<Person | undefined> {
    const name = nameOf(text)
    const entry = proven.get(name)
    if (!entry || entry.until <= ctx.clock()) {
      proven.delete(name)
      return undefined
    }
    if (entry.accountsRevision === state.accountsRevision) return entry.person
    // Somebody's account or credential changed since; perhaps this one.
    const person = await entry.recheck()
    if (person) proven.set(name, { ...entry, person, accountsRevision: state.accountsRevision })
    else proven.delete(name)
    return person
  }

  async function prove(
    state: CalendarState,
    text: string,
    way: () => Promise<Proven | undefined>,
  ): Promise<Person | undefined> {
    const name = nameOf(text)
    const known = proving.get(name)
    if (known) return known
    const proof = way()
      .then((found) => {
        if (found) keep(proven, name, { ...found, accountsRevision: state.accountsRevision })
        else keep(refused, name, { accountsRevision: state.accountsRevision, until: ctx.clock() + REFUSED_MS })
        return found?.person
      })
      .finally(() => proving.delete(name))
    proving.set(name, proof)
    return proof
  }

  function wasRefused(state: CalendarState, text: string): boolean {
    const entry = refused.get(nameOf(text))
    return entry !== undefined && entry.accountsRevision === state.accountsRevision && entry.until > ctx.clock()
  }

  return { find, prove, wasRefused }
}

function keep<T>(map: Map<string, T>, name: string, value: T): void {
  if (map.size >= MAX_REMEMBERED) map.clear()
  map.set(name, value)
}
