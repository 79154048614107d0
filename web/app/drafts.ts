// Drafts in sessionStorage: per tab and per user, kept until saved or discarded.
import { site } from '../site.ts'

const PREFIX = `daybook${site.root}:draft:`

export interface Drafts<T> {
  find(): T | undefined
  keep(draft: T): void
  drop(): void
}

/** `owner` is the user’s id, so that the next user of this tab does not get the draft. */
export function draftsOf<T>(owner: string, name: string): Drafts<T> {
  const key = `${PREFIX}${owner}:${name}`
  return {
    find: () => ignoreErrors(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined),
    keep: (draft) => ignoreErrors(() => sessionStorage.setItem(key, JSON.stringify(draft))),
    drop: () => ignoreErrors(() => sessionStorage.removeItem(key)),
  }
}

/** Called on sign-out, so that no draft stays behind. */
export function dropDrafts(): void {
  ignoreErrors(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  })
}

/** Storage may be blocked or full; then there is no draft, and no error. */
function ignoreErrors<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
