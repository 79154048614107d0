// Responses for objects in a report, with the requested calendar data. RFC 4791 §9.6.

import { type CalendarObject, LONG_TEXT_OCTETS, type ObjectHead } from '../../actions/caldav-objects/objects.ts'
import { MAX_SERVED_OBJECTS, type ServedVersion } from '../../actions/caldav-objects/served-versions.ts'
import {
  type FoundObject,
  type ObjectSelection,
  walkHeads,
  walkUnknown,
} from '../../actions/caldav-objects/walk-objects.ts'
import { runYielding } from '../../actions/costly-work/costly-writes.ts'
import { withPermit } from '../../actions/costly-work/semaphore.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { AppError } from '../../errors.ts'
import { createSliceTimer, createYielder, type Yielder } from '../../scheduling/event-loop.ts'
import { createExpansionBudget } from '../calendar-data/expand.ts'
import type { ReadObject } from '../calendar-data/instances.ts'
import { type DataRequest, parseDataRequest } from '../calendar-data/parse.ts'
import { isWholeAsked, selectPieces } from '../calendar-data/select.ts'
import { errorElement } from '../errors.ts'
import type { ObjectFragments } from '../object-fragments.ts'
import { asksEtag, isSameForAll, needsSize, type PropRequest, parsePropRequest } from '../properties/prop-request.ts'
import { createResponder, response, statusElement } from '../properties/prop-response.ts'
import { type DavContext, objectResource } from '../resources.ts'
import { CALDAV, DAV } from '../xml/names.ts'
import { findChild, type XmlElement } from '../xml/parse.ts'
import { join, text, type Xml } from '../xml/write.ts'

export interface ObjectResponses {
  /** Whether the responses name the version of each object or have its complete text. */
  givesVersions: boolean
  isSameForAll: boolean
  /** Objects whose complete text was given, up to a maximum. */
  given: ServedVersion[]
  /** For all selected objects, in pages that the caller empties; texts are read only if they are needed. */
  walk(sought: ObjectSelection): AsyncGenerator<ObjectResponse[]>
  /** The responses for all of these objects, if they can be made without reading the database and are not long. */
  findAll(names: Iterable<string>): Xml | undefined
  /** `read` is given if a filter has already parsed the object. */
  of(object: CalendarObject, read?: ReadObject): Promise<Xml>
}

export interface ObjectResponse {
  name: string
  answer: Xml
}

export async function createObjectResponses(
  context: DavContext,
  root: XmlElement,
  zone: Zone,
  isMinimal: boolean,
): Promise<ObjectResponses> {
  const { ctx, viewer, caller } = context
  const asked = parsePropRequest(root) ?? { how: 'named', names: [] }
  const respond = createResponder(context, asked, isMinimal)
  const dataRequest = findDataRequest(root)
  const dataOf = dataRequest && createDataOf(dataRequest, zone)
  const isTextGiven = dataRequest !== undefined && isWholeAsked(dataRequest)
  const given: ServedVersion[] = []
  const isExpanded = dataRequest?.expand !== undefined
  // A response that has begun can only wait for permits: part of it may be sent already.
  let isContinued = false
  const isTextNeeded = dataOf !== undefined || needsSize(asked)
  const isShared = isSameForAll(asked)
  const isCacheable = isShared && (dataRequest === undefined || isTextGiven)
  const heads = await context.heads.open(viewer, context.state)
  const fragments = isCacheable ? openFragments(context, asked, isMinimal, isTextGiven) : undefined
  return { givesVersions: isTextGiven || asksEtag(asked), isSameForAll: isShared, given, walk, findAll, of }

  async function* walk(sought: ObjectSelection): AsyncGenerator<ObjectResponse[]> {
    const selection = { ...sought, caller, heads }
    const found = new Map<string, Xml>()
    const findKnown = (head: ObjectHead): boolean => {
      const fragment = fragments?.find(head)
      if (fragment !== undefined) found.set(head.name, fragment)
      return fragment !== undefined
    }
    const pages = isTextNeeded
      ? walkUnknown(ctx, viewer, selection, findKnown)
      : mapPages(walkHeads(ctx, viewer, selection), (head) => ({ head, object: undefined }))
    const yieldIfDue = createYielder()
    const answer = async ({ head, object }: FoundObject): Promise<ObjectResponse> => {
      const known = isTextNeeded ? found.get(head.name) : fragments?.find(head)
      if (known !== undefined) noteGiven(head)
      return { name: head.name, answer: known ?? (await (object ? of(object) : ofHead(head))) }
    }
    for await (const page of pages) {
      let length = 0
      let answers: ObjectResponse[] = []
      // Objects are taken off the page, because what is left waits for the client as long as the response.
      while (page.length > 0) {
        answers.push(await answer(page.shift()!))
        length += answers.at(-1)!.answer.length
        await yieldIfDue()
        if (length < PIECE_CHARACTERS) continue
        yield answers
        length = 0
        answers = []
      }
      found.clear()
      yield answers
    }
  }

  function findAll(names: Iterable<string>): Xml | undefined {
    if (!fragments) return undefined
    const parts: Xml[] = []
    const versions: ServedVersion[] = []
    let length = 0
    for (const name of names) {
      const row = heads.findNamed(name)
      const fragment = row && fragments.find({ name, revision: row.revision })
      length += fragment?.length ?? 0
      if (fragment === undefined || length > MAX_KNOWN_CHARACTERS) return undefined
      parts.push(fragment)
      versions.push({ name, revision: row!.revision })
    }
    for (const version of versions) noteGiven(version)
    return join(...parts)
  }

  function ofHead(head: ObjectHead): Xml {
    const answer = respond(objectResource(context, head))
    fragments?.keep(head, answer)
    return answer
  }

  function noteGiven({ name, revision }: ServedVersion): void {
    if (isTextGiven && given.length < MAX_SERVED_OBJECTS) given.push({ name, revision })
  }

  async function of(object: CalendarObject, read?: ReadObject): Promise<Xml> {
    const resource = objectResource(context, { ...object, size: Buffer.byteLength(object.text) })
    try {
      const data = dataOf && (await chargedData(dataOf, object, read))
      isContinued = true
      noteGiven(object)
      const answer = respond(resource, data)
      fragments?.keep(object, answer)
      return answer
    } catch (error) {
      if (error instanceof AppError && error.code === 'service_unavailable') throw error
      // Reported for this object alone; the others are not affected.
      if (error instanceof AppError) {
        const status = error.code === 'too_many_matches' ? 507 : 403
        return response(resource.href, statusElement(status), errorElement(error.code))
      }
      ctx.log.error('an event could not be read', { event_id: object.id })
      return response(resource.href, statusElement(500))
    }
  }

  /** An object that a filter has parsed was parsed with a permit, which charges the caller too. */
  async function chargedData(dataOf: DataOf, object: CalendarObject, read: ReadObject | undefined): Promise<Xml> {
    const timer = createSliceTimer()
    const make = async (): Promise<Xml> => dataOf(object, read, timer.pause)
    if (read) return make()
    if (isCostly(object)) return withPermit(ctx, caller, make, { isContinued })
    try {
      return await make()
    } finally {
      caller.charge(timer.workedMs())
    }
  }

  /** Instances and long texts take megabytes: per caller, only those of one object are built at a time. */
  function isCostly({ text }: CalendarObject): boolean {
    return isExpanded || text.length >= LONG_TEXT_OCTETS
  }
}

