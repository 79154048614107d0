// Which reports each kind of resource answers. RFC 3253 §3.6, RFC 4791 §7, RFC 6578 §3.2, RFC 3744 §9.
import type { Kind } from '../paths.ts'
import { CALDAV, DAV } from '../xml/names.ts'

const NAMESPACES = {
  'calendar-query': CALDAV,
  'calendar-multiget': CALDAV,
  'free-busy-query': CALDAV,
  'sync-collection': DAV,
  'expand-property': DAV,
  'principal-property-search': DAV,
  'principal-search-property-set': DAV,
} as const

export type ReportName = keyof typeof NAMESPACES

export const reportsOn: Record<Kind, readonly ReportName[]> = {
  root: ['expand-property', 'principal-property-search', 'principal-search-property-set'],
  principals: ['expand-property', 'principal-property-search', 'principal-search-property-set'],
  principal: ['expand-property'],
  home: ['expand-property'],
  calendar: ['calendar-query', 'calendar-multiget', 'free-busy-query', 'sync-collection', 'expand-property'],
  object: ['calendar-query', 'calendar-multiget', 'expand-property'],
}

export const namespaceOf = (name: ReportName): string => NAMESPACES[name]

export const findReport = (kind: Kind, ns: string, name: string): ReportName | undefined =>
  reportsOn[kind].find((report) => report === name && NAMESPACES[report] === ns)
