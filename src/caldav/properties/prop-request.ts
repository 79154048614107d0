// Parses which properties a request asks for: prop, allprop or propname. RFC 4918 §9.1 and §14.
import { fail } from '../../errors.ts'
import { CALDAV, DAV } from '../xml/names.ts'
import { childrenOf, findChild, type XmlElement } from '../xml/parse.ts'
import type { PropertyName } from './property.ts'

export type PropRequest =
  | { how: 'named'; names: readonly PropertyName[] }
  /** Plus these, which allprop does not include. */
  | { how: 'all'; include: readonly PropertyName[] }
  | { how: 'names' }

export const EVERYTHING: PropRequest = { how: 'all', include: [] }

/** Inside a PROPFIND or a report; undefined if it does not name properties. */
export function parsePropRequest(parent: XmlElement): PropRequest | undefined {
  const parts = ['prop', 'allprop', 'propname'].map((name) => findChild(parent, DAV, name))
  const [prop, allprop, propname] = parts
  if (parts.filter(Boolean).length > 1) fail('invalid_xml')
  if (prop) return { how: 'named', names: namesIn(prop) }
  if (propname) return { how: 'names' }
  const include = findChild(parent, DAV, 'include')
  return allprop ? { how: 'all', include: include ? namesIn(include) : [] } : undefined
}

/** Heads do not contain the size: only for it are the texts of objects read. */
export const needsSize = (asked: PropRequest): boolean =>
  asked.how !== 'named' || asked.names.some(({ ns, name }) => ns === DAV && name === 'getcontentlength')

/** Whether the response names the version of each object. */
export const asksEtag = (asked: PropRequest): boolean =>
  asked.how === 'all' || (asked.how === 'named' && asked.names.some(({ ns, name }) => ns === DAV && name === 'getetag'))

/** Properties of an object that depend on nothing but its version. */
const OF_VERSION: readonly string[] = [
  ...['getetag', 'getcontenttype', 'getcontentlength', 'getlastmodified', 'creationdate', 'resourcetype'].map(
    (name) => `{${DAV}}${name}`,
  ),
  `{${CALDAV}}calendar-data`,
]

/** Whether the response for an object is the same for every reader with full sight. */
export const isSameForAll = (asked: PropRequest): boolean =>
  asked.how === 'named' && asked.names.every(({ ns, name }) => OF_VERSION.includes(`{${ns}}${name}`))

/** Unknown names are repeated in the response of every resource, so their number is bounded. */
const MAX_NAMES = 200
const MAX_LETTERS = 10_000

/** Duplicates are answered once. */
export function namesIn(prop: XmlElement): PropertyName[] {
  const names = new Map(childrenOf(prop).map(({ ns, name }) => [`{${ns}}${name}`, { ns, name }]))
  const letters = names.keys().reduce((sum, name) => sum + name.length, 0)
  return names.size > MAX_NAMES || letters > MAX_LETTERS ? fail('invalid_xml') : [...names.values()]
}
