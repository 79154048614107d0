// The model: for each UID, what may be stored after the requests so far and their responses.

/** A value that is learned the first time that the service shows it. */
export interface Learned<T> {
  value?: T
}

/** What a version of an event says. An occurrence is known by its number in the series, from 0. */
export interface EventContent {
  title: string
  isPublic: boolean
  /** Days after the first day of the simulation. */
  day: number
  /** How many weekly occurrences, exclusions included. */
  count: number
  /** Whether it has a rule; a series may be cut down to one occurrence, and repeats still. */
  repeats: boolean
  excluded: readonly number[]
  /** Own titles of occurrences. */
  edited: Readonly<Record<number, string>>
  /** The calendar object, byte for byte. */
  text: Learned<string>
}

export interface ModelEvent {
  /** The request that created it: a UID may be used again. */
  birth: number
  id: Learned<string>
  /** Of the calendar object. */
  name: Learned<string>
  version: number
  content: EventContent
  /** Its history: the oldest first. */
  earlier: readonly EarlierVersion[]
}

export interface EarlierVersion {
  version: number
  content: EventContent
  endedAt: number
}

export interface ModelDeletion {
  at: number
  by: 'writer' | 'admin'
  /** The number of the calendar program that did it; undefined: an account with its own password. */
  device?: number | undefined
}

export interface DeletedModelEvent extends ModelEvent {
  deletion: ModelDeletion
}

/** All that is stored under one UID. */
export interface UidState {
  live: ModelEvent | undefined
  trash: readonly DeletedModelEvent[]
  /** The requests that created events which are deleted for good. */
  purged: readonly number[]
}

/** What a request does; undefined where the service refuses it. */
export type Effect = (before: UidState) => UidState | undefined

export class MismatchError extends Error {}

interface PossibleState {
  state: UidState
  /** Requests that were done. */
  done: ReadonlySet<number>
}

/** Many more than faults and concurrent requests make. */
const MAX_POSSIBLE = 200

export interface UidModel {
  uid: string
  /** A request is sent: from now on it may be done. `mayBeRefused`: for a reason that the model does not know. */
  begin(request: number, effect: Effect, mayBeRefused?: boolean): void
  /** It was acknowledged: it is done, and `isShown` holds for the state that it left. */
  acknowledge(request: number): void
  /** It was refused: it is not done, and there was a reason. */
  refuse(request: number, what: string): void
  /** It was refused because of another event. */
  reject(request: number, what: string): void
  /** No response, or an error around COMMIT: it is done or not, until a read tells. */
  lose(request: number): void
  /** A lost request is told apart from one that was not done, also where it leads to the same state. */
  watch(request: number): void
  /** Whether a watched request is known to be done; undefined while both are possible. */
  isDone(request: number): boolean | undefined
  /** Of a watched request. */
  settle(request: number, isDone: boolean, what: string): void
  unwatch(request: number): void
  /** A read shows the state; fails if that is none of the possible ones. */
  observe(what: () => string, matches: (state: UidState) => boolean, learn?: (state: UidState) => void): void
  possible(): readonly UidState[]
  /** Undefined while several states are possible. */
  known(): UidState | undefined
  isBusy(): boolean
}

interface PendingRequest {
  /** The same result for the same state. */
  effect: Effect
  mayBeRefused: boolean
}

