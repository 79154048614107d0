// What somebody was writing when the page went away: kept in this tab only, for them only, until saved or discarded.
import { site } from '../site.ts'

const PREFIX = `daybook${site.root}:draft:`

export interface Drafts<T> {
  find(): T | undefined
  keep(draft: T): void
  drop(): void
}

/** `owner` is the person’s id: whoever signs in next in this tab is not shown it. */
export function draftsOf<T>(owner: string, name: string): Drafts<T> {
  const key = `${PREFIX}${owner}:${name}`
  return {
    find: () => tried(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined),
    keep: (draft) => tried(() => sessionStorage.setItem(key, JSON.stringify(draft))),
    drop: () => tried(() => sessionStorage.removeItem(key)),
  }
}

/** With signing out, nothing of what was written stays behind. */
export function dropDrafts(): void {
  tried(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  })
}

/** A browser that keeps nothing, or has no room, is no reason to fail: then there is simply no draft. */
function tried<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
