// Sends a report, from the cache if possible; keeps those that are the same for all readers.
import type { FastifyReply } from 'fastify'
import { readOwnProperties } from '../../actions/caldav-objects/dav-properties.ts'
import { recordServed, type ServedContents } from '../../actions/caldav-objects/served-versions.ts'
import { LONG_BODY_BYTES } from '../../http/body.ts'
import { XML_TYPE } from '../errors.ts'
import { type MultistatusParts, sendMultistatus } from '../multistatus.ts'
import type { CachedReport } from '../report-cache.ts'
import { type DavRequest, readPreferences, setPreferenceApplied } from '../request.ts'
import { whenReceived } from '../when-received.ts'
import { accountZone } from '../zones.ts'

/**
 * The key of a response in the cache: everything it depends on besides the calendar. Undefined if it is not cached. The
 * zone of the account counts where the request names none.
 */
export async function reportKeyOf({ context, target, request }: DavRequest): Promise<string | undefined> {
  const { body, headers, url } = request
  if (target.kind !== 'calendar' && target.kind !== 'object') return undefined
  if (typeof body !== 'string' || body.length > LONG_BODY_BYTES) return undefined
  const zone = accountZone(context, await readOwnProperties(context.ctx, context.viewer))
  const { isMinimal } = readPreferences(request)
  return JSON.stringify([url, headers.host, headers.depth, isMinimal, zone.name, body])
}

export function sendCachedReport(
  { context, request, reply }: DavRequest,
  { body, served }: CachedReport,
): FastifyReply {
  setPreferenceApplied(reply, { 'return=minimal': readPreferences(request).isMinimal })
  whenReceived(context.ctx, reply, () => recordServed(context.ctx, context.viewer, served))
  return reply.code(207).type(XML_TYPE).send(body)
}

/** `served` is complete when all parts have been taken; `isSameForAll`: they depend on nothing of the account. */
export function sendReport(
  { context, request, reply, cacheKey }: DavRequest,
  parts: MultistatusParts,
  served: ServedContents,
  isSameForAll: boolean,
): Promise<FastifyReply> {
  const { ctx, viewer, reports } = context
  whenReceived(ctx, reply, () => recordServed(ctx, viewer, served))
  if (!isSameForAll || cacheKey === undefined) return sendMultistatus(reply, parts)
  const { revision } = request.state
  return sendMultistatus(reply, parts, {
    collect: () => reports.startCollecting(),
    keep: (body) => reports.keep(revision, cacheKey, { body, served }),
  })
}
