// Bulk changes of events: each operation by itself, or all in one transaction or none.

import type { Context } from '../../context.ts'
import type { DroppedException } from '../../domain/calendar/dropped.ts'
import type { EventFields, FieldsPatch } from '../../domain/calendar/fields.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { type Actor, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, describeKind, fail } from '../../errors.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { inLongTransaction, joinTransaction } from '../../storage/engine/transaction.ts'
import { lockEvents } from '../../storage/events/objects.ts'
import { settleIdempotencyKey } from '../../storage/operations/idempotency.ts'
import { requireActor } from '../access/actor-guard.ts'
import { withWritePermit } from '../costly-work/costly-writes.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import type { SentBackCheck } from '../events/change-event.ts'
import { type Created, type CreateOptions, createEvent, deleteEvent, patchEvent } from '../events/events.ts'

export type EventOperation =
  | { op: 'create'; uid: string | undefined; fields: EventFields; idempotency?: CreateOptions['idempotency'] }
  | {
      op: 'update'
      id: string
      patch: FieldsPatch
      checkSentBack: SentBackCheck<ShownEvent> | undefined
      expected: Precondition
    }
  | { op: 'delete'; id: string; expected: Precondition }
  /** The request is invalid in itself. */
  | { op: 'invalid'; error: AppError }

export type OperationResult =
  | (Created & { op: 'create' })
  | { op: 'update'; id: string; event: ShownEvent | undefined; dropped: readonly DroppedException[] }
  | { op: 'delete'; id: string }
  | { op: 'failed'; error: AppError }

/** The results of one try, in the order of the operations: whole events are not held until the end. */
export interface ResultList {
  add(result: OperationResult): void
}

export interface BulkOptions<Results extends ResultList> {
  startResults: () => Results
  caller: Caller
  requestId: string
  /** Ends the work before the next operation. */
  signal: AbortSignal
  changes: {
    /** Counts a change of a stored event; refuses where the credential has made too many. */
    admit: () => Promise<void>
    /** The change was not made. */
    refund: () => void
  }
}

export const changesEvent = ({ op }: EventOperation): boolean => op === 'update' || op === 'delete'

/** Each in a transaction of its own, in their order; other requests run in between. */
export async function runEach<Results extends ResultList>(
  ctx: Context,
  viewer: Viewer,
  operations: readonly EventOperation[],
  { caller, signal, changes, startResults }: BulkOptions<Results>,
): Promise<Results> {
  requireAccess(viewer, 'write')
  const timer = createSliceTimer()
  const results = startResults()
  for (const operation of operations) {
    signal.throwIfAborted()
    let isCounted = false
    try {
      if (changesEvent(operation)) await changes.admit()
      isCounted = changesEvent(operation)
      results.add(await runOperation(ctx, viewer, operation, caller))
    } catch (error) {
      if (isCounted) changes.refund()
      results.add(failedResult(ctx, error))
    }
    await timer.pause()
  }
  return results
}

/** One that fails in an unforeseen way does not hide what became of the others. */
function failedResult(ctx: Context, error: unknown): OperationResult {
  if (error instanceof AppError) return { op: 'failed', error }
  ctx.log.error('an operation of a bulk request failed', describeKind(error))
  return { op: 'failed', error: new AppError('internal_error', { cause: error }) }
}

/** All other writers wait for the transaction. */
const MAX_ATOMIC_MS = 5_000

/**
 * All in one transaction, or none: the first that fails ends the request, with its index. Takes the permit of costly
 * writes first: within the transaction, waiting for it could be a deadlock.
 */
export async function runAtomic<Results extends ResultList>(
  ctx: Context,
  viewer: Viewer,
  operations: readonly EventOperation[],
  options: BulkOptions<Results>,
): Promise<Results> {
  requireAccess(viewer, 'write')
  for (const [index, operation] of operations.entries())
    if (operation.op === 'invalid') throw withIndex(operation.error, index)
  let counted = 0
  try {
    for (const operation of operations) {
      if (!changesEvent(operation)) continue
      await options.changes.admit()
      counted += 1
    }
    return await runInOneTransaction(ctx, viewer, operations, options)
  } catch (error) {
    for (; counted > 0; counted--) options.changes.refund()
    throw error
  }
}

const runInOneTransaction = <Results extends ResultList>(
  ctx: Context,
  viewer: Actor,
  operations: readonly EventOperation[],
  { caller, requestId, signal, startResults }: BulkOptions<Results>,
): Promise<Results> =>
  withWritePermit(ctx, caller, () =>
    inLongTransaction(ctx.storage, async (db) => {
      const begun = performance.now()
      const timer = createSliceTimer()
      const by = await requireActor(ctx, db, viewer, 'write')
      // Every writer locks events before the counter of revisions, which the first operation locks.
      await lockEvents(db, idsOf(operations))
      const inside = { ...ctx, storage: joinTransaction(ctx.storage, db) }
      const results = startResults()
      for (const [index, operation] of operations.entries()) {
        signal.throwIfAborted()
        try {
          results.add(await runOperation(inside, viewer, operation, caller))
        } catch (error) {
          throw error instanceof AppError ? withIndex(error, index) : error
        }
        await timer.pause()
        if (performance.now() - begun > MAX_ATOMIC_MS) fail('bulk_too_long')
      }
      if (by !== null) await settleIdempotencyKey(db, by, requestId)
      return results
    }),
  )

const idsOf = (operations: readonly EventOperation[]): string[] => [
  ...new Set(operations.flatMap((operation) => ('id' in operation ? [operation.id] : []))),
]

const withIndex = (error: AppError, index: number): AppError =>
  new AppError(error.code, {
    details: { ...error.details, index },
    ...(error.headers ? { headers: error.headers } : {}),
    cause: error.cause,
  })

async function runOperation(
  ctx: Context,
  viewer: Viewer,
  operation: EventOperation,
  caller: Caller,
): Promise<OperationResult> {
  switch (operation.op) {
    case 'create': {
      const { uid, fields, idempotency } = operation
      return { op: 'create', ...(await createEvent(ctx, viewer, fields, { uid, idempotency, caller })) }
    }
    case 'update': {
      const { id, patch, checkSentBack, expected } = operation
      const { shown, dropped } = await patchEvent(ctx, viewer, id, patch, checkSentBack, expected, caller)
      return { op: 'update', id, event: shown, dropped }
    }
    case 'delete':
      await deleteEvent(ctx, viewer, operation.id, operation.expected, caller)
      return { op: 'delete', id: operation.id }
    case 'invalid':
      throw operation.error
  }
}
