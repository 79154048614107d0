// Builds the DAV:response of a resource: propstat 200 and 404. RFC 4918 §14.22, RFC 8144.
import { chargeWork } from '../../actions/costly-work/charged-work.ts'
import { type DavContext, listDeadPropertyNames, type Resource } from '../resources.ts'
import { CALDAV, DAV } from '../xml/names.ts'
import { element, textElement, type Xml } from '../xml/write.ts'
import type { PropRequest } from './prop-request.ts'
import { langOf, type PropertyName, readOwn } from './property.ts'
import { findDavProperty, properties } from './table.ts'

/** `data` is the calendar data of an object, if a report asks for it. */
export type Responder = (resource: Resource, data?: Xml) => Xml

/** Created once per response: names are looked up once for all resources. The work is charged to the caller. */
export function createResponder(context: DavContext, asked: PropRequest, isMinimal: boolean): Responder {
  const named = namesIn(asked).map(readerOf)
  return (resource, data) => chargeWork(context.caller, () => respond(resource, data))

  function respond(resource: Resource, data: Xml | undefined): Xml {
    const present: Xml[] = []
    const missing: Xml[] = []
    if (asked.how !== 'named') {
      for (const { ns, name, read } of commonReaders(resource, asked)) {
        const value = read(resource, context, data)
        if (value === undefined) continue
        present.push(asked.how === 'names' ? element(ns, name) : element(ns, name, langOf(resource, ns, name), value))
      }
    }
    for (const { ns, name, read } of named) {
      const value = read(resource, context, data)
      if (value !== undefined) present.push(element(ns, name, langOf(resource, ns, name), value))
      else if (!isMinimal) missing.push(element(ns, name))
    }
    return response(resource.href, ...propstatsOf(present, missing))
  }
}

export const response = (href: string, ...parts: readonly Xml[]): Xml =>
  element(DAV, 'response', {}, textElement(DAV, 'href', href), ...parts)

export const propstat = (status: number, names: readonly Xml[], ...more: readonly Xml[]): Xml =>
  element(DAV, 'propstat', {}, element(DAV, 'prop', {}, ...names), statusElement(status), ...more)

export const statusElement = (status: number): Xml =>
  textElement(DAV, 'status', `HTTP/1.1 ${status} ${REASONS[status]}`)

const REASONS: Record<number, string> = {
  200: 'OK',
  403: 'Forbidden',
  404: 'Not Found',
  424: 'Failed Dependency',
  500: 'Internal Server Error',
  507: 'Insufficient Storage',
}

/** A response has at least one propstat, even if it is empty (RFC 8144 §2.1). */
function propstatsOf(present: readonly Xml[], missing: readonly Xml[]): Xml[] {
  const isNothing = present.length + missing.length === 0
  return [
    ...(present.length > 0 || isNothing ? [propstat(200, present)] : []),
    ...(missing.length > 0 ? [propstat(404, missing)] : []),
  ]
}

interface PropertyReader extends PropertyName {
  read(resource: Resource, context: DavContext, data: Xml | undefined): Xml | undefined
}

function readerOf({ ns, name }: PropertyName): PropertyReader {
  if (ns === CALDAV && name === 'calendar-data') return { ns, name, read: (_resource, _scene, data) => data }
  const read = findDavProperty({ ns, name })?.read
  return { ns, name, read: read ?? ((resource) => readOwn(resource, ns, name)) }
}

const common = properties.filter(({ isInAllprop }) => isInAllprop)

/** Properties for allprop and propname: those that all resources have, and those the account has set on this one. */
function commonReaders(resource: Resource, { how }: PropRequest): PropertyReader[] {
  const known = how === 'names' ? properties : common
  const isKnown = ({ ns, name }: PropertyName): boolean => known.some((one) => one.ns === ns && one.name === name)
  const others = listDeadPropertyNames(resource).filter((name) => !isKnown(name))
  return [...known, ...others.map(readerOf)]
}

function namesIn(asked: PropRequest): readonly PropertyName[] {
  if (asked.how === 'named') return asked.names
  return asked.how === 'all' ? asked.include.filter((name) => !findDavProperty(name)?.isInAllprop) : []
}
