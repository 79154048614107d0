// Creates and changes a series: omitted fields stay, and exceptions move with the series.

import { Problems } from '../problems.ts'
import { createNominalCheck, type Pattern, patternOf, startAtOf, wholePatternOf } from '../recurrence/occurrences.ts'
import { parseRule, type Rule } from '../recurrence/rule.ts'
import { isFrequent } from '../recurrence/sub-daily-limit.ts'
import { runSteps, type Steps } from '../steps.ts'
import { dayOf, type LocalMs } from '../time/instant.ts'
import { formatDate, formatLocal } from '../time/text.ts'
import { findZone, requireZone, toWall } from '../time/zone.ts'
import { type DroppedException, listDropped } from './dropped.ts'
import {
  DETAIL_FIELDS,
  type Details,
  isRecurring,
  type Override,
  type Series,
  type SeriesBase,
  type Timing,
} from './event.ts'
import { type Defaults, type EventFields, type FieldsPatch, MAX_SENT_DATES } from './fields.ts'
import { besidesStart, localUntil, readExdates, readRdates, readRule, settleRule, sortedUnique } from './repeat.ts'
import {
  checked,
  endAtOf,
  instantOf,
  inZone,
  isSecondReading,
  movedKey,
  movedTiming,
  readMoment,
  readTiming,
  wallOf,
} from './timing.ts'
import { isSameApartFromExceptions, isSameList } from './unchanged.ts'
import { readDetails } from './words.ts'

export interface SeriesUpdate {
  /** The current series itself where nothing changes. */
  series: Series
  /** Exceptions that the changed series does not have any more, in order of their previous keys. */
  dropped: readonly DroppedException[]
  /** True where no occurrence is left: the event is deleted. */
  isEmpty?: boolean
  /** New keys of overrides by their previous ones, where they did not move with the start. */
  movedKeys?: ReadonlyMap<LocalMs, LocalMs>
}

export const replaceSeries = (uid: string, fields: EventFields, defaults: Defaults, current?: Series): SeriesUpdate =>
  runSteps(replaceInSteps(uid, fields, defaults, current))

/** A new event, or the replacement of one: an omitted field takes its default, exceptions stay. */
export function* replaceInSteps(
  uid: string,
  fields: EventFields,
  defaults: Defaults,
  current?: Series,
): Steps<SeriesUpdate> {
  const problems = new Problems()
  const details = readDetails(fields, problems, current?.details)
  const timing = readTiming(
    { start: fields.start, end: fields.end, allDay: fields.all_day ?? false, zone: fields.timezone ?? defaults.zone },
    problems,
    current?.timing,
  )
  if (!timing) return stopWith(problems)
  const base = {
    uid,
    visibility: fields.visibility ?? defaults.visibility,
    transparency: fields.transparency ?? 'opaque',
    details,
    timing,
    rule: readRule(fields.rrule, timing, problems, current?.rule),
    rdates: yield* readRdates(fields.rdates ?? [], timing, problems),
  } as const
  if (current) refuseManyNew('/rdates', base.rdates, current.rdates, problems)
  return yield* carryExceptions(base, current, fields.exdates ?? undefined, problems)
}

/** Checks a replacement without the current event; only with it is known whether a frequent rule was there before. */
export function* checkReplacement(fields: EventFields, defaults: Defaults): Steps<void> {
  const rule = fields.rrule ? parseRule(fields.rrule) : undefined
  const isOpen = typeof rule === 'object' && isFrequent(rule)
  yield* replaceInSteps('', isOpen ? { ...fields, rrule: null } : fields, defaults)
}

export const patchSeries = (current: Series, patch: FieldsPatch, defaults: Defaults): SeriesUpdate =>
  runSteps(patchInSteps(current, patch, defaults))

/** A merge patch. Omitted wall times stay as they are, so that a new zone alone moves no key. */
export function* patchInSteps(current: Series, patch: FieldsPatch, defaults: Defaults): Steps<SeriesUpdate> {
  const problems = new Problems()
  const details = patchDetails(current.details, patch, problems)
  const timing = patchTiming(current.timing, patch, defaults, problems)
  if (!timing) return stopWith(problems)
  const base = {
    uid: current.uid,
    visibility: patch.visibility === null ? defaults.visibility : (patch.visibility ?? current.visibility),
    transparency: patch.transparency === null ? 'opaque' : (patch.transparency ?? current.transparency),
    details,
    timing,
    rule:
      patch.rrule === undefined
        ? movedRule(current, timing, problems)
        : readRule(patch.rrule, timing, problems, current.rule),
    rdates:
      patch.rdates === undefined
        ? besidesStart(
            current.rdates.map((wall) => movedKey(wall, current.timing, timing)),
            timing,
          )
        : yield* readRdates(patch.rdates ?? [], timing, problems),
  } as const
  if (patch.rdates) refuseManyNew('/rdates', base.rdates, current.rdates, problems)
  return yield* carryExceptions(base, current, patch.exdates === null ? [] : patch.exdates, problems)
}

