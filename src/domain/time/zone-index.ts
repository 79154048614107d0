// Index of zones by their offset at an instant, to find those with the same offsets from then on.
import type { Instant } from './instant.ts'
import { findOffset, listChanges, type OffsetChange } from './zone.ts'

export interface ZoneIndex {
  /** The first name whose zone has this offset at `since` and exactly these changes from there to the end. */
  find(since: Instant, offset: number, changes: readonly OffsetChange[]): string | undefined
}

/** Source of the offsets. */
export interface OffsetSource {
  findOffset(name: string, at: Instant): number | undefined
  listChanges(name: string, after: Instant, before: Instant): readonly OffsetChange[]
}

/**
 * Filled on demand: the offset of every zone at an instant once, and the changes of a zone once, when a zone with its
 * offset is first looked up. Before `from` and after `to` nothing is compared.
 */
export function createZoneIndex(
  names: readonly string[],
  from: Instant,
  to: Instant,
  source: OffsetSource = { findOffset, listChanges },
): ZoneIndex {
  const groups = new Map<Instant, Map<number, string[]>>()
  const changesByName = new Map<string, readonly OffsetChange[]>()

  function groupsAt(since: Instant): Map<number, string[]> {
    const known = groups.get(since)
    if (known) return known
    const byOffset = new Map<number, string[]>()
    for (const name of new Set(names)) {
      const offset = source.findOffset(name, since)
      if (offset === undefined) continue
      const group = byOffset.get(offset)
      if (group) group.push(name)
      else byOffset.set(offset, [name])
    }
    groups.set(since, byOffset)
    return byOffset
  }

  function changesOf(name: string): readonly OffsetChange[] {
    const known = changesByName.get(name)
    if (known) return known
    const changes = source.listChanges(name, from, to)
    changesByName.set(name, changes)
    return changes
  }

  return {
    find: (since, offset, changes) =>
      groupsAt(since)
        .get(offset)
        ?.find((name) => endsWith(changesOf(name), since, changes)),
  }
}

/** Whether the changes after `since` are these. */
function endsWith(all: readonly OffsetChange[], since: Instant, changes: readonly OffsetChange[]): boolean {
  const skipped = all.length - changes.length
  if (skipped < 0 || (skipped > 0 && all[skipped - 1]!.at > since)) return false
  return changes.every(({ at, to }, i) => all[skipped + i]!.at === at && all[skipped + i]!.to === to)
}
