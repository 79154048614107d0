// Outbox worker: claims due mails, sends them, and retries with backoff.
import type { Context } from '../context.ts'
import { DAY_MS, type Instant, isAhead, MINUTE_MS } from '../domain/time/instant.ts'
import { describeKind } from '../errors.ts'
import { hashSecret } from '../secrets.ts'
import { deleteToken } from '../storage/accounts/tokens.ts'
import { inTransaction } from '../storage/engine/transaction.ts'
import {
  claimMail,
  hasDueMail,
  hasMailWithProblem,
  LONGEST_CLAIM_MS,
  LONGEST_WAIT_MS,
  postponeMail,
  releaseMail,
  retryMailWithProblem,
  settleMail,
} from '../storage/operations/outbox.ts'
import type { OutboxRow } from '../storage/tables.ts'
import { decideMail, type MailDecision } from './decide.ts'
import { writeMessage } from './messages.ts'
import type { Failure, SendOutcome, Transport } from './send-outcome.ts'
import { createTransport, mailSiteOf } from './transport.ts'

export interface MailWorker {
  /** Sends everything that is due now. Returns how many were sent. */
  deliver(): Promise<number>
  /** Aborts what can be aborted, waits briefly for the rest, and releases all claims. */
  stop(): Promise<void>
}

const AT_ONCE = 4
const PER_HOUR = 200
const PROBE_MS = MINUTE_MS
const GIVE_UP_MS = DAY_MS
/** As many as fit into a day. */
const MAX_ATTEMPTS = 30
/** How often a mail may have arrived without confirmation before no further copy is sent. */
const MAX_COPIES = 3

interface Round {
  ctx: Context
  /** The one for the mail server in force. */
  transport: () => Transport
  stop: AbortSignal
  state: { isDown: boolean; isTroubled: boolean; probeAt: Instant }
}

/** `given` is for tests; otherwise the transport follows the settings. */
export function createMailWorker(ctx: Context, given?: Transport): MailWorker {
  const stopping = new AbortController()
  const state = { isDown: false, isTroubled: false, probeAt: 0 }
  const transport = given
    ? () => given
    : createLiveTransport(ctx, () => {
        // Mails that wait for the old server are tried with the new one at once.
        state.probeAt = 0
      })
  const round: Round = { ctx, transport, stop: stopping.signal, state }
  let running: Promise<number> = Promise.resolve(0)
  return {
    deliver() {
      running = running
        .then(() => drainOutbox(round))
        .catch((error) => {
          logTrouble(round, error)
          return 0
        })
      return running
    },
    async stop() {
      stopping.abort()
      await running
      await inTransaction(ctx.storage, (db) => releaseMail(db, ctx.nodeId)).catch(() => {})
    },
  }
}

function createLiveTransport(ctx: Context, onChange: () => void): () => Transport {
  let known = { config: ctx.config, transport: createTransport(ctx.config) }
  return () => {
    if (known.config !== ctx.config) {
      known = { config: ctx.config, transport: createTransport(ctx.config) }
      onChange()
    }
    return known.transport
  }
}

