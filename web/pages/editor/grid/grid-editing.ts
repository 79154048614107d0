// Handles drags on the calendar grid: moves and resizes events, with undo.
import { ApiError } from '../../../api/client.ts'
import type { Occurrence } from '../../../api/contract.ts'
import { showChanges } from '../../../app/last-calendar-view.ts'
import { call } from '../../../app/session.ts'
import * as words from '../../../strings.ts'
import { explain, hasFields, problemOf } from '../../../ui/explain.ts'
import { toast, toastChange } from '../../../ui/toasts.tsx'
import { readEvent } from '../read-event.ts'
import { restorationOf } from '../restore-event.ts'
import { restoreOverride } from '../restore-override.ts'
import { askMoveScope } from './move-question.tsx'
import type { TimeSpan } from './move-series.ts'

export type { TimeSpan }

/** Moves or resizes; resolves to false if the event must return to where it was. */
export async function moveEvent(item: Occurrence, to: TimeSpan): Promise<boolean> {
  const which = item.recurring && item.occurrence_key ? await askMoveScope(item.title) : 'all'
  if (which === undefined) return false
  try {
    const done = await (which === 'one'
      ? moveOne(item, to)
      : which === 'following'
        ? moveFollowing(item, to)
        : item.recurring
          ? moveSeries(item, to)
          : moveSingle(item, to))
    if (!done) return false
    const { undo, dropped = 0 } = done
    const text = dropped > 0 ? words.editor.droppedDates(words.editor.moved, dropped) : words.editor.moved
    toastChange(text, undo && (() => takeBack(undo)))
    showChanges()
    return true
  } catch (error) {
    const isOvertaken = error instanceof ApiError && (error.code === 'version_mismatch' || error.status === 404)
    toast(isOvertaken ? words.editor.moveConflict : explain(error))
    if (isOvertaken) showChanges()
    return false
  }
}

type Undo = () => Promise<unknown>

interface Done {
  /** Undefined where the version before is not kept. */
  undo: Undo | undefined
  /** Number of exceptions that no longer fit the moved series. */
  dropped?: number
}

async function takeBack(undo: Undo): Promise<void> {
  await undo().then(
    () => toast(words.editor.movedBack),
    (error) => toast(explain(error)),
  )
  showChanges()
}

/** A writer may also read, so the response is always the full record. */
const etagOf = (data: object): string => (data as Occurrence).etag

async function moveSingle(item: Occurrence, to: TimeSpan): Promise<Done> {
  const path = { event_id: item.id }
  const body = { start: to.start, end: to.end, all_day: to.isAllDay }
  const { data } = await call('patchEvent', { path, body, ifMatch: item.etag })
  const before = { ...placeOf(item), all_day: item.all_day }
  return { undo: () => call('patchEvent', { path, body: before, ifMatch: etagOf(data) }) }
}

/** Undo deletes the override, or restores the previous one if the date was changed before. */
async function moveOne(item: Occurrence, to: TimeSpan): Promise<Done | undefined> {
  if (to.isAllDay !== item.all_day) {
    toast(words.editor.moveShape)
    return undefined
  }
  const path = { event_id: item.id, occurrence_key: item.occurrence_key! }
  const { data: series } = await call('getEvent', { path: { event_id: item.id } })
  const exceptions = 'exceptions' in series ? series.exceptions : []
  const wasChanged = exceptions.some(({ occurrence_key }) => occurrence_key === item.occurrence_key)
  const { data } = await call('patchOccurrence', { path, body: { start: to.start, end: to.end }, ifMatch: item.etag })
  const undo = wasChanged
    ? () => call('patchOccurrence', { path, body: placeOf(item), ifMatch: etagOf(data) })
    : () => call('deleteException', { path, ifMatch: etagOf(data) })
  return { undo }
}

async function moveFollowing(item: Occurrence, to: TimeSpan): Promise<Done | undefined> {
  if (to.isAllDay !== item.all_day) {
    toast(words.editor.moveShape)
    return undefined
  }
  const path = { event_id: item.id, occurrence_key: item.occurrence_key! }
  const send = (rule: { rrule?: string }) =>
    call('patchOccurrence', {
      path,
      query: { scope: 'following' },
      body: { start: to.start, end: to.end, ...rule },
      ifMatch: item.etag,
    })
  const answer = await send({}).catch(async (error) => {
    if (!isRuleRequired(error)) throw error
    const { planLaterRule } = await import('./move-series.ts')
    const rrule = await planLaterRule(await readEvent(item.id), item, to)
    return rrule === undefined ? undefined : send({ rrule })
  })
  if (!answer) {
    toast(words.editor.moveCustom)
    return undefined
  }
  const { data, meta } = answer
  return { undo: restorationOf(item, etagOf(data)), dropped: meta?.dropped_exceptions?.length ?? 0 }
}

/** The rule of the series does not give the moved dates, such as the day after each second Tuesday. */
const isRuleRequired = (error: unknown): boolean =>
  error instanceof ApiError && hasFields(error) && problemOf(error, 'rrule') !== undefined

/** The code that moves a rule is loaded on first use. */
async function moveSeries(item: Occurrence, to: TimeSpan): Promise<Done | undefined> {
  const { planMove } = await import('./move-series.ts')
  const { data: series } = await call('getEvent', { path: { event_id: item.id } })
  const plan = 'exceptions' in series ? await planMove(series, item, to) : undefined
  if (!plan || !('exceptions' in series)) {
    toast(words.editor.moveCustom)
    return undefined
  }
  const path = { event_id: item.id }
  const { data, meta } = await call('patchEvent', { path, body: plan.there, ifMatch: item.etag })
  const lost = meta?.dropped_exceptions ?? []
  const undo = async () => {
    const exdates = lost.length > 0 ? { exdates: series.exdates } : {}
    const back = await call('patchEvent', { path, body: { ...plan.back, ...exdates }, ifMatch: etagOf(data) })
    let etag = etagOf(back.data)
    // Switching between timed and all-day drops the times of overrides, so they are restored; a long list is cut.
    const isAnyLost = to.isAllDay !== item.all_day || meta?.dropped_truncated === true
    for (const exception of series.exceptions)
      if (exception.type === 'overridden' && (isAnyLost || lost.includes(exception.occurrence_key)))
        etag = await restoreOverride(series.id, exception, etag)
  }
  return { undo, dropped: lost.length }
}

const placeOf = ({ start, end, start_date, end_date }: Occurrence) => ({
  start: start_date ?? start,
  end: end_date ?? end,
})
