// PROPFIND: properties of a resource, and of its members with Depth 1. RFC 4918 §9.1.
import type { FastifyReply } from 'fastify'
import { recordListing } from '../../actions/caldav-objects/served-versions.ts'
import { walkHeads, walkSizes } from '../../actions/caldav-objects/walk-objects.ts'
import { fail } from '../../errors.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { sendMultistatus } from '../multistatus.ts'
import { isCollection } from '../paths.ts'
import { asksEtag, EVERYTHING, needsSize, type PropRequest, parsePropRequest } from '../properties/prop-request.ts'
import { createResponder, type Responder } from '../properties/prop-response.ts'
import {
  type DavRequest,
  type Depth,
  MAX_PROPERTY_NODES,
  readDepth,
  readPreferences,
  readXml,
  setPreferenceApplied,
} from '../request.ts'
import { type DavContext, listMembers, objectResource, type Resource, requireResource } from '../resources.ts'
import { whenReceived } from '../when-received.ts'
import { DAV } from '../xml/names.ts'
import type { XmlElement } from '../xml/parse.ts'
import type { Xml } from '../xml/write.ts'

export async function propfind({ context, target, request, reply }: DavRequest): Promise<FastifyReply> {
  const depth = isCollection(target.kind) ? finiteDepth(readDepth(request)) : 0
  const asked = parsePropfind(await readXml(request, context, MAX_PROPERTY_NODES))
  const { isMinimal, withoutRoot } = readPreferences(request)
  const isBelowOnly = withoutRoot && depth === 1
  const resource = await requireResource(context, target, needsSize(asked))
  setPreferenceApplied(reply, { 'return=minimal': isMinimal, 'depth-noroot': isBelowOnly })
  const respond = createResponder(context, asked, isMinimal)
  if (resource.kind === 'calendar' && depth === 1 && asksEtag(asked))
    // Read before the members: an object of a later revision may be missing in the response.
    whenReceived(context.ctx, reply, () => recordListing(context.ctx, context.viewer, resource.collection.revision))
  return sendMultistatus(reply, responses())

  async function* responses(): AsyncGenerator<Xml> {
    if (!isBelowOnly) yield respond(resource)
    if (depth === 1) yield* below(context, resource, asked, respond)
  }
}

/** Without Depth, infinity is the default (§10.2), which is refused. */
const finiteDepth = (depth: Depth | undefined): 0 | 1 =>
  depth === undefined || depth === 'infinity' ? fail('depth_infinite') : depth

/** An empty body asks for all properties. */
function parsePropfind(root: XmlElement | undefined): PropRequest {
  if (!root) return EVERYTHING
  if (root.ns !== DAV || root.name !== 'propfind') fail('invalid_xml')
  return parsePropRequest(root) ?? fail('invalid_xml')
}

async function* below(
  context: DavContext,
  { kind }: Resource,
  asked: PropRequest,
  respond: Responder,
): AsyncGenerator<Xml> {
  const { ctx, viewer, caller } = context
  for (const target of listMembers(kind, viewer)) yield respond(await requireResource(context, target))
  if (kind !== 'calendar') return
  const walk = needsSize(asked) ? walkSizes : walkHeads
  const yieldIfDue = createYielder()
  for await (const page of walk(ctx, viewer, { caller })) {
    for (const head of page) {
      yield respond(objectResource(context, head))
      await yieldIfDue()
    }
  }
}
