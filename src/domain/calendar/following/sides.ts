// Lists the occurrences of a series before a key and from it on, with the values that each has now.
import { expandNominalWalls, isEndless, type Pattern, startAtOf, wholePatternOf } from '../../recurrence/occurrences.ts'
import type { Instant, LocalMs } from '../../time/instant.ts'
import type { Details, Override, Series, Transparency } from '../event.ts'

/** What an occurrence has, wherever it is stored. */
export interface OccurrenceValues {
  details: Details
  transparency: Transparency
  startAt: Instant
  durationMs: number
}

export interface SeriesOccurrence extends OccurrenceValues {
  key: LocalMs
  /** The start that the series gives it. */
  nominalAt: Instant
  override: Override | undefined
}

export interface SeriesSides {
  pattern: Pattern
  /** Undefined where there are more than the limit, or the rule takes too much work. */
  earlier: SeriesOccurrence[] | undefined
  later: SeriesOccurrence[] | undefined
}

/** The occurrences that are not excluded. An override at a date that the series does not have is one as well. */
export function listSides(series: Series, key: LocalMs, limit: number): SeriesSides {
  const pattern = wholePatternOf(series)
  const overrides = new Map(series.overrides.map((override) => [override.key, override]))
  const excluded = new Set(series.exclusions)
  const most = limit + excluded.size + 1
  const list = (from: LocalMs, to: LocalMs): SeriesOccurrence[] | undefined => {
    const { walls: nominal, complete } = expandNominalWalls(pattern, from, to, most)
    if (!complete) return undefined
    const edited = series.overrides.map((override) => override.key).filter((wall) => wall >= from && wall < to)
    const walls = [...new Set([...nominal, ...edited])].filter((wall) => !excluded.has(wall)).sort((a, b) => a - b)
    if (walls.length > limit) return undefined
    return walls.map((wall) => occurrenceAt(series, pattern, wall, overrides.get(wall)))
  }
  return {
    pattern,
    earlier: list(Number.MIN_SAFE_INTEGER, key),
    later: isEndless(pattern) ? undefined : list(key, Number.MAX_SAFE_INTEGER),
  }
}

export function occurrenceAt(
  series: Series,
  pattern: Pattern,
  key: LocalMs,
  override: Override | undefined,
): SeriesOccurrence {
  const nominalAt = startAtOf(pattern, key)
  return {
    key,
    nominalAt,
    override,
    details: override?.details ?? series.details,
    transparency: override?.transparency ?? series.transparency,
    startAt: override?.timing.startAt ?? nominalAt,
    durationMs: override?.timing.durationMs ?? series.timing.durationMs,
  }
}

/** An override names its transparency only where it differs from that of the series. */
export function withTransparency(override: Override, transparency: Transparency, usual: Transparency): Override {
  const { transparency: _, ...rest } = override
  return transparency === usual ? rest : { ...rest, transparency }
}
