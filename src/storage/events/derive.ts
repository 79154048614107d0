// Derives columns, exceptions, occurrence index rows and public search words from a series.
import { type Details, isRecurring, type Override, type Series, type Timing } from '../../domain/calendar/event.ts'
import { searchTextOf } from '../../domain/calendar/words.ts'
import { hidesCategory, withoutInternalCategories } from '../../domain/privacy/internal-categories.ts'
import { createUnlistedCheck, isMovedFrom } from '../../domain/privacy/masked-schedule.ts'
import { publicWordsInSteps } from '../../domain/privacy/public-words.ts'
import {
  createNominalCheck,
  expand,
  findLastListed,
  isEndless,
  type Pattern,
  patternOf,
  startAtOf,
  wholePatternOf,
} from '../../domain/recurrence/occurrences.ts'
import { formatRule } from '../../domain/recurrence/rule.ts'
import { findTightLast } from '../../domain/recurrence/tight-until.ts'
import { runSteps, type Steps } from '../../domain/steps.ts'
import { DAY_MS, type Instant, type LocalMs } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import type { EventRecord, EventRow, ExceptionRow, OccurrenceRow, PublicWordRow } from '../tables.ts'
import type { IndexSpan } from './calendar.ts'
import { bucketOf } from './duration-buckets.ts'

export type DerivedColumns = Omit<EventRow, 'key' | keyof EventRecord>
export type DerivedException = Omit<ExceptionRow, 'event_key' | 'created_at' | 'created_by'>
export type DerivedOccurrence = Omit<OccurrenceRow, 'event_key'>

export type DerivedWord = Omit<PublicWordRow, 'event_key'>

export interface Derived {
  columns: DerivedColumns
  exceptions: DerivedException[]
  occurrences: DerivedOccurrence[]
  /** Words that the public may search for. */
  words: DerivedWord[]
}

/**
 * Raise it with every change of what is derived from the same text, in columns, rows or `public_ical`: the first start
 * of a new version then derives all events again.
 */
export const DERIVATION_VERSION = 8

/** Stands for the nominal start where a public word belongs to the series itself; no wall time has this value. */
export const WHOLE_SERIES = Number.MIN_SAFE_INTEGER

/** The maximum of index rows of a series; occurrences beyond are expanded on read. */
const MAX_INDEXED = 4_000

/** Around clock changes a later wall time may be an earlier instant: by an hour, and once by a day. */
const SLACK_MS = DAY_MS

/** `span` is the time span of the index for series that reach further. Without internal categories. */
export const derive = (series: Series, span: Range): Derived =>
  runSteps(deriveInSteps(series, { ...span, internalCategories: '[]' }))

export function* deriveInSteps(series: Series, span: IndexSpan): Steps<Derived> {
  const pattern = patternOf(series)
  const { details, timing, rule } = series
  const { occurrences, indexedFrom, indexedTo } = indexOf(series, pattern, span)
  yield
  const exceptions = yield* exceptionsOf(series, pattern, span)
  const words = yield* publicWordsInSteps(withoutInternalCategories(series, span.internalCategories))
  return {
    columns: {
      uid: series.uid,
      visibility: series.visibility,
      transparency: series.transparency,
      ...wordColumns(details),
      search_text: searchTextOf(details),
      all_day: timing.allDay ? 1 : 0,
      timezone: timing.zone,
      start_local: timing.startWall,
      start_at: timing.startAt,
      duration_ms: timing.durationMs,
      rrule: rule ? formatRule(rule) : null,
      rdates: JSON.stringify(series.rdates),
      // Feeds use it where rows end before the series does: an UNTIL long after the last start must not be revealed.
      last_local: (indexedTo === null ? pattern.lastWall : findTightLast(pattern)) ?? null,
      is_recurring: isRecurring(series) ? 1 : 0,
      indexed_from: indexedFrom,
      indexed_to: indexedTo,
      is_unreadable: 0,
      hides_category: hidesCategory(details, span.internalCategories) ? 1 : 0,
      more_categories: series.moreCategories ? JSON.stringify(series.moreCategories) : null,
    },
    exceptions,
    occurrences,
    words: words.map(({ key, word }) => ({ local_at: key ?? WHOLE_SERIES, word })),
  }
}

const wordColumns = ({ title, description, location, category, url, status }: Details) => ({
  title,
  description,
  location,
  category,
  url,
  status,
})

/** This many take a few milliseconds; one edited occurrence may take as long, because its text is folded. */
const EXCLUSIONS_AT_ONCE = 250

function* exceptionsOf(series: Series, pattern: Pattern, { internalCategories }: IndexSpan): Steps<DerivedException[]> {
  const { exclusions, overrides } = series
  const hasEffect = createEffectCheck(series, pattern)
  const nothing = {
    title: null,
    description: null,
    location: null,
    category: null,
    url: null,
    status: null,
    search_text: null,
    transparency: null,
    start_local: null,
    start_at: null,
    duration_ms: null,
    hides_category: 0 as const,
  }
  const rows: DerivedException[] = []
  for (const [i, wall] of exclusions.entries()) {
    const has_public_effect = hasEffect(wall) ? 1 : 0
    rows.push({ local_at: wall, kind: 'excluded' as const, ...nothing, has_public_effect })
    if (i % EXCLUSIONS_AT_ONCE === EXCLUSIONS_AT_ONCE - 1) yield
  }
  for (const override of overrides) {
    const { key, details, timing, transparency } = override
    rows.push({
      local_at: key,
      kind: 'overridden' as const,
      ...wordColumns(details),
      search_text: searchTextOf(details),
      transparency: transparency ?? null,
      start_local: timing.startWall,
      start_at: timing.startAt,
      duration_ms: timing.durationMs,
      has_public_effect: hasEffect(key, override) ? 1 : 0,
      hides_category: hidesCategory(details, internalCategories) ? 1 : 0,
    })
    yield
  }
  return rows.sort((a, b) => a.local_at - b.local_at)
}

