// Principal reports: an account finds only its own principal. RFC 3744 §9.2 to §9.5.
import type { FastifyReply } from 'fastify'
import { fail } from '../../errors.ts'
import { XML_TYPE } from '../errors.ts'
import { sendMultistatus } from '../multistatus.ts'
import { EVERYTHING, namesIn, parsePropRequest } from '../properties/prop-request.ts'
import { createResponder } from '../properties/prop-response.ts'
import { href, type PropertyName } from '../properties/property.ts'
import { findDavProperty } from '../properties/table.ts'
import { type DavRequest, readDepth, readPreferences } from '../request.ts'
import { type DavContext, type Resource, requireResource } from '../resources.ts'
import { CALDAV, CALENDARSERVER, DAV } from '../xml/names.ts'
import { findChild, listChildren, textOf, type XmlElement } from '../xml/parse.ts'
import { document, element, textElement } from '../xml/write.ts'
import type { Report } from './report-handler.ts'

const SEARCHABLE: readonly (PropertyName & { description: string })[] = [
  { ns: DAV, name: 'displayname', description: 'Name' },
  { ns: CALDAV, name: 'calendar-user-address-set', description: 'Calendar address' },
  { ns: CALENDARSERVER, name: 'email-address-set', description: 'Email address' },
]

export const principalPropertySearch: Report = (davRequest, root) =>
  answerOneself(davRequest, root, (me) => {
    const searches = listChildren(root, DAV, 'property-search')
    if (searches.length === 0) fail('invalid_xml')
    const found = searches.map((search) => isFound(davRequest.context, me, search))
    return root.attributes.get('test') === 'anyof' ? found.some(Boolean) : found.every(Boolean)
  })

/** Matches the current principal, by DAV:self or by one of its properties (§9.3). */
export const principalMatch: Report = (davRequest, root) =>
  answerOneself(davRequest, root, (me) => {
    if (findChild(root, DAV, 'self')) return true
    const prop = findChild(root, DAV, 'principal-property') ?? fail('invalid_xml')
    return namesIn(prop).some((name) => findDavProperty(name)?.read(me, davRequest.context)?.includes(href(me.href)))
  })

/** The principals that the access list of a resource names (§9.2). */
export const aclPrincipalPropSet: Report = async (davRequest, root) => {
  const { context, target } = davRequest
  const list = findDavProperty({ ns: DAV, name: 'acl' })?.read(await requireResource(context, target, false), context)
  return answerOneself(davRequest, root, (me) => list?.includes(href(me.href)) === true)
}

/** Answers with the current principal if it matches, and never with another. */
async function answerOneself(
  { context, request, reply }: DavRequest,
  root: XmlElement,
  isMeant: (me: Resource) => boolean,
): Promise<FastifyReply> {
  if ((readDepth(request) ?? 0) !== 0) fail('invalid_header')
  const me = await requireResource(context, { kind: 'principal', userId: context.viewer.account.id })
  const respond = createResponder(context, parsePropRequest(root) ?? EVERYTHING, readPreferences(request).isMinimal)
  return sendMultistatus(reply, isMeant(me) ? [respond(me)] : [])
}

function isFound(context: DavContext, me: Resource, search: XmlElement): boolean {
  const prop = findChild(search, DAV, 'prop')
  const match = findChild(search, DAV, 'match')
  const sought = match && textOf(match).trim().toLowerCase()
  if (!prop || !sought) return fail('invalid_xml')
  return namesIn(prop).every((name) => {
    const isSearchable = SEARCHABLE.some((one) => one.ns === name.ns && one.name === name.name)
    const value = isSearchable ? findDavProperty(name)?.read(me, context) : undefined
    return value !== undefined && plainText(value).includes(sought)
  })
}

const plainText = (value: string): string => value.replace(/<[^>]*>/g, ' ').toLowerCase()

export async function principalSearchPropertySet({ reply }: DavRequest): Promise<FastifyReply> {
  const rows = SEARCHABLE.map(({ ns, name, description }) =>
    element(
      DAV,
      'principal-search-property',
      {},
      element(DAV, 'prop', {}, element(ns, name)),
      textElement(DAV, 'description', description),
    ),
  )
  return reply.type(XML_TYPE).send(document(DAV, 'principal-search-property-set', {}, ...rows))
}
