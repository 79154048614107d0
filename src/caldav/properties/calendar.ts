// Calendar properties. RFC 4791 §5.2, RFC 7809 §5.2; Apple's calendar-color, calendar-order.
import { FIRST_YEAR, LAST_YEAR } from '../../domain/time/instant.ts'
import { COLLATIONS } from '../filter/text-match.ts'
import type { DavContext, Resource } from '../resources.ts'
import { APPLE, CALDAV } from '../xml/names.ts'
import { element, join, text, textElement, type Xml } from '../xml/write.ts'
import { accountZone, calendarZone, zoneText } from '../zones.ts'
import { type PropertyDefinition, type PropertyName, readOwn } from './property.ts'

/** The largest request body, events included. */
export const MAX_RESOURCE_BYTES = 1_048_576

export const calendarProperties: readonly PropertyDefinition[] = [
  set({ ns: CALDAV, name: 'calendar-description' }),
  set({ ns: APPLE, name: 'calendar-color' }),
  set({ ns: APPLE, name: 'calendar-order' }),
  set({ ns: CALDAV, name: 'calendar-timezone' }, (context) => text(zoneText(calendarZone(context).name))),
  { ns: CALDAV, name: 'calendar-timezone-id', settableOn: 'calendar', read: zoneName },
  fixed('supported-calendar-component-set', () => element(CALDAV, 'comp', { name: 'VEVENT' })),
  fixed('supported-calendar-data', () =>
    element(CALDAV, 'calendar-data', { 'content-type': 'text/calendar', version: '2.0' }),
  ),
  fixed('supported-collation-set', () =>
    join(...[...COLLATIONS.keys()].map((name) => textElement(CALDAV, 'supported-collation', name))),
  ),
  fixed('max-resource-size', () => text(`${MAX_RESOURCE_BYTES}`)),
  fixed('min-date-time', () => text(`${FIRST_YEAR}0101T000000Z`)),
  fixed('max-date-time', () => text(`${LAST_YEAR}1231T235959Z`)),
]

function fixed(name: string, read: (context: DavContext) => Xml): PropertyDefinition {
  return { ns: CALDAV, name, read: ({ kind }, context) => (kind === 'calendar' ? read(context) : undefined) }
}

function zoneName(resource: Resource, context: DavContext): Xml | undefined {
  return resource.kind === 'calendar' ? text(accountZone(context, resource.own).name) : undefined
}

/** As the account has set it; otherwise the value for everyone, if there is one. */
function set({ ns, name }: PropertyName, otherwise?: (context: DavContext) => Xml): PropertyDefinition {
  return {
    ns,
    name,
    settableOn: 'calendar',
    read: (resource, context) =>
      resource.kind === 'calendar' ? (readOwn(resource, ns, name) ?? otherwise?.(context)) : undefined,
  }
}
