// Compares a series before and after a request: one that changes nothing is not stored.
import { formatRule } from '../recurrence/rule.ts'
import type { LocalMs } from '../time/instant.ts'
import { DETAIL_FIELDS, type Details, type Override, type SeriesBase, type Timing } from './event.ts'
import { besidesStart, withUntil } from './repeat.ts'

/**
 * Whether the two differ in nothing but their exceptions. UNTIL is compared in the form that this service writes, and
 * lists of dates as sets.
 */
export const isSameApartFromExceptions = (before: SeriesBase, after: SeriesBase): boolean =>
  before.visibility === after.visibility &&
  before.transparency === after.transparency &&
  isSameDetails(before.details, after.details) &&
  isSameTiming(before.timing, after.timing) &&
  ruleText(before) === ruleText(after) &&
  isSameList(besidesStart(before.rdates, before.timing), after.rdates)

/** Whether an edited occurrence has the same texts and times as before. Its own zone cannot be changed. */
export const isSameOccurrence = (
  before: Pick<Override, 'details' | 'timing'>,
  after: Pick<Override, 'details' | 'timing'>,
): boolean =>
  isSameDetails(before.details, after.details) &&
  before.timing.startAt === after.timing.startAt &&
  before.timing.durationMs === after.timing.durationMs

export const isSameList = (before: readonly LocalMs[], after: readonly LocalMs[]): boolean =>
  before.length === after.length && before.every((wall, index) => wall === after[index])

export const isSameDetails = (before: Details, after: Details): boolean =>
  DETAIL_FIELDS.every((field) => before[field] === after[field])

const isSameTiming = (before: Timing, after: Timing): boolean =>
  before.allDay === after.allDay &&
  before.zone === after.zone &&
  before.startWall === after.startWall &&
  before.startAt === after.startAt &&
  before.durationMs === after.durationMs &&
  before.floating === after.floating

const ruleText = ({ rule, timing }: SeriesBase): string | undefined => rule && formatRule(withUntil(rule, timing))