async function drainOutbox(round: Round): Promise<number> {
  const { ctx, state } = round
  if (round.stop.aborted) return 0
  round.transport()
  try {
    if (!(await probe(round)) || !(await hasDueMail(ctx.storage.reads, ctx.clock()))) return 0
    state.isTroubled = false
  } catch (error) {
    logTrouble(round, error)
    return 0
  }
  const counts = await Promise.all(Array.from({ length: AT_ONCE }, () => workerLoop(round)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Works one mail at a time until none is due, or the server is unreachable, which more attempts would not change. */
async function workerLoop(round: Round): Promise<number> {
  let sent = 0
  for (;;) {
    const row = await claimNext(round).catch((error) => logTrouble(round, error))
    const result = row && (await handle(round, row))
    if (result === 'sent') sent += 1
    if (!result || result === 'unreachable') return sent
  }
}

async function claimNext({ ctx, stop }: Round): Promise<OutboxRow | undefined> {
  if (stop.aborted) return undefined
  const now = ctx.clock()
  const claim = {
    holder: ctx.nodeId,
    until: now + LONGEST_CLAIM_MS,
    perHour: ctx.config.rateLimits ? PER_HOUR : undefined,
  }
  return inTransaction(ctx.storage, (db) => claimMail(db, claim, now))
}

type DeliveryResult = SendOutcome['result'] | 'dropped' | 'troubled'

async function handle(round: Round, row: OutboxRow): Promise<DeliveryResult> {
  const { ctx } = round
  try {
    const now = ctx.clock()
    const decision = await inTransaction(ctx.storage, (db) => decideMail(db, row, ctx.config, now))
    if (!decision) {
      await settle(ctx, row, { status: 'dropped' })
      return 'dropped'
    }
    const message = writeMessage(mailSiteOf(ctx.config), decision.news, decision.language)
    const letter = { id: row.id, to: decision.to, senderName: ctx.config.siteName, message, writtenAt: now }
    const outcome = await round.transport().send(letter, round.stop)
    if (outcome.result === 'sent') return await recordSent(round, row, decision, outcome.file)
    await noteFailure(round, row, decision, outcome)
    return outcome.result
  } catch (error) {
    logTrouble(round, error, row)
    // Retried like any other; if even that cannot be stored, the claim expires by itself.
    const problem = copiesOf(row) > 0 ? row.problem! : 'internal'
    await postpone(ctx, row, problem).catch(() => {})
    return 'troubled'
  }
}

/** A mail that was sent but not recorded counts as a copy that may have arrived, so that copies stay few. */
async function recordSent(
  round: Round,
  row: OutboxRow,
  decision: MailDecision,
  file: string | undefined,
): Promise<DeliveryResult> {
  try {
    await noteSent(round, row, file)
    return 'sent'
  } catch (error) {
    logTrouble(round, error)
    const cause = 'the database did not record it'
    await noteFailure(round, row, decision, { result: 'deferred', problem: 'unrecorded', cause, mayHaveArrived: true })
    return 'troubled'
  }
}

async function noteSent(round: Round, row: OutboxRow, file: string | undefined): Promise<void> {
  const { ctx } = round
  await settle(ctx, row, { status: 'sent' })
  if (file === undefined) ctx.log.info('mail was sent', { kind: row.kind })
  // Logged at the default level, so that a person who tries the calendar out finds the file.
  else ctx.log.warn('mail was written to a file', { kind: row.kind, file })
  if (round.state.isDown) await resumeWaiting(round)
}

async function noteFailure(round: Round, row: OutboxRow, { news }: MailDecision, failure: Failure): Promise<void> {
  const { ctx, state } = round
  const { result, cause, mayHaveArrived = false } = failure
  if ('key' in news && news.key && !mayHaveArrived) {
    const hash = hashSecret(news.key.token)
    await inTransaction(ctx.storage, (db) => deleteToken(db, hash))
  }
  // Its claim is released with all others.
  if (result === 'stopped') return
  const copies = copiesOf(row) + (mayHaveArrived ? 1 : 0)
  if (copies >= MAX_COPIES) {
    ctx.log.warn('mail was handed over, but never confirmed', { kind: row.kind, cause })
    await settle(ctx, row, { status: 'sent', problem: 'unconfirmed' })
    return
  }
  if (result === 'refused') {
    ctx.log.warn('mail was refused', { kind: row.kind, cause })
    await settle(ctx, row, { status: 'failed', problem: failure.problem })
    return
  }
  if (result === 'unreachable' && !state.isDown) {
    state.isDown = true
    state.probeAt = ctx.clock() + PROBE_MS
    ctx.log.warn('mail cannot be sent; it waits', { cause })
  }
  const isGivenUp = !(await postpone(ctx, row, copies > 0 ? `interrupted_${copies}` : failure.problem))
  if (isGivenUp) ctx.log.warn('gave up sending a mail after a day', { kind: row.kind, cause })
}

/** Stored in `problem`, so that it survives later failures. */
const copiesOf = ({ problem }: OutboxRow): number => Number(/^interrupted_(\d)$/.exec(problem ?? '')?.[1] ?? 0)

const settle = (
  ctx: Context,
  row: OutboxRow,
  end: { status: 'sent' | 'failed' | 'dropped'; problem?: string },
): Promise<boolean> =>
  inTransaction(ctx.storage, (db) => settleMail(db, row.id, ctx.nodeId, { ...end, at: ctx.clock() }))

/**
 * Exponential backoff: one minute, two, four and so on up to an hour; false when the mail is a day old. One that was
 * asked for while the clock was ahead ends by its attempts.
 */
async function postpone(ctx: Context, row: OutboxRow, problem: string): Promise<boolean> {
  const now = ctx.clock()
  const lastAt = row.created_at + GIVE_UP_MS
  if (now >= lastAt || (isAhead(row.created_at, now) && row.attempts >= MAX_ATTEMPTS)) {
    await settle(ctx, row, { status: 'failed', problem })
    return false
  }
  const waitMs = Math.min(MINUTE_MS * 2 ** (row.attempts - 1), LONGEST_WAIT_MS)
  const nextAt = Math.min(now + waitMs, lastAt)
  await inTransaction(ctx.storage, (db) => postponeMail(db, row.id, ctx.nodeId, nextAt, problem))
  return true
}

/**
 * While mails wait because the server was unreachable, probes it once a minute: when it is back, they are sent before
 * their own retry time. False when it is not. Waiting mails are read from the database, so a restarted node probes too.
 */
async function probe(round: Round): Promise<boolean> {
  const { ctx, state } = round
  const now = ctx.clock()
  // A probe time further ahead than one interval means that the clock was set back.
  if (now < state.probeAt && state.probeAt <= now + PROBE_MS) return true
  state.probeAt = now + PROBE_MS
  if (!(await hasMailWithProblem(ctx.storage.reads, 'unreachable'))) return true
  if ((await round.transport().verify(round.stop)).result !== 'sent') return false
  await resumeWaiting(round)
  return true
}

async function resumeWaiting(round: Round): Promise<void> {
  const { ctx, state } = round
  if (state.isDown) ctx.log.warn('mail can be sent again')
  state.isDown = false
  await inTransaction(ctx.storage, (db) => retryMailWithProblem(db, 'unreachable', ctx.clock()))
}

/** Logged once, not every second while the database is down. */
function logTrouble({ ctx, state }: Round, error: unknown, row?: OutboxRow): undefined {
  if (state.isTroubled) return
  state.isTroubled = true
  ctx.log.warn('processing a mail failed; it will be retried', {
    ...describeKind(error),
    mail_id: row?.id,
    kind: row?.kind,
  })
}
