// Principal properties. RFC 5397, RFC 3744 §4–5, RFC 4791 §6.2, RFC 6638 §2.4.
import type { DavContext, Resource } from '../resources.ts'
import { CALDAV, CALENDARSERVER, DAV } from '../xml/names.ts'
import { join, text, textElement, type Xml } from '../xml/write.ts'
import { ANY_KIND, createHrefProperty, href, type PropertyDefinition } from './property.ts'

export const principalProperties: readonly PropertyDefinition[] = [
  {
    ns: DAV,
    name: 'current-user-principal',
    read: createHrefProperty(ANY_KIND, (paths, { viewer }) => paths.principal(viewer.account.id)),
  },
  {
    ns: DAV,
    name: 'principal-URL',
    read: createHrefProperty(['principal'], (paths, { viewer }) => paths.principal(viewer.account.id)),
  },
  { ns: DAV, name: 'principal-collection-set', read: createHrefProperty(ANY_KIND, (paths) => paths.principals) },
  // A principal has no other address, and there are no groups.
  { ns: DAV, name: 'alternate-URI-set', read: onPrincipal(() => text('')) },
  { ns: DAV, name: 'group-membership', read: onPrincipal(() => text('')) },
  { ns: DAV, name: 'group-member-set', read: onPrincipal(() => text('')) },
  // On the root too: some clients look for it at the configured path.
  { ns: CALDAV, name: 'calendar-home-set', read: createHrefProperty(['root', 'principal'], (paths) => paths.home) },
  { ns: CALDAV, name: 'calendar-user-address-set', read: onPrincipal(addressesOf) },
  { ns: CALDAV, name: 'calendar-user-type', read: onPrincipal(() => text('INDIVIDUAL')) },
  {
    ns: CALENDARSERVER,
    name: 'email-address-set',
    read: onPrincipal(({ viewer }) => textElement(CALENDARSERVER, 'email-address', viewer.account.email)),
  },
]

function onPrincipal(read: (context: DavContext) => Xml): PropertyDefinition['read'] {
  return ({ kind }: Resource, context) => (kind === 'principal' ? read(context) : undefined)
}

function addressesOf({ paths, viewer: { account } }: DavContext): Xml {
  return join(href(`mailto:${encodeURI(account.email)}`), href(paths.principal(account.id)))
}
