// What each request does to the state of a UID.
import {
  type DeletedModelEvent,
  type Effect,
  type EventContent,
  fits,
  type Learned,
  type ModelDeletion,
  type ModelEvent,
  type UidState,
} from './model.ts'

/** Which event a request is about, by the request that created it or the name, and the version that it names, if any. */
export interface ExpectedEvent {
  birth?: number | undefined
  name?: string | undefined
  version?: number | undefined
}

export const isExpected = ({ birth, name, version }: ExpectedEvent, live: ModelEvent | undefined): live is ModelEvent =>
  live !== undefined &&
  (birth === undefined || live.birth === birth) &&
  (name === undefined || fits(live.name, name)) &&
  (version === undefined || live.version === version)

/** `id` and `name` are the same values in every state that has the event. */
export function createEvent(birth: number, content: EventContent, id: Learned<string>, name: Learned<string>): Effect {
  return (before) =>
    before.live ? undefined : { ...before, live: { birth, id, name, version: 1, content, earlier: [] } }
}

/** Refused where the event was created before, whatever has become of it. */
export const createUnlessKnown =
  (birth: number, create: Effect): Effect =>
  (before) => {
    const isKnown = [before.live, ...before.trash].some((one) => one?.birth === birth) || before.purged.includes(birth)
    return isKnown ? undefined : create(before)
  }

/** Sent again under the same idempotency key: there is one event, unless it was deleted since. */
export const createOnce = (birth: number, create: Effect): Effect => {
  const createNew = createUnlessKnown(birth, create)
  return (before) => (before.live?.birth === birth ? before : createNew(before))
}

/** Its next version; the one before stays in the history. */
function nextVersion(
  { version, content, earlier, ...event }: ModelEvent,
  next: EventContent,
  endedAt: number,
): ModelEvent {
  const ended = { version, content, endedAt }
  return { ...event, version: version + 1, content: next, earlier: [...earlier, ended] }
}

export function changeEvent(
  expected: ExpectedEvent,
  at: number,
  change: (content: EventContent) => EventContent | undefined,
): Effect {
  return (before) => {
    if (!isExpected(expected, before.live)) return undefined
    const content = change(before.live.content)
    return content && { ...before, live: nextVersion(before.live, content, at) }
  }
}

export const replaceContent = (content: EventContent) => (): EventContent => content

/**
 * Edited occurrences that have the title of the series still have it then. In each order of requests the text is another one:
 * what is learned of it in one must not be taken for that of another.
 */
export const retitle =
  (title: string) =>
  (content: EventContent): EventContent => {
    const edited = Object.entries(content.edited).map(([n, own]) => [n, own === content.title ? title : own])
    return { ...content, title, edited: Object.fromEntries(edited), text: {} }
  }

export const excludeOccurrence =
  (n: number) =>
  (content: EventContent): EventContent | undefined => {
    if (content.excluded.includes(n)) return undefined
    const { [n]: _, ...edited } = content.edited
    return { ...content, excluded: [...content.excluded, n], edited, text: {} }
  }

export const editOccurrence =
  (n: number, title: string) =>
  (content: EventContent): EventContent | undefined =>
    content.excluded.includes(n) ? undefined : { ...content, edited: { ...content.edited, [n]: title }, text: {} }

export function deleteEvent(expected: ExpectedEvent, deletion: ModelDeletion): Effect {
  return (before) => {
    const { live, trash } = before
    return isExpected(expected, live)
      ? { ...before, live: undefined, trash: [...trash, { ...live, deletion }] }
      : undefined
  }
}

/** `since`: what was deleted before is kept too long. */
export function restoreEvent(birth: number, since: number): Effect {
  return (before) => {
    const kept = before.trash.find((one) => one.birth === birth && one.deletion.at >= since)
    return kept && !before.live ? takeFromTrash(before, kept) : undefined
  }
}

/** Its last version ended when it was deleted. */
function takeFromTrash(before: UidState, kept: DeletedModelEvent, content = kept.content): UidState {
  const { deletion, ...event } = kept
  const trash = before.trash.filter((one) => one !== kept)
  return { ...before, live: nextVersion(event, content, deletion.at), trash }
}

