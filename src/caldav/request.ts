// Reads the headers and body of a CalDAV request. RFC 4918 §10, RFC 7240, RFC 8144.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { runCharged, sumCharges } from '../actions/costly-work/charged-work.ts'
import { runYielding } from '../actions/costly-work/costly-writes.ts'
import { withPermit } from '../actions/costly-work/semaphore.ts'
import { fail } from '../errors.ts'
import { LONG_BODY_BYTES } from '../http/body.ts'
import { isPipelined } from '../http/connections/in-flight.ts'
import { parseTags } from '../http/responses/conditional.ts'
import type { ResourcePath } from './paths.ts'
import type { DavContext } from './resources.ts'
import { confirmReceived } from './when-received.ts'
import { parseXmlInSteps, type XmlElement } from './xml/parse.ts'

/** What all requests share. */
export type DavService = Pick<DavContext, 'ctx' | 'paths' | 'reports' | 'fragments' | 'heads' | 'sendText'>

/** A request that has passed the guard, with the resource it names. */
export interface DavRequest<P extends ResourcePath = ResourcePath> {
  context: DavContext
  target: P
  request: FastifyRequest
  reply: FastifyReply
  /** Of a report whose response may be cached. */
  cacheKey?: string | undefined
}

export function createDavRequest(service: DavService, request: FastifyRequest, reply: FastifyReply): DavRequest {
  if (!isPipelined(request.raw)) confirmReceived(request.raw.socket)
  const viewer = request.viewer.kind === 'account' ? request.viewer : fail('authentication_required')
  const target = service.paths.find(/^[^?#]*/.exec(request.url)![0]) ?? fail('route_not_found')
  const { state } = request
  const context = { ...service, viewer, caller: sumCharges(request.caller), state }
  return { context, target, request, reply }
}

export type Depth = 0 | 1 | 'infinity'

export function readDepth({ headers }: FastifyRequest): Depth | undefined {
  const depth = headers.depth
  if (depth === undefined) return undefined
  const word = String(depth).trim().toLowerCase()
  if (word === '0' || word === '1') return word === '0' ? 0 : 1
  return word === 'infinity' ? word : fail('invalid_header')
}

/** Elements, attributes and other nodes of a body that names properties; only reports have long lists of hrefs. */
export const MAX_PROPERTY_NODES = 1_000

/** The body as XML; undefined if there is none. A long one is parsed with a permit: its tree takes megabytes. */
export async function readXml(
  { body }: FastifyRequest,
  { ctx, caller }: Pick<DavContext, 'ctx' | 'caller'>,
  maxNodes?: number,
): Promise<XmlElement | undefined> {
  if (body === undefined || body === null || body === '') return undefined
  if (typeof body !== 'string') return fail('invalid_xml')
  const steps = parseXmlInSteps(body, maxNodes)
  return body.length > LONG_BODY_BYTES ? withPermit(ctx, caller, () => runYielding(steps)) : runCharged(caller, steps)
}

export interface Preferences {
  /** Leave out missing properties. */
  isMinimal: boolean
  wantsResult: boolean
  /** Only the members of the collection. */
  withoutRoot: boolean
}

/** `Brief: t` is the older form of `return=minimal`, from before Prefer existed. */
export function readPreferences({ headers }: FastifyRequest): Preferences {
  const words = String(headers.prefer ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';', 1)[0]!.replace(/[\s"]/g, ''))
  return {
    isMinimal: words.includes('return=minimal') || String(headers.brief ?? '').toLowerCase() === 't',
    wantsResult: words.includes('return=representation'),
    withoutRoot: words.includes('depth-noroot'),
  }
}

/** Sets Preference-Applied for the preferences that were honoured, and Vary. */
export function setPreferenceApplied(reply: FastifyReply, wishes: Record<string, boolean>): void {
  const followed = Object.keys(wishes).filter((wish) => wishes[wish])
  reply.header('vary', 'Brief, Prefer')
  if (followed.length > 0) reply.header('preference-applied', followed.join(', '))
}

/**
 * Contains `*` if any version is accepted; undefined when the header is missing. One that is not quoted as it should be
 * matches no version: 412 makes clients read the object again, 400 does not.
 */
export function readTags(header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined
  return header.trim() === '*' ? ['*'] : (parseTags(header) ?? [])
}

/**
 * Conditions on locks and other resources (RFC 4918 §10.4) cannot hold, because there are no locks. A time in seconds
 * does not tell two versions apart, so If-Unmodified-Since counts as failed; beside If-Match it is ignored (RFC 9110
 * §13.1.4).
 */
export function refuseUnknownConditions({ headers }: FastifyRequest): void {
  const hasTimeOnly = headers['if-unmodified-since'] !== undefined && headers['if-match'] === undefined
  if (headers.if !== undefined || hasTimeOnly) fail('version_mismatch')
}
