// What each request does to the state of a UID.
import type { DeletedModelEvent, Effect, EventContent, Learned, ModelEvent, UidState } from './model.ts'

/** Which event a request is about, and the version that it names, if any. */
export interface ExpectedEvent {
  birth: number
  version?: number | undefined
}

export const isExpected = ({ birth, version }: ExpectedEvent, live: ModelEvent | undefined): live is ModelEvent =>
  live?.birth === birth && (version === undefined || live.version === version)

/** `id` and `name` are the same values in every state that has the event. */
export function createEvent(birth: number, content: EventContent, id: Learned<string>, name: Learned<string>): Effect {
  return (before) =>
    before.live ? undefined : { ...before, live: { birth, id, name, version: 1, content, earlier: [] } }
}

/** Its next version; the one before stays in the history. */
function nextVersion({ version, content, earlier, ...event }: ModelEvent, next: EventContent, at: number): ModelEvent {
  const ended = { version, content, endedAt: at }
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

export const retitle =
  (title: string, text: Learned<string>) =>
  (content: EventContent): EventContent => ({ ...content, title, text })

export const excludeOccurrence =
  (n: number, text: Learned<string>) =>
  (content: EventContent): EventContent | undefined => {
    if (content.excluded.includes(n)) return undefined
    const { [n]: _, ...edited } = content.edited
    return { ...content, excluded: [...content.excluded, n], edited, text }
  }

export const editOccurrence =
  (n: number, title: string, text: Learned<string>) =>
  (content: EventContent): EventContent | undefined =>
    content.excluded.includes(n) ? undefined : { ...content, edited: { ...content.edited, [n]: title }, text }

export function deleteEvent(expected: ExpectedEvent, deletedAt: number): Effect {
  return ({ live, trash }) =>
    isExpected(expected, live) ? { live: undefined, trash: [...trash, { ...live, deletedAt }] } : undefined
}

/** `since`: what was deleted before is kept too long. */
export function restoreEvent(birth: number, since: number, at: number): Effect {
  return ({ live, trash }) => {
    const kept = trash.find((one) => one.birth === birth && one.deletedAt >= since)
    if (!kept || live) return undefined
    const { deletedAt: _, ...event } = kept
    return { live: nextVersion(event, event.content, at), trash: trash.filter((one) => one !== kept) }
  }
}

export const purgeTrash =
  (isPurged: (one: DeletedModelEvent) => boolean): Effect =>
  (before: UidState) =>
    before.trash.some(isPurged) ? { ...before, trash: before.trash.filter((one) => !isPurged(one)) } : before

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

/** What was live under the UID at the moment is so again; what was not is in the trash. */
export function rewindTo(then: ModelEvent | undefined, at: number): Effect {
  return (before) => {
    if (before.live && before.live.birth === then?.birth) {
      if (before.live.content === then.content) return before
      return { ...before, live: nextVersion(before.live, then.content, at) }
    }
    const kept = then && before.trash.find(({ birth }) => birth === then.birth)
    const left = before.trash.filter((one) => one !== kept)
    const trash = before.live ? [...left, { ...before.live, deletedAt: at }] : left
    if (!kept) return before.live ? { live: undefined, trash } : before
    const { deletedAt: _, ...event } = kept
    return { live: nextVersion(event, then.content, at), trash }
  }
}
