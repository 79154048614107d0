// A property: its name, and what it says of a resource. Those of one RFC stand together in the files beside this one.
import type { Kind, Paths } from '../paths.ts'
import { type DavContext, keyOf, type Resource } from '../resources.ts'
import { DAV, XML } from '../xml/names.ts'
import { type Attributes, textElement, type Xml } from '../xml/write.ts'

export interface Name {
  ns: string
  name: string
}

export interface Property extends Name {
  /** Given to those who ask for everything; what is not of RFC 4918 may be left out (§9.1). */
  isInAllprop?: boolean
  /** Where people may set it, each for themselves; everything else is protected. */
  settableOn?: Kind
  /** What the element holds; undefined where a resource has no such property. */
  read(resource: Resource, scene: DavContext): Xml | undefined
}

/** What the asker has set, as it was written when it was kept. */
export const readOwn = (resource: Resource, ns: string, name: string): Xml | undefined =>
  findOwn(resource, ns, name)?.value as Xml | undefined

/** The language it was set in, as an attribute. */
export function langOf(resource: Resource, ns: string, name: string): Attributes {
  const lang = findOwn(resource, ns, name)?.lang
  return lang ? { [LANG]: lang } : {}
}

export const LANG = `{${XML}}lang`

const findOwn = (resource: Resource, ns: string, name: string) =>
  'own' in resource ? resource.own.get(keyOf(resource.kind, ns, name)) : undefined

/** One address, the same on every resource of these kinds. */
export const linkOn =
  (kinds: readonly Kind[], path: (paths: Paths, scene: DavContext) => string): Property['read'] =>
  ({ kind }, scene) =>
    kinds.includes(kind) ? href(path(scene.paths, scene)) : undefined

export const href = (path: string): Xml => textElement(DAV, 'href', path)

export const ANY_KIND: readonly Kind[] = ['root', 'principals', 'principal', 'home', 'calendar', 'object']
