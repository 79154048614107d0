// What "this and all following" does to a series: a shorter rule, or another title from an occurrence on.
import { changeEvent, deleteEvent, type ExpectedEvent } from './effects.ts'
import type { Effect, EventContent, Learned, ModelDeletion } from './model.ts'

/** Those that are not deleted, by number. */
export const listPresent = ({ count, excluded }: EventContent): number[] =>
  Array.from({ length: count }, (_, n) => n).filter((n) => !excluded.includes(n))

const editedWhere = (content: EventContent, isKept: (n: number) => boolean): Record<number, string> =>
  Object.fromEntries(Object.entries(content.edited).filter(([n]) => isKept(Number(n))))

/** `numberIn`: which occurrence of the series as it is now. The event is deleted where no occurrence is left. */
export function deleteFollowing(
  expected: ExpectedEvent,
  deletion: ModelDeletion,
  numberIn: (now: EventContent) => number | undefined,
): Effect {
  const remove = deleteEvent(expected, deletion)
  const shorten = changeEvent(expected, deletion.at, (content) => {
    const n = numberIn(content)!
    const excluded = content.excluded.filter((one) => one < n)
    return { ...content, count: n, excluded, edited: editedWhere(content, (one) => one < n), text: {} }
  })
  return (before) => {
    if (!before.live) return undefined
    const n = numberIn(before.live.content)
    if (n === undefined) return undefined
    return listPresent(before.live.content).some((one) => one < n) ? shorten(before) : remove(before)
  }
}

/** The side with fewer occurrences becomes exceptions. */
export const retitleFollowing =
  (n: number, title: string) =>
  (content: EventContent): EventContent | undefined => {
    const present = listPresent(content)
    if (!present.includes(n)) return undefined
    const earlier = present.filter((one) => one < n)
    const later = present.filter((one) => one >= n)
    const titles = (numbers: readonly number[], titleOf: (one: number) => string) =>
      Object.fromEntries(numbers.map((one) => [one, titleOf(one)]))
    const text: Learned<string> = {}
    if (earlier.length > later.length)
      return { ...content, edited: { ...editedWhere(content, (one) => one < n), ...titles(later, () => title) }, text }
    const own = titles(earlier, (one) => content.edited[one] ?? content.title)
    const changed = Object.keys(editedWhere(content, (one) => one >= n)).map(Number)
    return { ...content, title, edited: { ...own, ...titles(changed, () => title) }, text }
  }