export function createUidModel(uid: string): UidModel {
  const pending = new Map<number, PendingRequest>()
  const watched = new Set<number>()
  let possible: PossibleState[] = [{ state: { live: undefined, trash: [], purged: [] }, done: new Set() }]

  const isSame = (one: PossibleState, other: PossibleState): boolean =>
    isSameState(one.state, other.state) &&
    [...pending.keys(), ...watched].every((request) => one.done.has(request) === other.done.has(request))
  const add = (found: PossibleState): void => {
    if (!possible.some((one) => isSame(one, found))) possible.push(found)
  }
  /** Adds the states that pending requests lead to, in any order. */
  const spread = (): void => {
    for (let i = 0; i < possible.length; i++) {
      const { state, done } = possible[i]!
      for (const [request, known] of pending) {
        if (done.has(request)) continue
        const next = known.effect(state)
        if (next) add({ state: next, done: new Set([...done, request]) })
        else known.mayBeRefused = true
      }
      if (possible.length > MAX_POSSIBLE) throw new Error(`${uid}: too many possible states for a model`)
    }
  }
  const keep = (what: () => string, isLeft: (one: PossibleState) => boolean): void => {
    const left = possible.filter(isLeft)
    if (left.length === 1 && possible.length === 1) return
    if (left.length === 0) throw new MismatchError(`${uid}: ${what()}; possible: ${describe(possible)}`)
    possible = []
    for (const one of left) add(one)
    spread()
  }
  return {
    uid,
    begin(request, effect, mayBeRefused = false) {
      pending.set(request, { effect: memoize(effect), mayBeRefused })
      spread()
    },
    acknowledge(request) {
      pending.delete(request)
      keep(
        () => `request ${request} was acknowledged and cannot have been done`,
        ({ done }) => done.has(request),
      )
    },
    refuse(request, what) {
      const { mayBeRefused } = pending.get(request)!
      pending.delete(request)
      if (!mayBeRefused) throw new MismatchError(`${uid}: ${what} without a reason; possible: ${describe(possible)}`)
      keep(
        () => `request ${request} was refused and must have been done`,
        ({ done }) => !done.has(request),
      )
    },
    reject(request, what) {
      pending.delete(request)
      keep(
        () => `${what} and must have been done`,
        ({ done }) => !done.has(request),
      )
    },
    lose: (request) => void pending.delete(request),
    watch: (request) => void watched.add(request),
    isDone(request) {
      const isHeld = ({ done }: PossibleState): boolean => done.has(request)
      return possible.every(isHeld) ? true : possible.some(isHeld) ? undefined : false
    },
    settle(request, isDone, what) {
      keep(
        () => what,
        ({ done }) => done.has(request) === isDone,
      )
    },
    unwatch: (request) => void watched.delete(request),
    observe(what, matches, learn) {
      keep(what, ({ state }) => matches(state))
      if (learn) for (const { state } of possible) if (matches(state)) learn(state)
    },
    possible: () => possible.map(({ state }) => state),
    known: () => (possible.length === 1 ? possible[0]!.state : undefined),
    isBusy: () => pending.size > 0,
  }
}

function memoize(effect: Effect): Effect {
  const results = new Map<UidState, UidState | undefined>()
  return (before) => {
    if (!results.has(before)) results.set(before, effect(before))
    return results.get(before)
  }
}

const isSameState = (one: UidState, other: UidState): boolean =>
  one === other ||
  (isSameVersion(one.live, other.live) &&
    one.trash.length === other.trash.length &&
    one.trash.every((kept, i) => isSameVersion(kept, other.trash[i]) && isSameDeletion(kept, other.trash[i]!)))

const isSameVersion = (one: ModelEvent | undefined, other: ModelEvent | undefined): boolean =>
  one === other ||
  (one?.birth === other?.birth &&
    one?.version === other?.version &&
    one?.content === other?.content &&
    (one?.name === other?.name || one?.name.value === other?.name.value) &&
    isSameHistory(one?.earlier ?? [], other?.earlier ?? []))

/** Requests may lead to the same content by different versions, of which each can be restored. */
const isSameHistory = (one: ModelEvent['earlier'], other: ModelEvent['earlier']): boolean =>
  one === other ||
  (one.length === other.length && one.every(({ version, content }, i) => isSameEntry(other[i]!, version, content)))

const isSameEntry = (entry: ModelEvent['earlier'][number], version: number, content: EventContent): boolean =>
  entry.version === version && entry.content === content

const isSameDeletion = ({ deletion: one }: DeletedModelEvent, { deletion: other }: DeletedModelEvent): boolean =>
  one.at === other.at && one.by === other.by && one.device === other.device

const describe = (possible: readonly PossibleState[]): string =>
  possible
    .map(({ state, done }) => `${JSON.stringify(state, withoutHistory)} after ${[...done].slice(-4).join()}`)
    .join(' or ')

/** A learned value matches when it is not known yet, or the same. */
export const fits = <T>({ value }: Learned<T>, shown: T): boolean => value === undefined || value === shown

const withoutHistory = (name: string, value: unknown): unknown => (name === 'earlier' ? undefined : value)
