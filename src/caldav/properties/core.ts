// Core WebDAV and synchronisation properties. RFC 4918 §15, RFC 6578 §4.
import { formatUtc } from '../../domain/time/text.ts'
import type { DavContext, Resource } from '../resources.ts'
import { CALDAV, CALENDARSERVER, DAV } from '../xml/names.ts'
import { element, join, text, type Xml } from '../xml/write.ts'
import { type PropertyDefinition, readOwn } from './property.ts'

export const CONTENT_TYPE = 'text/calendar; charset=utf-8; component=VEVENT'

export const coreProperties: readonly PropertyDefinition[] = [
  { ns: DAV, name: 'resourcetype', isInAllprop: true, read: typeOf },
  { ns: DAV, name: 'displayname', isInAllprop: true, settableOn: 'calendar', read: displayName },
  { ns: DAV, name: 'getetag', isInAllprop: true, read: ofObject(({ head }) => head.etag) },
  { ns: DAV, name: 'getcontenttype', isInAllprop: true, read: ofObject(() => CONTENT_TYPE) },
  {
    ns: DAV,
    name: 'getcontentlength',
    isInAllprop: true,
    read: ofObject(({ head }) => head.size?.toString()),
  },
  {
    ns: DAV,
    name: 'getlastmodified',
    isInAllprop: true,
    read: ofObject(({ head }) => new Date(head.updatedAt).toUTCString()),
  },
  { ns: DAV, name: 'creationdate', isInAllprop: true, read: ofObject(({ head }) => formatUtc(head.createdAt)) },
  { ns: DAV, name: 'sync-token', read: ofCalendar(({ collection }) => collection.syncToken) },
  // For clients that do not know sync-token: it changes when anything in the calendar does.
  { ns: CALENDARSERVER, name: 'getctag', read: ofCalendar(({ collection }) => collection.syncToken) },
]

type ObjectResource = Extract<Resource, { kind: 'object' }>
type CalendarResource = Extract<Resource, { kind: 'calendar' }>

function ofObject(read: (object: ObjectResource) => string | undefined): PropertyDefinition['read'] {
  return (resource) => {
    const value = resource.kind === 'object' ? read(resource) : undefined
    return value === undefined ? undefined : text(value)
  }
}

function ofCalendar(read: (calendar: CalendarResource) => string): PropertyDefinition['read'] {
  return (resource) => (resource.kind === 'calendar' ? text(read(resource)) : undefined)
}

function typeOf({ kind }: Resource): Xml {
  if (kind === 'object') return text('')
  if (kind === 'principal') return element(DAV, 'principal')
  const collection = element(DAV, 'collection')
  return kind === 'calendar' ? join(collection, element(CALDAV, 'calendar')) : collection
}

function displayName(resource: Resource, { ctx, viewer }: DavContext): Xml | undefined {
  if (resource.kind === 'object') return undefined
  if (resource.kind === 'principal') return text(viewer.account.displayName)
  return readOwn(resource, DAV, 'displayname') ?? text(ctx.config.siteName)
}
