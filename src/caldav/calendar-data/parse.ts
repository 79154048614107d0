// Parses CALDAV:calendar-data of a request: which parts of an object are wanted. RFC 4791 §9.6.
import type { Range } from '../../domain/time/window.ts'
import { fail } from '../../errors.ts'
import { parseTimeRange } from '../filter/time-range.ts'
import { CALDAV } from '../xml/names.ts'
import { childrenOf, findChild, listChildren, type XmlElement } from '../xml/parse.ts'

export interface DataRequest {
  comp: CompSelection | undefined
  expand: Range | undefined
  limitRecurrence: Range | undefined
}

export interface CompSelection {
  /** Upper case. */
  name: string
  /** By upper case name. */
  props: 'all' | ReadonlyMap<string, PropSelection>
  /** By upper case name. */
  comps: 'all' | ReadonlyMap<string, CompSelection>
}

type PropSelection = 'whole' | 'without value'

/** Everything, as stored. */
export const WHOLE: DataRequest = { comp: undefined, expand: undefined, limitRecurrence: undefined }

export function parseDataRequest(element: XmlElement): DataRequest {
  requireCalendarType(element)
  const comp = findChild(element, CALDAV, 'comp')
  const expand = rangeOf(element, 'expand')
  const limitRecurrence = rangeOf(element, 'limit-recurrence-set')
  if (expand && limitRecurrence) fail('invalid_xml')
  // Validated and otherwise ignored: it applies to stored VFREEBUSY components, and there are none.
  rangeOf(element, 'limit-freebusy-set')
  return { comp: comp && parseComp(comp, { left: MAX_PARTS }), expand, limitRecurrence }
}

/** Also for requests that only name the media type of the response. */
export function requireCalendarType({ attributes }: XmlElement): void {
  const type = attributes.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'text/calendar'
  const version = attributes.get('version')?.trim() ?? '2.0'
  if (type !== 'text/calendar' || version !== '2.0') fail('data_type_unsupported')
}

function rangeOf(element: XmlElement, name: string): Range | undefined {
  const part = findChild(element, CALDAV, name)
  if (!part) return undefined
  const isWhole = part.attributes.has('start') && part.attributes.has('end')
  return (isWhole ? parseTimeRange(part) : undefined) ?? fail('invalid_xml')
}

/** Components and properties on all levels together: every line of an object is compared with them. */
const MAX_PARTS = 200

/** Parts that may still be parsed. */
interface PartBudget {
  left: number
}

/** An element without children selects the whole component, as VTIMEZONE in the example of §7.8.1. */
function parseComp(element: XmlElement, budget: PartBudget): CompSelection {
  const name = nameOf(element)
  const parts = childrenOf(element)
  if (parts.length === 0) return { name, props: 'all', comps: 'all' }
  budget.left -= parts.length
  if (budget.left < 0) fail('invalid_xml')
  const props = listChildren(element, CALDAV, 'prop').map((part) => [nameOf(part), selectionOf(part)] as const)
  return {
    name,
    props: findChild(element, CALDAV, 'allprop') ? 'all' : new Map(props),
    comps: findChild(element, CALDAV, 'allcomp') ? 'all' : parseComps(element, budget),
  }
}

/** Of two with the same name the first counts. */
function parseComps(element: XmlElement, budget: PartBudget): ReadonlyMap<string, CompSelection> {
  const comps = listChildren(element, CALDAV, 'comp').map((part) => parseComp(part, budget))
  return new Map(comps.reverse().map((comp) => [comp.name, comp]))
}

const selectionOf = ({ attributes }: XmlElement): PropSelection =>
  attributes.get('novalue') === 'yes' ? 'without value' : 'whole'

const nameOf = ({ attributes }: XmlElement): string =>
  attributes.get('name')?.trim().toUpperCase() || fail('invalid_xml')
