// Limits of a whole event, for imported files and for changes by JSON.

import { Problems } from '../problems.ts'
import type { Steps } from '../steps.ts'
import type { Details, Series, Timing } from './event.ts'
import { settleRule } from './repeat.ts'
import type { SkipReason } from './skip-reasons.ts'
import { checked } from './timing.ts'
import { countWordsInSteps, haveMoreWordsInSteps } from './words.ts'

export const MAX_EXCEPTIONS = 10_000

/** Overrides; each is an event in itself, and all are read and written whenever one word of the series changes. */
export const MAX_EDITED = 2_000

/** Each is a search row of the event or of an override; more of them would delay other writers. */
const MAX_WORDS = 50_000

/** Why the event of a file cannot be stored; undefined when it can. In steps, because a large event takes time. */
export function* findBreachInSteps(series: Series): Steps<SkipReason | undefined> {
  if (hasTooManyExceptions(series)) return 'too_many_exceptions'
  const breach = breachOfTiming(series.timing) ?? breachOfRule(series)
  if (breach) return breach
  for (const override of series.overrides) {
    const found = breachOfTiming(override.timing)
    if (found) return found
    yield
  }
  return yield* findSizeBreachInSteps(series)
}

/**
 * Why the whole event is too large, for files and for changes by JSON, so that an event created here can be imported
 * elsewhere. An event that was too large before may be changed as long as it does not grow.
 */
export function* findSizeBreachInSteps(
  series: Series,
  before?: Series,
): Steps<'too_many_exceptions' | 'too_many_words' | undefined> {
  if (hasTooManyExceptions(series, before)) return 'too_many_exceptions'
  if (!(yield* haveMoreWordsInSteps(detailsOf(series), MAX_WORDS))) return undefined
  const isGrown =
    !before || (yield* countWordsInSteps(detailsOf(series))) > (yield* countWordsInSteps(detailsOf(before)))
  return isGrown ? 'too_many_words' : undefined
}

const detailsOf = (series: Series): Details[] => [series, ...series.overrides].map(({ details }) => details)

function hasTooManyExceptions(series: Series, before?: Series): boolean {
  const mostExceptions = Math.max(MAX_EXCEPTIONS, before ? countExceptions(before) : 0)
  const mostEdited = Math.max(MAX_EDITED, before?.overrides.length ?? 0)
  return countExceptions(series) > mostExceptions || series.overrides.length > mostEdited
}

const countExceptions = ({ rdates, exclusions, overrides }: Series): number =>
  rdates.length + exclusions.length + overrides.length

function breachOfTiming(timing: Timing): SkipReason | undefined {
  const problems = new Problems()
  if (checked(timing, problems)) return undefined
  return problems.first === 'range_too_large' ? 'too_long' : 'times_unreadable'
}

const RULE_BREACHES = ['rrule_invalid', 'rrule_unsupported', 'rrule_no_occurrences'] as const

function breachOfRule({ rule, timing }: Series): SkipReason | undefined {
  if (!rule) return undefined
  const problems = new Problems()
  settleRule(rule, timing, problems)
  return RULE_BREACHES.find((code) => code === problems.first)
}