/**
 * Whether the public sees a difference because of an exception. In a private series, a deleted or cancelled occurrence
 * must be one that would exist; an edited one must be moved, or be at a time where the series has none.
 */
function createEffectCheck(series: Series, pattern: Pattern): (key: LocalMs, override?: Override) => boolean {
  if (series.visibility === 'public') return () => true
  const isNominal = createNominalCheck(wholePatternOf(series))
  return (key, override) =>
    override === undefined || override.details.status === 'cancelled'
      ? isNominal(key)
      : isMovedFrom(pattern, override) || !isNominal(key)
}

interface Index {
  occurrences: DerivedOccurrence[]
  indexedFrom: Instant | null
  indexedTo: Instant | null
}

/** Plain occurrences within the span, and every edited one at any time. */
function indexOf(series: Series, pattern: Pattern, span: Range): Index {
  const isUnlisted = createUnlistedCheck(pattern)
  const isHiddenAs = (status: Details['status'], key: LocalMs, isMoved: boolean): 0 | 1 => {
    if (series.visibility !== 'private') return 0
    const isCancelled = [series.details.status, status].includes('cancelled')
    return isCancelled || (!isMoved && isUnlisted(key)) ? 1 : 0
  }
  const { allDay, durationMs } = pattern
  const skipped = new Set([...series.exclusions, ...series.overrides.map(({ key }) => key)])
  const whole = wholeRange(series, pattern)
  const expanded = whole && expand(pattern, whole, undefined, MAX_INDEXED)
  // A series that ends and fits is indexed completely, wherever it lies; any other within the span.
  const fits = expanded?.complete === true
  const range = fits ? whole! : rangeWithin(span, pattern, whole)
  // Exceptions are removed afterwards: where the index ends must not depend on which occurrences were edited.
  const { occurrences, complete } = fits ? expanded : expand(pattern, range, undefined, MAX_INDEXED)
  const reached = occurrences.at(-1)?.startAt ?? range.from
  // A truncated series continues after its last row, for reads beyond the index.
  const isTruncated = fits && findLastListed(pattern) !== undefined
  const endAt = isTruncated ? reached + 1 : complete ? range.to : Math.max(reached - SLACK_MS, range.from)
  const plain = occurrences.filter(({ key, startAt }) => startAt >= range.from && startAt < endAt && !skipped.has(key))
  const rows = plain.map(({ key, startAt, endAt }) => ({
    local_at: key,
    lane: bucketOf(allDay, durationMs),
    start_at: startAt,
    end_at: endAt,
    is_overridden: 0 as const,
    is_hidden: isHiddenAs(series.details.status, key, false),
  }))
  const indexedFrom = fits || pattern.startAt >= range.from ? null : range.from
  const indexedTo = fits && !isTruncated ? null : endAt
  const isOutside = (at: Instant): boolean =>
    (indexedFrom !== null && at < indexedFrom) || (indexedTo !== null && at >= indexedTo)
  const isNominal = createNominalCheck(pattern)
  const isHiddenEdit = (key: LocalMs, timing: Timing, status: Details['status']): 0 | 1 | 2 => {
    const isMoved = isMovedFrom(pattern, { key, timing })
    if (isHiddenAs(status, key, isMoved)) return 1
    const isAsLaidOut = series.visibility === 'private' && !isMoved && isOutside(timing.startAt) && isNominal(key)
    return isAsLaidOut ? 2 : 0
  }
  const edited = series.overrides.map(({ key, timing, details }) => ({
    local_at: key,
    lane: bucketOf(allDay, timing.durationMs),
    start_at: timing.startAt,
    end_at: timing.startAt + timing.durationMs,
    is_overridden: 1 as const,
    is_hidden: isHiddenEdit(key, timing, details.status),
  }))
  return { occurrences: [...rows, ...edited].sort((a, b) => a.local_at - b.local_at), indexedFrom, indexedTo }
}

/** From the first start to the last; undefined when there is no last. */
function wholeRange(series: Series, pattern: Pattern): Range | undefined {
  if (isEndless(pattern)) return undefined
  const walls = [pattern.startWall, pattern.lastWall ?? pattern.startWall, ...series.rdates]
  return { from: pattern.startAt - SLACK_MS, to: startAtOf(pattern, Math.max(...walls)) + SLACK_MS + 1 }
}

function rangeWithin(span: Range, pattern: Pattern, whole: Range | undefined): Range {
  const from = Math.max(span.from, pattern.startAt - SLACK_MS)
  return { from, to: Math.max(from, Math.min(span.to, whole?.to ?? span.to)) }
}
