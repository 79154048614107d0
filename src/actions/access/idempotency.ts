// Idempotency keys: claims the key of a POST, waits for its first request, replays its answer.
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import {
  type AccountViewer,
  type Actor,
  requireAccess,
  type Sight,
  sightOf,
  type Viewer,
} from '../../domain/privacy/viewer.ts'
import { MINUTE_MS } from '../../domain/time/instant.ts'
import { fail } from '../../errors.ts'
import { decryptText, encryptText, sign } from '../../secrets.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import {
  claimIdempotencyKey,
  findIdempotencyKey,
  releaseIdempotencyKey,
  settleIdempotencyKey,
  storeIdempotentAnswer,
} from '../../storage/operations/idempotency.ts'
import type { Db } from '../../storage/tables.ts'
import type { IdempotencyRow } from '../../storage/work-tables.ts'
import { requireActor } from './actor-guard.ts'

/** A request with an idempotency key. Two are the same request if a hash at the same place is the same. */
export interface IdempotentRequest {
  userId: string
  /** Of account, operation and key. */
  keyHash: string
  bodyHashes: readonly string[]
  /** Encrypts the answer: without the client's key, which is not stored, no one can read it. */
  encryptionKey: string
}

/** `sight` is that of the author: an answer with full events is not repeated to a viewer who may not read. */
export interface StoredAnswer {
  status: number
  headers: Record<string, string>
  body: string
  sight: Sight
}

/** `forms` are the body in one or more forms: as sent, and with the defaults that hold now. */
export function identifyRequest(
  ctx: Context,
  userId: string,
  { operation, key, forms }: { operation: string; key: string; forms: readonly unknown[] },
): IdempotentRequest {
  const scope = `idempotency ${userId} ${operation} ${key}`
  return {
    userId,
    keyHash: sign(ctx.secret, scope),
    bodyHashes: forms.map((form) => sign(ctx.secret, `${scope} ${canonicalJson(form)}`)),
    encryptionKey: `${ctx.secret} ${key}`,
  }
}

const isSameRequest = (row: IdempotencyRow, { bodyHashes }: IdempotentRequest): boolean =>
  row.body_hash.split(' ').some((hash, index) => hash === bodyHashes[index])

/** A longer answer is not kept. */
const MAX_ANSWER_CHARACTERS = 1_048_576

const contextOf = ({ userId, keyHash }: IdempotentRequest): string => `idempotency ${userId} ${keyHash}`

function encryptAnswer(request: IdempotentRequest, answer: StoredAnswer | undefined): string | null {
  const text = answer && JSON.stringify(answer)
  if (text === undefined || text.length > MAX_ANSWER_CHARACTERS) return null
  return encryptText(request.encryptionKey, contextOf(request), text)
}

/** Undefined where the answer was not kept. */
function readAnswer(viewer: Viewer, request: IdempotentRequest, row: IdempotencyRow): StoredAnswer | undefined {
  const text = row.answer === null ? undefined : decryptText(request.encryptionKey, contextOf(request), row.answer)
  const answer = text === undefined ? undefined : (JSON.parse(text) as StoredAnswer)
  if (answer?.sight === 'full' && sightOf(viewer) !== 'full') requireAccess(viewer, 'read_full')
  return answer
}

export interface EarlierRequest {
  eventId: string | null
  answer: StoredAnswer | undefined
}

/**
 * Claims the key in the transaction of the effect: a repeated request waits for it, and neither a crash nor a failure
 * leaves one without the other. Returns the earlier request with this key.
 */
export async function claimInTransaction(
  ctx: Context,
  db: Db,
  viewer: Viewer,
  request: IdempotentRequest,
  eventId: string | null,
): Promise<EarlierRequest | undefined> {
  const row = await claimIdempotencyKey(db, {
    ...rowOf(ctx, request),
    event_id: eventId,
    holder: null,
    held_until: null,
  })
  if (!row) return undefined
  if (!isSameRequest(row, request)) fail('idempotency_key_reuse')
  return { eventId: row.event_id, answer: readAnswer(viewer, request, row) }
}

export const storeInTransaction = (db: Db, request: IdempotentRequest, answer: StoredAnswer): Promise<void> =>
  storeIdempotentAnswer(
    db,
    { user_id: request.userId, key: request.keyHash, holder: null },
    encryptAnswer(request, answer),
  )

const rowOf = (ctx: Context, { userId, keyHash, bodyHashes }: IdempotentRequest) => ({
  user_id: userId,
  key: keyHash,
  body_hash: bodyHashes.join(' '),
  created_at: ctx.clock(),
})

/** A request that ends without an answer, as in a crash, holds its key for this long. */
const HELD_MS = 5 * MINUTE_MS
/** How long a repeated request waits for the first one. */
const WAIT_MS = 10_000
const LOOK_EVERY_MS = 50

/** Claims the key for a request that begins now; returns the answer of the earlier request with this key. */
export async function beginRequest(
  ctx: Context,
  viewer: AccountViewer,
  request: IdempotentRequest,
  requestId: string,
): Promise<StoredAnswer | undefined> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const row = await inTransaction(ctx.storage, async (db) => {
      await requireActor(ctx, db, viewer)
      const claim = { ...rowOf(ctx, request), event_id: null, holder: requestId, held_until: ctx.clock() + HELD_MS }
      return claimIdempotencyKey(db, claim)
    })
    if (!row) return undefined
    if (!isSameRequest(row, request)) fail('idempotency_key_reuse')
    if (row.holder === null) return readAnswer(viewer, request, row) ?? fail('idempotency_done')
    const running = await awaitHolder(ctx, request, row.holder, until)
    if (running) fail(running.held_until === null ? 'idempotency_done' : 'idempotency_in_progress')
  }
}

/** Waits until the holder has ended, or may have: undefined then, otherwise the row after the wait. */
async function awaitHolder(
  ctx: Context,
  { userId, keyHash }: IdempotentRequest,
  holder: string,
  until: number,
): Promise<IdempotencyRow | undefined> {
  for (;;) {
    const row = await findIdempotencyKey(ctx.storage.reads, userId, keyHash)
    if (row?.holder !== holder || (row.held_until !== null && row.held_until < ctx.clock())) return undefined
    // One that took effect so long ago has ended.
    const isOver = row.held_until === null && row.created_at + HELD_MS < ctx.clock()
    if (isOver || performance.now() >= until) return row
    await delay(LOOK_EVERY_MS)
  }
}

/**
 * In each transaction that stores an effect of a request: from then on its key is used, also if the service stops
 * before the answer is stored. `holder` is the request, where it has a key.
 */
export async function settleRequest(db: Db, author: Actor, holder: string | undefined): Promise<void> {
  if (holder !== undefined && author.kind === 'account') await settleIdempotencyKey(db, author.account.id, holder)
}

/** Stores the answer of a request that succeeded; a failed one, whose answer is undefined, leaves its key free. */
export function endRequest(
  ctx: Context,
  request: IdempotentRequest,
  requestId: string,
  answer: StoredAnswer | 'withheld' | undefined,
): Promise<void> {
  const { userId, keyHash } = request
  if (!answer) return inTransaction(ctx.storage, (db) => releaseIdempotencyKey(db, userId, keyHash, requestId))
  const text = answer === 'withheld' ? null : encryptAnswer(request, answer)
  const held = { user_id: userId, key: keyHash, holder: requestId }
  return inTransaction(ctx.storage, (db) => storeIdempotentAnswer(db, held, text))
}
