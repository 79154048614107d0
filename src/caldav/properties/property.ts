// Type of a live WebDAV property: its name, and how to read it from a resource.
import type { DavPaths, ResourceKind } from '../paths.ts'
import { type DavContext, keyOf, type Resource } from '../resources.ts'
import { DAV, XML } from '../xml/names.ts'
import { textElement, type Xml, type XmlAttributes } from '../xml/write.ts'

export interface PropertyName {
  ns: string
  name: string
}

export interface PropertyDefinition extends PropertyName {
  /** Included in allprop; properties outside RFC 4918 may be left out (§9.1). */
  isInAllprop?: boolean
  /** Where accounts may set it, each for itself; all others are protected. */
  settableOn?: ResourceKind
  /** The content of the element; undefined if the resource has no such property. */
  read(resource: Resource, context: DavContext): Xml | undefined
}

/** The value that the account has set, as serialised when it was stored. */
export const readOwn = (resource: Resource, ns: string, name: string): Xml | undefined =>
  findOwn(resource, ns, name)?.value as Xml | undefined

/** The language it was set in, as an attribute. */
export function langOf(resource: Resource, ns: string, name: string): XmlAttributes {
  const lang = findOwn(resource, ns, name)?.lang
  return lang ? { [LANG]: lang } : {}
}

export const LANG = `{${XML}}lang`

const findOwn = (resource: Resource, ns: string, name: string) =>
  'own' in resource ? resource.own.get(keyOf(resource.kind, ns, name)) : undefined

/** One href, the same on every resource of these kinds. */
export const createHrefProperty =
  (
    kinds: readonly ResourceKind[],
    path: (paths: DavPaths, context: DavContext) => string,
  ): PropertyDefinition['read'] =>
  ({ kind }, context) =>
    kinds.includes(kind) ? href(path(context.paths, context)) : undefined

export const href = (path: string): Xml => textElement(DAV, 'href', path)

export const ANY_KIND: readonly ResourceKind[] = ['root', 'principals', 'principal', 'home', 'calendar', 'object']
