// calendar-query: the objects that meet a filter. RFC 4791 §7.8.
import type { FastifyReply } from 'fastify'
import { type CalendarObject, findObject, LONGEST_RANGE_MS, walkObjects } from '../../actions/caldav-objects/objects.ts'
import { runYielding } from '../../actions/costly-work/costly-writes.ts'
import { createYielder } from '../../actions/costly-work/event-loop.ts'
import { withPermit } from '../../actions/costly-work/semaphore.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import type { ReadObject } from '../calendar-data/instances.ts'
import { isPlainTimeRange, matchInSteps, timeRangeOf } from '../filter/match.ts'
import { type CalendarFilter, type CompFilter, parseFilter } from '../filter/parse.ts'
import { sendMultistatus } from '../multistatus.ts'
import type { ResourcePath } from '../paths.ts'
import { type DavRequest, readDepth, readPreferences, setPreferenceApplied } from '../request.ts'
import type { DavContext } from '../resources.ts'
import { CALDAV } from '../xml/names.ts'
import { findChild, type XmlElement } from '../xml/parse.ts'
import type { Xml } from '../xml/write.ts'
import { calendarZone, zoneFor } from '../zones.ts'
import { createObjectResponses, readObject } from './data.ts'

export async function calendarQuery(asking: DavRequest, root: XmlElement): Promise<FastifyReply> {
  const { scene, place, request, reply } = asking
  const zone = await zoneFor(scene, root)
  const search = planSearch(parseFilter(findChild(root, CALDAV, 'filter') ?? fail('filter_invalid')), scene, zone)
  const { isMinimal } = readPreferences(request)
  const answers = createObjectResponses(scene, root, zone, isMinimal)
  setPreferenceApplied(reply, { 'return=minimal': isMinimal })
  // Depth 0 means the collection itself, which is no event; who says nothing means what is in it.
  const isEmpty = search.isHopeless || (place.kind === 'calendar' && readDepth(request) === 0)
  const isSure = search.isSure && place.kind === 'calendar'
  return sendMultistatus(reply, isEmpty ? [] : isSure ? foundByIndex() : foundByLooking())

  async function* foundByIndex(): AsyncGenerator<Xml> {
    for await (const { answer } of answers.walk({ range: search.range })) yield answer
  }

  async function* foundByLooking(): AsyncGenerator<Xml> {
    const { ctx, caller } = scene
    // Looking into objects is costly. No permit is held while what was found is sent.
    for await (const page of candidates(scene, place, search.range))
      yield* await withPermit(ctx, caller, () => matchesAmong(page), { isContinued: true })
  }

  async function matchesAmong(page: CalendarObject[]): Promise<Xml[]> {
    const matches: Xml[] = []
    const breathe = createYielder()
    for (const object of page) {
      const read = await findRead(scene, object, zone)
      const isMatch = read && (await runYielding(matchInSteps(search.filter, read)))
      if (isMatch) matches.push(await answers.of(object, read))
      await breathe()
    }
    return matches
  }
}

/** One that cannot be read takes no other with it. */
async function findRead({ ctx }: DavContext, object: CalendarObject, zone: Zone): Promise<ReadObject | undefined> {
  try {
    return await readObject(object, zone)
  } catch {
    ctx.log.error('an event could not be read', { event_id: object.id })
    return undefined
  }
}

interface Search {
  filter: CalendarFilter
  /** Where to look; undefined: everywhere. */
  range: Range | undefined
  /** What is found there is what was asked for, and need not be looked into. */
  isSure: boolean
  isHopeless: boolean
}

function planSearch(filter: CalendarFilter, scene: DavContext, zone: Zone): Search {
  const asked = timeRangeOf(filter)
  const isIndexed = asked !== undefined && asked.to - asked.from <= LONGEST_RANGE_MS
  const isOwnZone = zone === calendarZone(scene)
  // The days of another zone begin and end at other times than those in the index, by up to 26 hours.
  const margin = isOwnZone ? 0 : 2 * DAY_MS
  return {
    filter,
    range: asked && { from: asked.from - margin, to: asked.to + margin },
    isSure: isAnyEvent(filter) || (isIndexed && isOwnZone && isPlainTimeRange(filter)),
    isHopeless: filter.comps.some(isOfOtherKind),
  }
}

/** Nothing but events is kept: programs that ask for tasks need not wait. */
const isOfOtherKind = ({ name, isNotDefined }: CompFilter): boolean =>
  ['VTODO', 'VJOURNAL', 'VFREEBUSY'].includes(name) && !isNotDefined

function isAnyEvent({ isNotDefined, range, props, comps }: CalendarFilter): boolean {
  const isBare = !isNotDefined && !range && props.length === 0
  return isBare && comps.every((comp) => comp.name === 'VEVENT' && comp.comps.length === 0 && isAnyEvent(comp))
}

async function* candidates(
  scene: DavContext,
  place: ResourcePath,
  range: Range | undefined,
): AsyncGenerator<CalendarObject[]> {
  const { ctx, person, caller } = scene
  if (place.kind === 'object')
    yield [(await findObject(ctx, person, place.name, { caller })) ?? fail('event_not_found')]
  else yield* walkObjects(ctx, person, { range, caller })
}
