// calendar-query report: the objects that match a filter. RFC 4791 §7.8.
import type { FastifyReply } from 'fastify'
import { createReaderGuard } from '../../actions/access/reader-guard.ts'
import { readCollection } from '../../actions/caldav-objects/changes.ts'
import { type CalendarObject, findObject } from '../../actions/caldav-objects/objects.ts'
import { LONGEST_RANGE_MS, walkObjects } from '../../actions/caldav-objects/walk-objects.ts'
import { withPermit } from '../../actions/costly-work/semaphore.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import { createDisconnectSignal } from '../../http/connections/client-disconnect.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import type { ReadObject } from '../calendar-data/instances.ts'
import { isPlainTimeRange, matchInSteps, timeRangeOf } from '../filter/match.ts'
import { type CalendarFilter, type CompFilter, parseFilter } from '../filter/parse.ts'
import type { ResourcePath } from '../paths.ts'
import { type DavRequest, readDepth, readPreferences, setPreferenceApplied } from '../request.ts'
import type { DavContext } from '../resources.ts'
import { CALDAV } from '../xml/names.ts'
import { findChild, type XmlElement } from '../xml/parse.ts'
import { join, type Xml } from '../xml/write.ts'
import { calendarZone, zoneFor } from '../zones.ts'
import { createObjectResponses, readObject } from './data.ts'
import { sendReport } from './send-report.ts'

export async function calendarQuery(davRequest: DavRequest, root: XmlElement): Promise<FastifyReply> {
  const { context, target, request, reply } = davRequest
  const zone = await zoneFor(context, root)
  const search = planSearch(parseFilter(findChild(root, CALDAV, 'filter') ?? fail('filter_invalid')), context, zone)
  const { isMinimal } = readPreferences(request)
  const answers = await createObjectResponses(context, root, zone, isMinimal)
  setPreferenceApplied(reply, { 'return=minimal': isMinimal })
  // Depth 0 means the collection itself, which is no event; without Depth its members are meant.
  const isEmpty = search.matchesNothing || (target.kind === 'calendar' && readDepth(request) === 0)
  const isIndexExact = search.isIndexExact && target.kind === 'calendar'
  const { ctx, viewer } = context
  const isWhole = isIndexExact && search.range === undefined && answers.givesVersions
  // Read before the objects: one of a later revision may be missing in the response.
  const listed = isWhole && !isEmpty ? await readCollection(ctx, viewer) : undefined
  const served = { listed: listed?.revision, objects: answers.given }
  const parts = isEmpty ? [] : isIndexExact ? foundByIndex() : foundByParsing()
  return sendReport(davRequest, parts, served, answers.isSameForAll)

  async function* foundByIndex(): AsyncGenerator<Xml> {
    for await (const page of answers.walk({ range: search.range }))
      yield join(...page.splice(0).map(({ answer }) => answer))
  }

  async function* foundByParsing(): AsyncGenerator<Xml> {
    const { caller } = context
    const guard = createReaderGuard(ctx, viewer, 'read_full')
    const disconnect = createDisconnectSignal(reply)
    for await (const page of candidates(context, target, search.range)) {
      // Parsing objects is costly. No permit is held while matches are sent.
      while (page.length > 0) {
        yield* await withPermit(ctx, caller, () => takeMatches(page, disconnect), { isContinued: true })
        await guard()
      }
    }
  }

  /** Takes objects off the page for as long as a permit may be held. */
  async function takeMatches(page: CalendarObject[], disconnect: AbortSignal): Promise<Xml[]> {
    const matches: Xml[] = []
    const { pause, workedMs } = createSliceTimer()
    for (let object = page.shift(); object; object = workedMs() < PERMIT_MS ? page.shift() : undefined) {
      const read = await findRead(context, object, zone)
      if (read && (await isMatch(search.filter, read, disconnect))) matches.push(await answers.of(object, read))
      await pause()
    }
    return matches
  }
}

/** Other callers get the permit after this much work. */
const PERMIT_MS = 250

/**
 * Conditions and components multiply: 90 conditions on 5,000 alarms of a long series would take hours. An object that
 * takes longer than this counts as a match: an extra object harms a client less than a missing one.
 */
const MAX_MATCH_MS = 1_000

async function isMatch(filter: CalendarFilter, object: ReadObject, disconnect: AbortSignal): Promise<boolean> {
  const steps = matchInSteps(filter, object)
  const { pause, workedMs } = createSliceTimer()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (workedMs() > MAX_MATCH_MS) return true
    await pause()
    disconnect.throwIfAborted()
  }
}

/** An object that cannot be parsed does not fail the others. */
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
  /** Range to search; undefined: the whole calendar. */
  range: Range | undefined
  /** Every object found in the range matches, so none needs to be parsed. */
  isIndexExact: boolean
  matchesNothing: boolean
}

function planSearch(filter: CalendarFilter, context: DavContext, zone: Zone): Search {
  const asked = timeRangeOf(filter)
  const isIndexed = asked !== undefined && asked.to - asked.from <= LONGEST_RANGE_MS
  const isOwnZone = zone === calendarZone(context)
  // Days in another zone begin and end up to 26 hours off those in the index.
  const margin = isOwnZone ? 0 : 2 * DAY_MS
  return {
    filter,
    range: asked && { from: asked.from - margin, to: asked.to + margin },
    isIndexExact: isAnyEvent(filter) || (isIndexed && isOwnZone && isPlainTimeRange(filter)),
    matchesNothing: filter.comps.some(isOfOtherKind),
  }
}

/** Only events are stored: queries for tasks are answered at once. */
const isOfOtherKind = ({ name, isNotDefined }: CompFilter): boolean =>
  ['VTODO', 'VJOURNAL', 'VFREEBUSY'].includes(name) && !isNotDefined

function isAnyEvent({ isNotDefined, range, props, comps }: CalendarFilter): boolean {
  const isBare = !isNotDefined && !range && props.length === 0
  return isBare && comps.every((comp) => comp.name === 'VEVENT' && comp.comps.length === 0 && isAnyEvent(comp))
}

async function* candidates(
  context: DavContext,
  target: ResourcePath,
  range: Range | undefined,
): AsyncGenerator<CalendarObject[]> {
  const { ctx, viewer, caller } = context
  if (target.kind === 'object')
    yield [(await findObject(ctx, viewer, target.name, { caller })) ?? fail('event_not_found')]
  else yield* walkObjects(ctx, viewer, { range, caller })
}
