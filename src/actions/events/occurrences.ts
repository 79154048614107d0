// Reads, edits, deletes and restores single occurrences of a series (exceptions).

import type { Context } from '../../context.ts'
import { isRecurring, type Series } from '../../domain/calendar/event.ts'
import type { OccurrenceFieldsPatch } from '../../domain/calendar/fields.ts'
import { excludeOccurrence, overrideOccurrence, restoreOccurrence } from '../../domain/calendar/occurrence-update.ts'
import { checkPatch } from '../../domain/calendar/update.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { requireAccess, type Sight, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { findKey, parseOccurrenceKey } from '../../domain/recurrence/occurrence-key.ts'
import { patternOf, startAtOf } from '../../domain/recurrence/occurrences.ts'
import { inOneStep } from '../../domain/steps.ts'
import { type LocalMs, wallOfDay } from '../../domain/time/instant.ts'
import type { TimeText } from '../../domain/time/text.ts'
import { AppError, fail } from '../../errors.ts'
import { inSnapshot } from '../../storage/engine/transaction.ts'
import type { Db } from '../../storage/tables.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import { changeSeries, type SentBackCheck, type SeriesChange } from './change-event.ts'
import { checkableOf } from './events.ts'
import { type ShownOccurrence, viewOccurrences } from './masked-reads.ts'
import { placedAt, readSeries, requireSeriesRow, SLACK_MS } from './series-occurrences.ts'

/** Parses the key of a path; a malformed one is refused before any lookup. */
export const readKey = (text: string): TimeText => parseOccurrenceKey(text) ?? fail('invalid_occurrence_key')

export async function getOccurrence(
  ctx: Context,
  viewer: Viewer,
  id: string,
  keyText: string,
): Promise<ShownOccurrence> {
  const key = readKey(keyText)
  return inSnapshot(ctx.storage, (db) => showOne(ctx, db, sightOf(viewer), id, key))
}

async function showOne(ctx: Context, db: Db, sight: Sight, id: string, key: TimeText): Promise<ShownOccurrence> {
  const row = await requireSeriesRow(db, sight, id)
  const at = key.kind === 'date' ? wallOfDay(key.day) : key.kind === 'local' ? key.wall : key.instant
  // A private series without a rule repeats by its remaining extra dates, so exceptions at any date matter.
  const walls = row.rrule === null ? EVERYWHERE : { from: at - SLACK_MS, to: at + SLACK_MS }
  const { pattern, exceptions } = (await readSeries(db, sight, row, { walls }, Number.POSITIVE_INFINITY))!
  if (!isRecurring(pattern)) fail('event_not_recurring')
  const keys = exceptions.map(({ local_at }) => local_at)
  const wall = findKey(pattern, key, keys) ?? fail('occurrence_not_found')
  const exception = exceptions.find(({ local_at }) => local_at === wall)
  if (exception?.kind === 'excluded') fail('occurrence_not_found')
  const startAt = startAtOf(pattern, wall)
  const place = placedAt(row, wall, startAt, startAt + row.duration_ms, exception !== undefined)
  const [shown] = await viewOccurrences(ctx, db, sight, [place])
  return shown ?? fail('occurrence_not_found')
}

/** Which occurrence of which version of a series a request changes. */
export interface OccurrenceTarget {
  id: string
  /** As it is in the path. */
  keyText: string
  expected: Precondition
  caller?: Caller
}

export async function deleteOccurrence(
  ctx: Context,
  viewer: Viewer,
  { keyText, ...target }: OccurrenceTarget,
): Promise<void> {
  const key = readKey(keyText)
  const change = (series: Series) => excludeOccurrence(series, requireOccurrence(series, key))
  await changeExceptions(ctx, viewer, { ...target, change, show: showNothing })
}

/** Removes the exception: a deleted occurrence is restored, an edited one gets the values of the series again. */
export async function deleteException(
  ctx: Context,
  viewer: Viewer,
  { keyText, ...target }: OccurrenceTarget,
): Promise<void> {
  const key = readKey(keyText)
  const change = (series: Series) => restoreOccurrence(series, requireException(series, key))
  await changeExceptions(ctx, viewer, { ...target, change, show: showNothing })
}

const showNothing = async (): Promise<void> => {}

export async function patchOccurrence(
  ctx: Context,
  viewer: Viewer,
  { keyText, ...target }: OccurrenceTarget,
  patch: OccurrenceFieldsPatch,
  checkSentBack?: SentBackCheck<ShownOccurrence>,
): Promise<ShownOccurrence | undefined> {
  const key = readKey(keyText)
  checkPatch(checkableOf(viewer, patch))
  const change = (series: Series) => overrideOccurrence(series, requireOccurrence(series, key), patch)
  const show = (db: Db) => showEdited(ctx, db, viewer, target.id, key)
  const verify = checkSentBack && (async (db: Db) => checkSentBack(await show(db)))
  return changeExceptions(ctx, viewer, { ...target, verify, change, show })
}

/** At the author's sight; undefined where that is the public's and the public cannot see the occurrence. */
export async function showEdited(
  ctx: Context,
  db: Db,
  viewer: Viewer,
  id: string,
  key: TimeText,
): Promise<ShownOccurrence | undefined> {
  const sight = sightOf(viewer)
  try {
    return await showOne(ctx, db, sight, id, key)
  } catch (error) {
    if (sight === 'public' && error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}

const EVERYWHERE = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

type ExceptionChange<Shown> = Omit<SeriesChange<Shown>, 'change'> & { change: (series: Series) => Series }

async function changeExceptions<Shown>(
  ctx: Context,
  viewer: Viewer,
  { change, ...rest }: ExceptionChange<Shown>,
): Promise<Shown> {
  requireAccess(viewer, 'write')
  const changeInStep = (series: Series) => inOneStep(() => ({ series: change(series), dropped: [] }))
  const whole = { ...rest, change: changeInStep }
  return (await changeSeries(ctx, viewer, whole)).shown
}

function requireException(series: Series, key: TimeText): LocalMs {
  const keys = exceptionKeys(series)
  const wall = findKey(patternOf(series), key, keys)
  return wall !== undefined && keys.includes(wall) ? wall : fail('exception_not_found')
}

export function requireOccurrence(series: Series, key: TimeText): LocalMs {
  if (!isRecurring(series)) fail('event_not_recurring')
  const wall = findKey(patternOf(series), key, exceptionKeys(series))
  if (wall === undefined || series.exclusions.includes(wall)) fail('occurrence_not_found')
  return wall
}

const exceptionKeys = ({ exclusions, overrides }: Series): LocalMs[] => [
  ...exclusions,
  ...overrides.map((override) => override.key),
]
