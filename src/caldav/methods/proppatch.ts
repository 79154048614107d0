// PROPPATCH: sets an account's own properties, all or none, with a status for each. RFC 4918 §9.2.
import type { FastifyReply } from 'fastify'
import { changeOwnProperties } from '../../actions/caldav-objects/dav-properties.ts'
import { findZone } from '../../domain/time/zone.ts'
import { AppError, fail } from '../../errors.ts'
import { sendMultistatus } from '../multistatus.ts'
import type { ResourceKind } from '../paths.ts'
import { propstat, response } from '../properties/prop-response.ts'
import { LANG } from '../properties/property.ts'
import { findDavProperty } from '../properties/table.ts'
import { type DavRequest, MAX_PROPERTY_NODES, readPreferences, readXml, setPreferenceApplied } from '../request.ts'
import { type DavContext, keyOf, requireResource } from '../resources.ts'
import { CALDAV, DAV } from '../xml/names.ts'
import { childrenOf, findChild, textOf, type XmlElement } from '../xml/parse.ts'
import { element, innerOf, text, type Xml } from '../xml/write.ts'
import { findZoneOfDefinition, isZoneTooLong, MAX_ZONE_BYTES, ZONE_KEY, zoneText } from '../zones.ts'

/** Why a property cannot be set; the RFCs define a precondition for some cases. */
interface Problem {
  status: number
  precondition?: Xml
}

const PROTECTED: Problem = { status: 403, precondition: element(DAV, 'cannot-modify-protected-property') }
const ZONE_PROBLEMS: Record<string, Problem> = {
  'calendar-timezone': { status: 403, precondition: element(CALDAV, 'valid-calendar-data') },
  'calendar-timezone-id': { status: 403, precondition: element(CALDAV, 'valid-timezone') },
}
const TOO_MUCH: Problem = { status: 507 }

interface PropertyChange {
  property: XmlElement
  isRemoval: boolean
  lang: string | null
  /** The key it is stored under. */
  key: string
  /** Undefined for a removal or an invalid value. */
  value: string | undefined
  problem: Problem | undefined
}

export async function proppatch({ context, target, request, reply }: DavRequest): Promise<FastifyReply> {
  const { ctx, viewer } = context
  const { href } = await requireResource(context, target, false)
  const root = (await readXml(request, context, MAX_PROPERTY_NODES)) ?? fail('invalid_xml')
  const changes = parseUpdate(root, target.kind, context)
  if (!changes.some(({ problem }) => problem)) {
    const kept = new Map(
      changes.map(({ key, value, lang }) => [key, value === undefined ? undefined : { value, lang }]),
    )
    await changeOwnProperties(ctx, viewer, kept).catch((error) => {
      if (!(error instanceof AppError) || error.code !== 'too_many_properties') throw error
      for (const change of changes) if (!change.isRemoval) change.problem = TOO_MUCH
    })
  }
  const isDone = !changes.some(({ problem }) => problem)
  const isSilent = isDone && readPreferences(request).isMinimal
  setPreferenceApplied(reply, { 'return=minimal': isSilent })
  return isSilent ? reply.code(204).send() : sendMultistatus(reply, [response(href, ...changes.map(answerIn(isDone)))])
}

/** Far more than may be stored; each change to the same property counts. */
const MAX_CHANGES = 200

type SentChange = Pick<PropertyChange, 'property' | 'isRemoval' | 'lang'>

/** In their order; of two changes to one property only the later one is applied. */
function parseUpdate(root: XmlElement, kind: ResourceKind, context: DavContext): PropertyChange[] {
  if (root.ns !== DAV || root.name !== 'propertyupdate') fail('invalid_xml')
  const sent = new Map<string, SentChange>()
  let count = 0
  for (const part of childrenOf(root)) {
    if (part.ns !== DAV || (part.name !== 'set' && part.name !== 'remove')) continue
    const prop = findChild(part, DAV, 'prop') ?? fail('invalid_xml')
    for (const property of childrenOf(prop)) {
      if (++count > MAX_CHANGES) fail('too_many_properties')
      const name = keyOf(kind, property.ns, property.name)
      sent.delete(name)
      sent.set(name, { property, isRemoval: part.name === 'remove', lang: langAmong([property, prop, part, root]) })
    }
  }
  return sent.size > 0 ? [...sent.values()].map((change) => readSent(change, kind, context)) : fail('invalid_xml')
}

function readSent(sent: SentChange, kind: ResourceKind, context: DavContext): PropertyChange {
  const read = readChange(kind, sent.property, sent.isRemoval, context)
  return { ...sent, ...read, problem: sent.lang && sent.lang.length > MAX_LANG ? TOO_MUCH : read.problem }
}

/** That of the element itself, or of the nearest ancestor (XML 1.0 §2.12). */
const langAmong = (elements: readonly XmlElement[]): string | null =>
  elements.map(({ attributes }) => attributes.get(LANG)).find((lang) => lang !== undefined) || null

const KEEPING_KINDS: readonly ResourceKind[] = ['calendar', 'home', 'principal']
const MAX_NAME = 200
const MAX_LANG = 100
const MAX_VALUE_BYTES = 4_096

type ReadProperty = Pick<PropertyChange, 'key' | 'value' | 'problem'>

function readChange(kind: ResourceKind, property: XmlElement, isRemoval: boolean, context: DavContext): ReadProperty {
  const { ns, name } = property
  const known = findDavProperty(property)
  const isProtected = known ? known.settableOn !== kind : !KEEPING_KINDS.includes(kind)
  const key = keyOf(kind, ns, name)
  if (isProtected) return { key, value: undefined, problem: PROTECTED }
  if (ns === CALDAV && Object.hasOwn(ZONE_PROBLEMS, name)) return readZoneChange(property, isRemoval, context)
  if (isRemoval) return { key, value: undefined, problem: undefined }
  const value = innerOf(property, MAX_VALUE_BYTES)
  const isTooMuch = key.length > MAX_NAME || value === undefined || Buffer.byteLength(value) > MAX_VALUE_BYTES
  return { key, value, problem: isTooMuch ? TOO_MUCH : undefined }
}

/** A zone is set by definition or by name; setting one changes both properties. */
function readZoneChange(property: XmlElement, isRemoval: boolean, context: DavContext): ReadProperty {
  const key = ZONE_KEY
  if (isRemoval) return { key, value: undefined, problem: undefined }
  const sent = textOf(property)
  if (isZoneTooLong(sent)) return { key, value: undefined, problem: TOO_MUCH }
  const isNamed = property.name === 'calendar-timezone-id'
  const zone = isNamed ? findZone(sent.trim()) : findZoneOfDefinition(context, sent)
  if (!zone) return { key, value: undefined, problem: ZONE_PROBLEMS[property.name] }
  const value = text(isNamed ? zoneText(zone.name) : sent)
  return { key, value, problem: Buffer.byteLength(value) > MAX_ZONE_BYTES ? TOO_MUCH : undefined }
}

/**
 * One status per property, because clients give up when the whole request fails; 424 marks those that failed only
 * because another one did.
 */
const answerIn =
  (isDone: boolean) =>
  ({ property, problem }: PropertyChange) => {
    const names = [element(property.ns, property.name)]
    if (!problem) return propstat(isDone ? 200 : 424, names)
    const { status, precondition } = problem
    return propstat(status, names, ...(precondition ? [element(DAV, 'error', {}, precondition)] : []))
  }
