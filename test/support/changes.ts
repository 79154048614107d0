// Collects all changes of one sync, as a client joins its pages.
import { type ChangesEnd, walkChanges } from '../../src/actions/caldav-objects/changes.ts'
import type { ObjectHead } from '../../src/actions/caldav-objects/objects.ts'
import type { Context } from '../../src/context.ts'
import type { Viewer } from '../../src/domain/privacy/viewer.ts'

export interface Changes extends ChangesEnd {
  changed: ObjectHead[]
  gone: string[]
}

export async function listChanges(ctx: Context, viewer: Viewer, token: string, limit: number): Promise<Changes> {
  const changed: ObjectHead[] = []
  const gone: string[] = []
  for await (const page of walkChanges(ctx, viewer, token, limit)) {
    changed.push(...page.changed)
    gone.push(...page.gone)
    if (page.end) return { changed, gone, ...page.end }
  }
  throw new Error('the last page has no token')
}
