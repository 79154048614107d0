// Which reports a resource answers, as it says itself. RFC 3253 §3.1.5.
import type { Kind } from '../paths.ts'
import { namespaceOf, reportsOn } from '../reports/offered.ts'
import { DAV } from '../xml/names.ts'
import { element, join, type Xml } from '../xml/write.ts'
import type { Property } from './property.ts'

export const reportProperties: readonly Property[] = [
  { ns: DAV, name: 'supported-report-set', read: ({ kind }) => reportSetOf(kind) },
]

const reportSetOf = (kind: Kind): Xml =>
  join(
    ...reportsOn[kind].map((name) =>
      element(DAV, 'supported-report', {}, element(DAV, 'report', {}, element(namespaceOf(name), name))),
    ),
  )
