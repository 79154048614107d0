// What an event from a file must keep to: the limits of one sent as JSON, looked at after it was read.
import type { Details, Override, Series, Timing } from './event.ts'
import { LONGEST, Problems } from './fields.ts'
import { settleRule } from './repeat.ts'
import type { SkipReason } from './skip-reasons.ts'
import { checked } from './timing.ts'
import { haveMoreWords } from './words.ts'

export const MAX_EXCEPTIONS = 10_000

/** Of the exceptions; each is an event in itself, and whenever one word of the series changes all are read and written. */
export const MAX_EDITED = 2_000

/** Each is a row to be found by, of the event or of an edited occurrence; more of them would keep other writers waiting. */
const MAX_WORDS = 100_000

/** Why the event cannot be kept; undefined when it can. */
export function findBreach(series: Series): SkipReason | undefined {
  if (hasTooManyExceptions(series)) return 'too_many_exceptions'
  const { overrides } = series
  const breach = breachOfOne(series) ?? breachOfRule(series) ?? firstOf(overrides, breachOfOne)
  if (breach) return breach
  return haveMoreWords(
    [series, ...overrides].map(({ details }) => details),
    MAX_WORDS,
  )
    ? 'too_many_words'
    : undefined
}

export const hasTooManyExceptions = ({ rdates, exclusions, overrides }: Series): boolean =>
  rdates.length + exclusions.length + overrides.length > MAX_EXCEPTIONS || overrides.length > MAX_EDITED

const breachOfOne = ({ timing, details }: Pick<Override, 'timing' | 'details'>): SkipReason | undefined =>
  breachOfTiming(timing) ?? breachOfWords(details)

function breachOfTiming(timing: Timing): SkipReason | undefined {
  const problems = new Problems()
  if (checked(timing, problems)) return undefined
  return problems.first === 'range_too_large' ? 'too_long' : 'times_unreadable'
}

function breachOfWords(details: Details): SkipReason | undefined {
  const isTooLong = (text: string | null, most: number): boolean =>
    text !== null && text.length > most && [...text].length > most
  const field = WORD_FIELDS.find((name) => isTooLong(details[name], LONGEST[name]))
  return field && `${field}_too_long`
}

const WORD_FIELDS = ['title', 'description', 'location', 'category', 'url'] as const

const RULE_BREACHES = ['rrule_invalid', 'rrule_unsupported', 'rrule_no_occurrences'] as const

function breachOfRule({ rule, timing }: Series): SkipReason | undefined {
  if (!rule) return undefined
  const problems = new Problems()
  settleRule(rule, timing, problems)
  return RULE_BREACHES.find((code) => code === problems.first)
}

function firstOf<T>(items: readonly T[], find: (item: T) => SkipReason | undefined): SkipReason | undefined {
  for (const item of items) {
    const found = find(item)
    if (found) return found
  }
  return undefined
}