/** The event that has the UID now changes places with the one in the trash. */
export function replaceByRestored(birth: number, since: number, deletion: ModelDeletion): Effect {
  const restore = restoreEvent(birth, since)
  return (before) => {
    if (!before.live) return restore(before)
    const restored = restore({ ...before, live: undefined })
    return restored && { ...restored, trash: [...restored.trash, { ...before.live, deletion }] }
  }
}

/** Of several that are selected, the one that was deleted last. */
export function restoreSelected(isSelected: (one: DeletedModelEvent) => boolean): Effect {
  return (before) => {
    if (before.live) return undefined
    const last = lastDeleted(before.trash.filter(isSelected))
    return last && takeFromTrash(before, last)
  }
}

/** Of two at the same time, the one with the higher identifier. */
const lastDeleted = (deleted: readonly DeletedModelEvent[]): DeletedModelEvent | undefined =>
  deleted.toSorted((a, b) => b.deletion.at - a.deletion.at || (a.id.value! < b.id.value! ? 1 : -1))[0]

export const purgeTrash =
  (isPurged: (one: DeletedModelEvent) => boolean): Effect =>
  (before: UidState) =>
    before.trash.some(isPurged)
      ? {
          ...before,
          trash: before.trash.filter((one) => !isPurged(one)),
          purged: [...before.purged, ...before.trash.filter(isPurged).map(({ birth }) => birth)],
        }
      : before

/** Another name for the calendar object: no new version. */
export function moveEvent(expected: ExpectedEvent, name: Learned<string>): Effect {
  return (before) => (isExpected(expected, before.live) ? { ...before, live: { ...before.live, name } } : undefined)
}

/** Without a precondition: creates the event, or replaces a version that the client has received. */
export function putBlindly(
  { birth, content, id, name, at }: Pick<ModelEvent, 'birth' | 'content' | 'id'> & { name: string; at: number },
  isReceived: (live: ModelEvent) => boolean,
): Effect {
  const create = createEvent(birth, content, id, { value: name })
  return (before) => {
    const { live } = before
    if (!live) return create(before)
    if (!fits(live.name, name) || !isReceived(live)) return undefined
    return { ...before, live: nextVersion(live, content, at) }
  }
}

/** An import replaces an event under the same UID, or adds it. */
export function importEvent(
  birth: number,
  content: EventContent,
  at: number,
  id: Learned<string>,
  name: Learned<string>,
): Effect {
  return (before) => {
    const live = before.live
      ? nextVersion(before.live, content, at)
      : { birth, id, name, version: 1, content, earlier: [] }
    return { ...before, live }
  }
}

/** The text of an earlier version becomes the next one, unless it is the current text. */
export function restoreVersion(expected: ExpectedEvent, version: number, at: number): Effect {
  return (before) => {
    if (!isExpected(expected, before.live)) return undefined
    const found = before.live.earlier.find((one) => one.version === version)
    if (!found) return undefined
    if (found.content === before.live.content) return before
    return { ...before, live: nextVersion(before.live, found.content, at) }
  }
}

/** Both, or neither. */
export const inOrder =
  (first: Effect, second: Effect): Effect =>
  (before) => {
    const between = first(before)
    return between && second(between)
  }

/** What a rewind does to the event that has the UID now: it has the content of then, or goes to the trash. */
export function rewindLive(then: ModelEvent | undefined, at: number): Effect {
  return (before) => {
    const { live, trash } = before
    if (!live) return before
    if (live.birth === then?.birth)
      return live.content === then.content ? before : { ...before, live: nextVersion(live, then.content, at) }
    return { ...before, live: undefined, trash: [...trash, { ...live, deletion: { at, by: 'admin' } }] }
  }
}

/** What a rewind restores, maybe in a later transaction: until then no event has the UID. */
export function rewindDeleted(then: ModelEvent | undefined): Effect {
  return (before) => {
    if (before.live) return before.live.birth === then?.birth ? before : undefined
    const kept = then && before.trash.find(({ birth }) => birth === then.birth)
    return kept ? takeFromTrash(before, kept, then.content) : before
  }
}