/** Dates that are already stored may be sent again, even if a file brought more than one request may add. */
function refuseManyNew(field: string, given: readonly LocalMs[], before: readonly LocalMs[], problems: Problems): void {
  if (given.length <= MAX_SENT_DATES) return
  const known = new Set(before)
  if (given.some((wall) => !known.has(wall))) problems.add(field, 'too_long')
}

/** Checks a patch without the current event. */
export function checkPatch(patch: FieldsPatch): void {
  const problems = new Problems()
  for (const field of ['title', 'start', 'end'] as const)
    if (patch[field] === null) problems.add(`/${field}`, 'required')
  for (const field of ['start', 'end'] as const) if (patch[field]) readMoment(`/${field}`, patch[field], problems)
  if (patch.timezone && !findZone(patch.timezone)) problems.add('/timezone', 'timezone_unknown')
  const rule = patch.rrule ? parseRule(patch.rrule) : undefined
  if (typeof rule === 'string') problems.add('/rrule', rule)
  readDetails({ ...(patch as EventFields), title: patch.title ?? 'untouched' }, problems)
  problems.throwIfAny()
}

/**
 * Only the fields in the patch are validated: texts imported in another way that would be refused here stay unchanged.
 */
export function patchDetails(current: Details, patch: FieldsPatch, problems: Problems): Details {
  const read = readDetails({ ...(patch as EventFields), title: patch.title ?? 'untouched' }, problems, current)
  const mentioned = DETAIL_FIELDS.filter((field) => patch[field] !== undefined)
  return { ...current, ...Object.fromEntries(mentioned.map((field) => [field, read[field]])) }
}

/**
 * A floating time stays floating unless the patch names another zone. A start alone moves the event, which keeps its
 * length; an end alone changes the length.
 */
export function patchTiming(
  current: Timing,
  patch: FieldsPatch,
  defaults: Defaults,
  problems: Problems,
): Timing | undefined {
  const { start, end } = patch
  const allDay = patch.all_day === undefined ? current.allDay : (patch.all_day ?? false)
  const named = patch.timezone === undefined ? current.zone : (patch.timezone ?? defaults.zone)
  const zone = findZone(named)?.name ?? named
  if (start === undefined && end === undefined && allDay === current.allDay && zone === current.zone) return current
  if (start && end === undefined) return movedTiming({ start, allDay, zone }, problems, current)
  if (allDay === current.allDay && zone === current.zone && !allDay) return patchTimed(current, patch, problems)
  const texts = { start: start ?? startText(current), end: end ?? endText(current) }
  return readTiming({ ...texts, allDay, zone }, problems, current)
}

/** Only times change: a start that is not in the patch keeps its instant exactly. */
function patchTimed(current: Timing, { start, end }: FieldsPatch, problems: Problems): Timing | undefined {
  const zone = requireZone(current.zone)
  const startText = start ? readMoment('/start', start, problems) : undefined
  const endText = end ? readMoment('/end', end, problems) : undefined
  if ((start && !startText) || (end && !endText)) return undefined
  const startAt = startText ? instantOf(startText, zone) : current.startAt
  const isUnmoved = !startText || (startText.kind === 'instant' && startAt === current.startAt)
  const startWall = isUnmoved ? current.startWall : wallOf(startText, zone)
  const endAt = endText ? instantOf(endText, zone) : endAtOf(current)
  return checked({ ...current, startWall, startAt, durationMs: endAt - startAt }, problems)
}

const startText = (timing: Timing): string =>
  timing.allDay ? formatDate(dayOf(timing.startWall)) : formatLocal(timing.startWall)

const endText = (timing: Timing): string =>
  timing.allDay
    ? formatDate(dayOf(timing.startWall + timing.durationMs))
    : formatLocal(toWall(requireZone(timing.zone), endAtOf(timing)))

/**
 * Moves UNTIL of a rule that is not in the patch; otherwise moving a series by an hour would drop its last occurrence.
 */
function movedRule({ rule, timing: before }: Series, timing: Timing, problems: Problems): Rule | undefined {
  if (!rule || timing === before) return rule
  if (!rule.until) return settleRule(rule, timing, problems)
  const wall = localUntil(rule.until, before) + timing.startWall - before.startWall
  return settleRule({ ...rule, until: { kind: 'local', wall } }, timing, problems)
}

