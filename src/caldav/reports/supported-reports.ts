// Reports of each kind of resource. RFC 3253 §3.6, RFC 4791 §7, RFC 6578 §3.2, RFC 3744 §9.
import type { ResourceKind } from '../paths.ts'
import { CALDAV, DAV } from '../xml/names.ts'

const NAMESPACES = {
  'calendar-query': CALDAV,
  'calendar-multiget': CALDAV,
  'free-busy-query': CALDAV,
  'sync-collection': DAV,
  'expand-property': DAV,
  'principal-property-search': DAV,
  'principal-search-property-set': DAV,
  'principal-match': DAV,
  'acl-principal-prop-set': DAV,
} as const

export type ReportName = keyof typeof NAMESPACES

const EVERYWHERE = ['expand-property', 'acl-principal-prop-set'] as const
const OF_PEOPLE = ['principal-property-search', 'principal-search-property-set', 'principal-match'] as const

export const reportsOn: Record<ResourceKind, readonly ReportName[]> = {
  root: [...EVERYWHERE, ...OF_PEOPLE],
  principals: [...EVERYWHERE, ...OF_PEOPLE],
  principal: EVERYWHERE,
  home: EVERYWHERE,
  calendar: ['calendar-query', 'calendar-multiget', 'free-busy-query', 'sync-collection', ...EVERYWHERE],
  object: ['calendar-query', 'calendar-multiget', ...EVERYWHERE],
}

export const namespaceOf = (name: ReportName): string => NAMESPACES[name]

export const findReport = (kind: ResourceKind, ns: string, name: string): ReportName | undefined =>
  reportsOn[kind].find((report) => report === name && NAMESPACES[report] === ns)
