// PROPPATCH: how somebody wants to see the calendar. All of it is kept or nothing, and each property is answered. RFC 4918 §9.2.
import type { FastifyReply } from 'fastify'
import { changeOwnProperties } from '../../actions/dav-properties.ts'
import { AppError, fail } from '../../errors.ts'
import { isParseProblem, parseCalendar } from '../../ical/parse.ts'
import { listComponents } from '../../ical/tree.ts'
import { sendMultistatus } from '../multistatus.ts'
import type { Kind } from '../paths.ts'
import { propstat, response } from '../properties/answer.ts'
import { innerOf } from '../properties/inner.ts'
import { findProperty } from '../properties/table.ts'
import { type Asking, readPreferences, readXml, tellFollowed } from '../request.ts'
import { keyOf, requireResource } from '../resources.ts'
import { CALDAV, DAV } from '../xml/names.ts'
import { childrenOf, findChild, textOf, type XmlElement } from '../xml/parse.ts'
import { element, type Xml } from '../xml/write.ts'

/** Why a property cannot be as it was asked; the RFCs have a name for some. */
interface Problem {
  status: number
  precondition?: Xml
}

const PROTECTED: Problem = { status: 403, precondition: element(DAV, 'cannot-modify-protected-property') }
const NOT_A_ZONE: Problem = { status: 403, precondition: element(CALDAV, 'valid-calendar-data') }
const TOO_MUCH: Problem = { status: 507 }

interface Change {
  property: XmlElement
  isRemoval: boolean
  problem: Problem | undefined
}

export async function proppatch({ scene, place, request, reply }: Asking): Promise<FastifyReply> {
  const { ctx, person } = scene
  const { href } = await requireResource(scene, place)
  const changes = parseUpdate(readXml(request) ?? fail('invalid_xml'), place.kind)
  if (!changes.some(({ problem }) => problem)) {
    const kept = new Map(changes.map((change) => [keyIn(place.kind, change), keptValue(change)]))
    await changeOwnProperties(ctx, person, kept).catch((error) => {
      if (!(error instanceof AppError) || error.code !== 'too_many_properties') throw error
      for (const change of changes) if (!change.isRemoval) change.problem = TOO_MUCH
    })
  }
  const isDone = !changes.some(({ problem }) => problem)
  const isSilent = isDone && readPreferences(request).isMinimal
  tellFollowed(reply, { 'return=minimal': isSilent })
  return isSilent ? reply.code(204).send() : sendMultistatus(reply, [response(href, ...changes.map(answerIn(isDone)))])
}

/** In their order; of two changes to one property the later one counts. */
function parseUpdate(root: XmlElement, kind: Kind): Change[] {
  if (root.ns !== DAV || root.name !== 'propertyupdate') fail('invalid_xml')
  const changes = new Map<string, Change>()
  for (const part of childrenOf(root)) {
    if (part.ns !== DAV || (part.name !== 'set' && part.name !== 'remove')) continue
    for (const property of childrenOf(findChild(part, DAV, 'prop') ?? fail('invalid_xml'))) {
      const change = { property, isRemoval: part.name === 'remove', problem: undefined }
      changes.set(keyIn(kind, change), { ...change, problem: problemOf(kind, change) })
    }
  }
  return changes.size > 0 ? [...changes.values()] : fail('invalid_xml')
}

const KEEPING_KINDS: readonly Kind[] = ['calendar', 'home', 'principal']
const MAX_NAME = 200
const MAX_VALUE_BYTES = 4_096

function problemOf(kind: Kind, change: Change): Problem | undefined {
  const { ns, name } = change.property
  const known = findProperty(change.property)
  const isProtected = known ? known.settableOn !== kind : !KEEPING_KINDS.includes(kind)
  if (isProtected) return PROTECTED
  if (change.isRemoval) return undefined
  if (keyIn(kind, change).length > MAX_NAME || Buffer.byteLength(keptValue(change)!) > MAX_VALUE_BYTES) return TOO_MUCH
  const isZone = ns === CALDAV && name === 'calendar-timezone'
  return isZone && !isOneZone(textOf(change.property)) ? NOT_A_ZONE : undefined
}

const keyIn = (kind: Kind, { property: { ns, name } }: Change): string => keyOf(kind, ns, name)

const keptValue = ({ property, isRemoval }: Change): string | undefined => (isRemoval ? undefined : innerOf(property))

function isOneZone(text: string): boolean {
  const tree = parseCalendar(text.trim())
  return !isParseProblem(tree) && tree.name === 'VCALENDAR' && listComponents(tree, 'VTIMEZONE').length === 1
}

/** Each by itself, since programs give up at a refusal of the whole; what failed for another's sake says so. */
const answerIn =
  (isDone: boolean) =>
  ({ property, problem }: Change) => {
    const names = [element(property.ns, property.name)]
    if (!problem) return propstat(isDone ? 200 : 424, names)
    const { status, precondition } = problem
    return propstat(status, names, ...(precondition ? [element(DAV, 'error', {}, precondition)] : []))
  }
