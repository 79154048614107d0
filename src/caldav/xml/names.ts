// The XML namespaces CalDAV speaks in, and the letters they go by in what we write.

export const DAV = 'DAV:'
export const CALDAV = 'urn:ietf:params:xml:ns:caldav'
export const CALENDARSERVER = 'http://calendarserver.org/ns/'
export const APPLE = 'http://apple.com/ns/ical/'
/** Of XML itself; its letters need no declaration. */
export const XML = 'http://www.w3.org/XML/1998/namespace'

export const PREFIXES: ReadonlyMap<string, string> = new Map([
  [DAV, 'D'],
  [CALDAV, 'C'],
  [CALENDARSERVER, 'CS'],
  [APPLE, 'A'],
])
