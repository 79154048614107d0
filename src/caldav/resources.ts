// Loads the resource at a path, with the data that its properties need.

import { type Collection, readCollection } from '../actions/caldav-objects/changes.ts'
import { type OwnProperties, readOwnProperties } from '../actions/caldav-objects/dav-properties.ts'
import type { HeadCache } from '../actions/caldav-objects/head-cache.ts'
import { findHead, type ObjectHead } from '../actions/caldav-objects/objects.ts'
import type { Caller } from '../actions/costly-work/semaphore.ts'
import type { CurrentState } from '../actions/maintenance/revision-reader.ts'
import type { Context } from '../context.ts'
import type { AccountViewer } from '../domain/privacy/viewer.ts'
import { fail } from '../errors.ts'
import type { FragmentCache } from './object-fragments.ts'
import type { SendText } from './object-texts.ts'
import { type DavPaths, hrefOf, type ResourceKind, type ResourcePath } from './paths.ts'
import type { ReportCache } from './report-cache.ts'

export type Resource =
  | { kind: 'root' | 'principals'; href: string }
  /** `own` are the properties the account has set, by `keyOf`. */
  | { kind: 'home' | 'principal'; href: string; own: OwnProperties }
  | { kind: 'calendar'; href: string; own: OwnProperties; collection: Collection }
  | { kind: 'object'; href: string; head: ObjectHead }

/** The account and caller of a request, and the paths. */
export interface DavContext {
  ctx: Context
  paths: DavPaths
  viewer: AccountViewer
  caller: Caller
  /** As of the beginning of the request. */
  state: CurrentState
  reports: ReportCache
  fragments: FragmentCache
  heads: HeadCache
  sendText: SendText
}

/** An account sees no principal but its own: nothing can be shared, and accounts are not listed. */
export const isForeignPrincipal = (target: ResourcePath, { account }: AccountViewer): boolean =>
  target.kind === 'principal' && target.userId !== account.id

/** The size of an object is computed only if requested: its text may have to be read for it. */
export async function requireResource(context: DavContext, target: ResourcePath, isSized = true): Promise<Resource> {
  const { ctx, paths, viewer } = context
  const href = hrefOf(paths, target)
  if (isForeignPrincipal(target, viewer)) fail('route_not_found')
  if (target.kind === 'root' || target.kind === 'principals') return { kind: target.kind, href }
  if (target.kind === 'object') {
    const head = (await findHead(ctx, viewer, target.name, isSized, context.caller)) ?? fail('event_not_found')
    return objectResource(context, head)
  }
  const own = await readOwnProperties(ctx, viewer)
  if (target.kind !== 'calendar') return { kind: target.kind, href, own }
  return { kind: 'calendar', href, own, collection: await readCollection(ctx, viewer) }
}

export const objectResource = ({ paths }: DavContext, head: ObjectHead): Resource => ({
  kind: 'object',
  href: paths.object(head.name),
  head,
})

/** The members of a small collection; those of the calendar are too many for a list. */
export function listMembers(kind: ResourceKind, { account }: AccountViewer): ResourcePath[] {
  if (kind === 'root') return [{ kind: 'principals' }, { kind: 'home' }]
  if (kind === 'principals') return [{ kind: 'principal', userId: account.id }]
  return kind === 'home' ? [{ kind: 'calendar' }] : []
}

/** Key under which an own property is stored; for the calendar without the kind as prefix. */
export const keyOf = (kind: ResourceKind, ns: string, name: string): string => `${prefixOf(kind)}{${ns}}${name}`

const prefixOf = (kind: ResourceKind): string => (kind === 'calendar' ? '' : `${kind} `)

/** Names of the properties the account has set on a resource. */
export function listDeadPropertyNames(resource: Resource): { ns: string; name: string }[] {
  if (!('own' in resource)) return []
  const prefix = `${prefixOf(resource.kind)}{`
  return [...resource.own.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const end = key.lastIndexOf('}')
      return { ns: key.slice(prefix.length, end), name: key.slice(end + 1) }
    })
}
