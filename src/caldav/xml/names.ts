// XML namespaces of CalDAV, and the prefixes used in responses.

export const DAV = 'DAV:'
export const CALDAV = 'urn:ietf:params:xml:ns:caldav'
export const CALENDARSERVER = 'http://calendarserver.org/ns/'
export const APPLE = 'http://apple.com/ns/ical/'
/** XML's own; its prefix needs no declaration. */
export const XML = 'http://www.w3.org/XML/1998/namespace'
/** Of the attributes that declare namespaces. */
export const XML_DECLARATIONS = 'http://www.w3.org/2000/xmlns/'

export const PREFIXES: ReadonlyMap<string, string> = new Map([
  [DAV, 'D'],
  [CALDAV, 'C'],
  [CALENDARSERVER, 'CS'],
  [APPLE, 'A'],
])