/**
 * Exceptions move with the start's wall time; those without an occurrence in the new series are dropped and reported.
 */
function* carryExceptions(
  base: SeriesBase,
  current: Series | undefined,
  exdates: readonly string[] | undefined,
  problems: Problems,
): Steps<SeriesUpdate> {
  const bare: Series = { ...base, exclusions: [], overrides: [] }
  const pattern = wholePatternOf(bare)
  const given = exdates && (yield* readExdates(exdates, pattern, problems))
  if (given && current) refuseManyNew('/exdates', given, current.exclusions, problems)
  if (isRecurring(bare) && isSecondReading(bare.timing)) problems.add('/start', 'not_allowed')
  problems.throwIfAny()
  const keepsExclusions = !given || isSameList(sortedUnique(current?.exclusions ?? []), given)
  if (current && keepsExclusions && isSameApartFromExceptions(current, base)) return { series: current, dropped: [] }

  const before = current ?? bare
  const moved = (key: LocalMs): LocalMs => movedKey(key, before.timing, bare.timing)
  const editedKeys = before.overrides.map(({ key }) => key)
  const isNominal = createNominalCheck(pattern)
  const fits = (key: LocalMs): boolean => isRecurring(bare) && isNominal(key)
  // Looking up a date in a rule with many positions takes 20 µs, and there may be 10,000.
  const [kept, lost] = yield* partInSteps(given ?? before.exclusions, (key) => fits(given ? key : moved(key)))
  const exclusions = sortedUnique(given ? kept : kept.map(moved))
  const wasNominal = createNominalCheck(wholePatternOf(before))
  // An override that was never on a date of the series, as some clients write it, is kept.
  const [staying, leaving] = yield* partInSteps(
    editedKeys,
    (key) => fits(moved(key)) || (isRecurring(bare) && !wasNominal(key)),
  )
  // Times of one day become one date in a series that becomes all-day; the first override stays.
  const [stays, taken] = [new Set(staying), new Set(exclusions)]
  const [overrides, removed]: [Override[], LocalMs[]] = [[], []]
  for (const override of before.overrides) {
    const key = moved(override.key)
    if (!stays.has(override.key)) continue
    if (taken.has(key)) removed.push(override.key)
    else overrides.push(override)
    taken.add(key)
  }
  const isDate = given ? bare.timing.allDay : before.timing.allDay
  yield
  return {
    series: {
      ...base,
      exclusions,
      overrides: overrides.map((override) => followSeries(override, moved(override.key), before, bare, pattern)),
    },
    dropped: listDropped(
      { type: 'excluded', keys: lost, isDate },
      { type: 'overridden', keys: [...leaving, ...removed], isDate: before.timing.allDay },
    ),
  }
}

/** Dates looked up before yielding. */
const KEYS_AT_ONCE = 200

function* partInSteps(
  keys: readonly LocalMs[],
  isWanted: (key: LocalMs) => boolean,
): Steps<[wanted: LocalMs[], others: LocalMs[]]> {
  const wanted: LocalMs[] = []
  const others: LocalMs[] = []
  for (const [index, key] of keys.entries()) {
    if (index % KEYS_AT_ONCE === KEYS_AT_ONCE - 1) yield
    if (isWanted(key)) wanted.push(key)
    else others.push(key)
  }
  return [wanted, others]
}

/** Fields that an override does not change follow the series; its own changes stay. */
function followSeries(override: Override, key: LocalMs, before: Series, after: Series, pattern: Pattern): Override {
  const details = { ...override.details } as Record<string, unknown>
  for (const field of DETAIL_FIELDS) {
    if (override.details[field] === before.details[field]) details[field] = after.details[field]
  }
  const follows = !isMoved(override, before) || before.timing.allDay !== after.timing.allDay
  const timing = follows ? nominalTiming(after, pattern, key) : inZone(override.timing, after.timing.zone)
  const { transparency } = override
  const isOwn = transparency !== undefined && transparency !== after.transparency
  return { key, details: details as unknown as Details, timing, ...(isOwn ? { transparency } : {}) }
}

/** Whether an override has another start or length than its key and the series give. */
export function isMoved(override: Override, series: Series): boolean {
  const nominal = nominalTiming(series, patternOf({ ...series, rule: undefined, rdates: [] }), override.key)
  return override.timing.startAt !== nominal.startAt || override.timing.durationMs !== nominal.durationMs
}

export const nominalTiming = (series: Series, pattern: Pattern, key: LocalMs): Timing => ({
  ...series.timing,
  startWall: key,
  startAt: startAtOf(pattern, key),
})

export function stopWith(problems: Problems): never {
  problems.throwIfAny()
  throw new Error('a reading failed without saying why')
}
