// Component nesting and time support in a CALDAV:filter. RFC 4791 §9.9, RFC 5545 §3.6.

const INSIDE: Readonly<Record<string, string>> = {
  VEVENT: 'VCALENDAR',
  VTODO: 'VCALENDAR',
  VJOURNAL: 'VCALENDAR',
  VFREEBUSY: 'VCALENDAR',
  VTIMEZONE: 'VCALENDAR',
  STANDARD: 'VTIMEZONE',
  DAYLIGHT: 'VTIMEZONE',
}

/** Unknown components may be anywhere: an object either has them or not. */
export function canNest(name: string, parent: string): boolean {
  if (name === 'VCALENDAR') return false
  if (name === 'VALARM') return parent === 'VEVENT' || parent === 'VTODO'
  const place = INSIDE[name]
  return place === undefined || place === parent
}

const TIMED_COMPONENTS = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VALARM'])

export const hasTimeRange = (component: string): boolean => TIMED_COMPONENTS.has(component)

/** The last four go beyond the RFC, which leaves them undefined. */
const TIME_PROPERTIES = new Set([
  'COMPLETED',
  'CREATED',
  'DTEND',
  'DTSTAMP',
  'DTSTART',
  'DUE',
  'LAST-MODIFIED',
  'EXDATE',
  'RDATE',
  'RECURRENCE-ID',
  'TRIGGER',
])

export const isTimeProperty = (property: string): boolean => TIME_PROPERTIES.has(property)
