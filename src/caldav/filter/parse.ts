// Parses and validates the CALDAV:filter element of a query. RFC 4791 §9.7.
import type { Range } from '../../domain/time/window.ts'
import { fail } from '../../errors.ts'
import { CALDAV } from '../xml/names.ts'
import { childrenOf, textOf, type XmlElement } from '../xml/parse.ts'
import { canNest, hasTimeRange, isTimeProperty } from './scope.ts'
import { COLLATIONS, createTextMatch, DEFAULT_FOLD, MAX_SOUGHT_CHARACTERS, type TextMatch } from './text-match.ts'
import { parseTimeRange } from './time-range.ts'

/** Matches an object that has such a component for which all nested conditions hold. */
export interface CompFilter {
  /** Upper case, as all names here. */
  name: string
  isNotDefined: boolean
  range: Range | undefined
  props: PropFilter[]
  comps: CompFilter[]
}

export interface PropFilter {
  name: string
  isNotDefined: boolean
  range: Range | undefined
  text: TextMatch | undefined
  params: ParamFilter[]
}

export interface ParamFilter {
  name: string
  isNotDefined: boolean
  text: TextMatch | undefined
}

/** The comp-filter at the top; its name is VCALENDAR. */
export type CalendarFilter = CompFilter

/** More conditions than any client sends; each is tested on every object. */
const MAX_CONDITIONS = 100

export function parseFilter(element: XmlElement): CalendarFilter {
  const parts = partsOf(element, ['comp-filter'])
  if (parts.length !== 1 || nameOf(parts[0]!) !== 'VCALENDAR') fail('filter_invalid')
  return parseComp(parts[0]!, undefined, { left: MAX_CONDITIONS })
}

interface ConditionBudget {
  left: number
}

function spend(budget: ConditionBudget): void {
  if (budget.left-- <= 0) fail('filter_unsupported')
}

function parseComp(element: XmlElement, parent: string | undefined, budget: ConditionBudget): CompFilter {
  spend(budget)
  const name = nameOf(element)
  if (parent !== undefined && !canNest(name, parent)) fail('filter_invalid')
  const parts = partsOf(element, ['is-not-defined', 'time-range', 'prop-filter', 'comp-filter'])
  const range = rangeAmong(parts)
  if (range && !hasTimeRange(name)) fail('filter_unsupported')
  return {
    name,
    isNotDefined: isNotDefinedAmong(parts),
    range,
    props: named(parts, 'prop-filter').map((part) => parseProp(part, budget)),
    comps: named(parts, 'comp-filter').map((part) => parseComp(part, name, budget)),
  }
}

function parseProp(element: XmlElement, budget: ConditionBudget): PropFilter {
  spend(budget)
  const name = nameOf(element)
  const parts = partsOf(element, ['is-not-defined', 'time-range', 'text-match', 'param-filter'])
  const range = rangeAmong(parts)
  const text = textAmong(parts)
  if (range && text) fail('filter_invalid')
  // §7.8 gives a range on a text property as its example of an invalid filter.
  if (range && !isTimeProperty(name)) fail(name.startsWith('X-') ? 'filter_unsupported' : 'filter_invalid')
  const params = named(parts, 'param-filter').map((part) => parseParam(part, budget))
  return { name, isNotDefined: isNotDefinedAmong(parts), range, text, params }
}

function parseParam(element: XmlElement, budget: ConditionBudget): ParamFilter {
  spend(budget)
  const parts = partsOf(element, ['is-not-defined', 'text-match'])
  return { name: nameOf(element), isNotDefined: isNotDefinedAmong(parts), text: textAmong(parts) }
}

/** Elements of other namespaces are ignored (RFC 4918 §17); a CalDAV element in the wrong place is an error. */
function partsOf(element: XmlElement, allowed: readonly string[]): XmlElement[] {
  const parts = childrenOf(element).filter(({ ns }) => ns === CALDAV)
  if (parts.some(({ name }) => !allowed.includes(name))) fail('filter_invalid')
  return parts
}

function nameOf(element: XmlElement): string {
  const name = element.attributes.get('name')?.trim() ?? ''
  return /^[A-Za-z0-9-]{1,100}$/.test(name) ? name.toUpperCase() : fail('filter_invalid')
}

const named = (parts: readonly XmlElement[], name: string): XmlElement[] => parts.filter((part) => part.name === name)

function onlyOne(parts: readonly XmlElement[], name: string): XmlElement | undefined {
  const found = named(parts, name)
  if (found.length > 1) fail('filter_invalid')
  return found[0]
}

function isNotDefinedAmong(parts: readonly XmlElement[]): boolean {
  if (!onlyOne(parts, 'is-not-defined')) return false
  return parts.length === 1 ? true : fail('filter_invalid')
}

function rangeAmong(parts: readonly XmlElement[]): Range | undefined {
  const part = onlyOne(parts, 'time-range')
  return part && (parseTimeRange(part) ?? fail('filter_invalid'))
}

function textAmong(parts: readonly XmlElement[]): TextMatch | undefined {
  const part = onlyOne(parts, 'text-match')
  if (!part) return undefined
  const collation = part.attributes.get('collation') ?? 'default'
  const fold = collation === 'default' ? DEFAULT_FOLD : (COLLATIONS.get(collation) ?? fail('collation_unsupported'))
  const negate = part.attributes.get('negate-condition') ?? 'no'
  if (negate !== 'yes' && negate !== 'no') fail('filter_invalid')
  const text = textOf(part)
  if (text.length > MAX_SOUGHT_CHARACTERS) fail('filter_unsupported')
  return createTextMatch(fold, text, negate === 'yes')
}
