// Writes a change so that the series takes the new times, and earlier occurrences are exceptions.
import { givesStart, listWallsBefore } from '../../recurrence/expand.ts'
import { startAtOf } from '../../recurrence/occurrences.ts'
import { MAX_COUNT, parseRule, type Rule } from '../../recurrence/rule.ts'
import type { Steps } from '../../steps.ts'
import { dayOf, type Instant, type LocalMs, wallOfDay } from '../../time/instant.ts'
import { isWithinYears } from '../../time/text.ts'
import { requireZone, toWall } from '../../time/zone.ts'
import { listLost } from '../dropped.ts'
import type { Series } from '../event.ts'
import { sortedUnique } from '../repeat.ts'
import { inOrder, moveLater, overrideFor, type Rescheduled, type ScheduleChange } from './later-exceptions.ts'
import { type LaterSchedule, timingAt } from './later-schedule.ts'
import { type EarlierDate, type EarlierPlaces, placeEarlier } from './place-earlier.ts'
import { hasSameDates } from './shift-rule.ts'

/** The series takes the new times and rule; earlier occurrences are placed on dates before them. */
export function* writeAsNewSeries(change: ScheduleChange): Steps<Rescheduled[]> {
  const { series, key, sides, schedule, values } = change
  if (!sides.earlier || schedule.isRuleFixed || !values.mayLead) return []
  const earlier = [
    ...sides.earlier.map((one) => earlierDate(change, one.key, one.nominalAt, false)),
    ...series.exclusions
      .filter((wall) => wall < key)
      .map((wall) => earlierDate(change, wall, startAtOf(sides.pattern, wall), true)),
  ].sort((a, b) => a.wall - b.wall)
  yield
  const ways: Rescheduled[] = []
  for (const grid of listGrids(schedule, earlier)) {
    yield
    const way = yield* writeOnGrid(change, earlier, grid)
    if (way) ways.push(way)
  }
  return ways
}

function earlierDate(
  { schedule, series }: ScheduleChange,
  key: LocalMs,
  at: Instant,
  isExcluded: boolean,
): EarlierDate {
  const { allDay, zone } = schedule.timing
  if (allDay) return { key, wall: wallOfDay(dayOf(key)), isExcluded }
  return { key, wall: zone === series.timing.zone ? key : toWall(requireZone(zone), at), isExcluded }
}

/** A start for the changed series and its dates before the change. */
interface DateGrid {
  start: LocalMs
  rule: Rule
  slots: LocalMs[]
  rdates: LocalMs[]
}

const ONLY_START = parseRule('FREQ=DAILY;COUNT=1') as Rule

/** Where the changed series may begin: with as many dates before the change as there were, or not after the first. */
function listGrids({ start, rule, rdates }: LaterSchedule, earlier: readonly EarlierDate[]): DateGrid[] {
  const walls = earlier.map(({ wall }) => wall)
  if (!rule) {
    const all = sortedUnique([...walls, start, ...rdates])
    if (all.length < walls.length + 1 + rdates.length) return []
    const [first, ...others] = all as [LocalMs, ...LocalMs[]]
    const isEarlier = new Set(walls)
    const later = others.filter((wall) => !isEarlier.has(wall))
    return [{ start: first, rule: ONLY_START, slots: isEarlier.has(first) ? [first] : [], rdates: later }]
  }
  const least = Math.min(...walls, ...rdates, start)
  const isOnRule = givesStart(rule, start)
  const before = earlier.length === 0 && least === start ? [] : listWallsBefore(rule, start, walls.length, least)
  const nearest = start <= least ? start : before.findLast((wall) => wall <= least)
  const begins = [nearest, walls.length > 0 ? before.at(-walls.length) : undefined]
  return [...new Set(begins)].flatMap((begin) => {
    if (begin === undefined || !isWithinYears(begin)) return []
    const slots = before.filter((wall) => wall >= begin)
    const count =
      rule.count === undefined ? undefined : rule.count + slots.length - (isOnRule || begin === start ? 0 : 1)
    if (count !== undefined && count > MAX_COUNT) return []
    if (!hasSameDates(rule, begin, start, start)) return []
    const extra = isOnRule || begin === start ? rdates : sortedUnique([start, ...rdates])
    // An extra date may be one that the rule gives now.
    const isExtra = new Set(extra)
    const free = slots.filter((wall) => !isExtra.has(wall))
    return [{ start: begin, rule: count === undefined ? rule : { ...rule, count }, slots: free, rdates: extra }]
  })
}

function* writeOnGrid(change: ScheduleChange, earlier: EarlierDate[], grid: DateGrid): Steps<Rescheduled | undefined> {
  const { schedule, sides, values, series } = change
  if (grid.rdates.some((wall) => wall < grid.start)) return undefined
  const timing = timingAt(schedule.timing, grid.start)
  const bare: Series = {
    ...values.next,
    timing,
    rule: grid.rule,
    rdates: sortedUnique(grid.rdates.filter((wall) => wall !== grid.start)),
    exclusions: [],
    overrides: [],
  }
  const places = placeEarlier(bare, grid.slots, earlier)
  if (!places) return undefined
  const changed = { ...bare, rdates: sortedUnique([...bare.rdates, ...places.rdates]) }
  yield
  const later = yield* moveLater(change, changed, new Set([...places.keys.values(), ...grid.slots]))
  const edited = sides.earlier!.flatMap((one) => overrideFor(changed, places.keys.get(one.key)!, one) ?? [])
  const lost = earlier.filter(({ key }) => !places.keys.has(key)).map(({ key }) => key)
  const excluded = earlier.flatMap(({ key, isExcluded }) => (isExcluded ? (places.keys.get(key) ?? []) : []))
  const exclusions = sortedUnique([...places.unused, ...excluded, ...later.exclusions])
  const movedKeys = new Map([...editedKeys(series, places), ...later.movedKeys])
  return {
    series: { ...changed, exclusions, overrides: inOrder([...edited, ...later.overrides]) },
    dropped: listLost(series, [...lost, ...later.dropped]),
    movedKeys,
    cost: edited.length + places.unused.length + places.rdates.length,
  }
}

const editedKeys = ({ overrides }: Series, { keys }: EarlierPlaces): [LocalMs, LocalMs][] =>
  overrides.flatMap(({ key }) => (keys.has(key) ? [[key, keys.get(key)!] as [LocalMs, LocalMs]] : []))
