// DAV:supported-report-set of a resource. RFC 3253 §3.1.5.
import { namespaceOf, reportsOn } from '../reports/supported-reports.ts'
import type { DavContext, Resource } from '../resources.ts'
import { DAV } from '../xml/names.ts'
import { element, join, type Xml } from '../xml/write.ts'
import type { PropertyDefinition } from './property.ts'

export const reportProperties: readonly PropertyDefinition[] = [
  { ns: DAV, name: 'supported-report-set', read: reportSetOf },
]

/** The site root is only for discovery: it supports no reports. */
function reportSetOf({ kind, href }: Resource, { paths }: DavContext): Xml {
  const names = paths.fronts.includes(href) ? [] : reportsOn[kind]
  return join(
    ...names.map((name) =>
      element(DAV, 'supported-report', {}, element(DAV, 'report', {}, element(namespaceOf(name), name))),
    ),
  )
}
