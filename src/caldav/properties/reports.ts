// DAV:supported-report-set of a resource. RFC 3253 §3.1.5.
import { namespaceOf, reportsOn } from '../reports/supported-reports.ts'
import type { Resource } from '../resources.ts'
import { DAV } from '../xml/names.ts'
import { element, join, type Xml } from '../xml/write.ts'
import type { PropertyDefinition } from './property.ts'

export const reportProperties: readonly PropertyDefinition[] = [
  { ns: DAV, name: 'supported-report-set', read: reportSetOf },
]

function reportSetOf({ kind }: Resource): Xml {
  return join(
    ...reportsOn[kind].map((name) =>
      element(DAV, 'supported-report', {}, element(DAV, 'report', {}, element(namespaceOf(name), name))),
    ),
  )
}