async function* mapPages<A, B>(pages: AsyncGenerator<A[]>, map: (one: A) => B): AsyncGenerator<B[]> {
  for await (const page of pages) yield page.map(map)
}

/** Elements with these properties; `hasText`: with the complete text, where the report has asked for it. */
export const openFragments = (
  { ctx, fragments, state }: DavContext,
  asked: PropRequest,
  isMinimal: boolean,
  hasText: boolean,
): ObjectFragments => fragments.open(state.history, JSON.stringify([asked, isMinimal, hasText, ctx.config.timezone]))

/** Parses in steps that yield: an object may be a megabyte. */
export const readObject = async (object: CalendarObject, zone: Zone, pause?: Yielder): Promise<ReadObject> => ({
  ...(await runYielding(object.open(zone), pause)),
  zone,
})

type DataOf = (object: CalendarObject, read: ReadObject | undefined, pause: Yielder) => Promise<Xml> | Xml

/** Undefined if no data is requested. */
function findDataRequest(root: XmlElement): DataRequest | undefined {
  const prop = findChild(root, DAV, 'prop')
  const element = prop && findChild(prop, CALDAV, 'calendar-data')
  return element && parseDataRequest(element)
}

function createDataOf(request: DataRequest, zone: Zone): DataOf {
  if (isWholeAsked(request))
    return (object, _read, pause) =>
      object.text.length <= PIECE_CHARACTERS ? text(object.text) : joinPieces(cutText(object.text), pause)
  const budget = createExpansionBudget()
  return async (object, read, pause) => {
    const stored = { ...(read ?? (await readObject(object, zone, pause))), text: object.text }
    return joinPieces(selectPieces(request, stored, budget), pause)
  }
}

/** Joined in one turn of the event loop; what is longer is streamed. */
const MAX_KNOWN_CHARACTERS = 512 * 1_024

/** Escaped for XML before yielding; a megabyte of `&` takes 0.1 s. */
const PIECE_CHARACTERS = 65_536

/** Cuts between characters: half of a surrogate pair would be dropped. */
function* cutText(text: string): Generator<string> {
  for (let from = 0, to: number; from < text.length; from = to) {
    to = Math.min(from + PIECE_CHARACTERS, text.length)
    if (to < text.length && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to -= 1
    yield text.slice(from, to)
  }
}

/** Yields to other requests between the pieces. */
async function joinPieces(pieces: Iterable<string>, pause: Yielder): Promise<Xml> {
  const parts: Xml[] = []
  for (const piece of pieces) {
    parts.push(text(piece))
    await pause()
  }
  return join(...parts)
}
