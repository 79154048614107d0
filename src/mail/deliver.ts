// The postman: takes up what is due, sends it, and says what became of it. Nothing that goes wrong on the way gets out.
import type { Context } from '../context.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../domain/time/instant.ts'
import { hashSecret } from '../secrets.ts'
import {
  claimMail,
  hasDueMail,
  hasMailWithProblem,
  hurryMailWithProblem,
  postponeMail,
  releaseMail,
  settleMail,
} from '../storage/outbox.ts'
import type { OutboxRow } from '../storage/tables.ts'
import { deleteToken } from '../storage/tokens.ts'
import { inTransaction } from '../storage/transaction.ts'
import { type Decision, decideMail } from './decide.ts'
import { writeMessage } from './messages.ts'
import { type Failure, makeTransport, type Outcome, siteOf, type Transport } from './transport.ts'

export interface Postman {
  /** One round: everything that is due now. Answers how many were sent. */
  deliver(): Promise<number>
  /** Finishes what is in hand and lets go of the rest. */
  stop(): Promise<void>
}

const AT_ONCE = 4
/** Longer than any try can take, so that nobody else takes up a mail that is still being sent. */
const CLAIM_MS = 2 * MINUTE_MS
const PER_HOUR = 200
const PROBE_MS = MINUTE_MS
const LONGEST_WAIT_MS = HOUR_MS
const GIVE_UP_MS = DAY_MS

interface Round {
  ctx: Context
  transport: Transport
  state: { isStopping: boolean; isDown: boolean; isTroubled: boolean; probeAt: Instant }
}

export function makePostman(ctx: Context, transport: Transport = makeTransport(ctx.config)): Postman {
  const round: Round = {
    ctx,
    transport,
    state: { isStopping: false, isDown: false, isTroubled: false, probeAt: 0 },
  }
  let running: Promise<number> = Promise.resolve(0)
  return {
    deliver() {
      running = running.then(() => goRound(round))
      return running
    },
    async stop() {
      round.state.isStopping = true
      await running
      await inTransaction(ctx.storage, (db) => releaseMail(db, ctx.nodeId)).catch(() => {})
    },
  }
}

async function goRound(round: Round): Promise<number> {
  const { ctx, state } = round
  if (state.isStopping) return 0
  try {
    if (!(await probe(round)) || !(await hasDueMail(ctx.storage.reads, ctx.clock()))) return 0
    state.isTroubled = false
  } catch (error) {
    complain(round, error)
    return 0
  }
  const counts = await Promise.all(Array.from({ length: AT_ONCE }, () => walkLane(round)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** One after the other until nothing is due; and until the server does not answer, which more tries would not change. */
async function walkLane(round: Round): Promise<number> {
  let sent = 0
  for (;;) {
    const row = await takeUp(round).catch((error) => complain(round, error))
    const result = row && (await handle(round, row))
    if (result === 'sent') sent += 1
    if (!result || result === 'unreachable') return sent
  }
}

async function takeUp({ ctx, state }: Round): Promise<OutboxRow | undefined> {
  if (state.isStopping) return undefined
  const now = ctx.clock()
  const claim = {
    holder: ctx.nodeId,
    until: now + CLAIM_MS,
    perHour: ctx.config.rateLimits ? PER_HOUR : undefined,
  }
  return inTransaction(ctx.storage, (db) => claimMail(db, claim, now))
}

type Result = Outcome['result'] | 'dropped' | 'troubled'

async function handle(round: Round, row: OutboxRow): Promise<Result> {
  const { ctx } = round
  try {
    const now = ctx.clock()
    const decision = await inTransaction(ctx.storage, (db) => decideMail(db, row, ctx.config, now))
    if (!decision) {
      await settle(ctx, row, { status: 'dropped' })
      return 'dropped'
    }
    const message = writeMessage(siteOf(ctx.config), decision.news)
    const outcome = await round.transport.send({ id: row.id, to: decision.to, message, writtenAt: now })
    if (outcome.result === 'sent') await noteSent(round, row, outcome.file)
    else await noteFailure(round, row, decision, outcome)
    return outcome.result
  } catch (error) {
    complain(round, error)
    // It waits like any other; should even that not be written down, the claim runs out by itself.
    await postpone(ctx, row, 'internal').catch(() => {})
    return 'troubled'
  }
}

async function noteSent(round: Round, row: OutboxRow, file: string | undefined): Promise<void> {
  const { ctx } = round
  await settle(ctx, row, { status: 'sent' })
  if (file === undefined) ctx.log.info('mail was sent', { kind: row.kind })
  // Seen at the default level: whoever tries the calendar out must find it.
  else ctx.log.warn('mail was written to a file', { kind: row.kind, file })
  if (round.state.isDown) await comeBack(round)
}

async function noteFailure(round: Round, row: OutboxRow, { news }: Decision, failure: Failure): Promise<void> {
  const { ctx, state } = round
  const { result, problem, cause } = failure
  if ('key' in news && news.key && !failure.mayHaveArrived) {
    const hash = hashSecret(news.key.token)
    await inTransaction(ctx.storage, (db) => deleteToken(db, hash))
  }
  if (result === 'refused') {
    ctx.log.warn('mail was refused', { kind: row.kind, cause })
    await settle(ctx, row, { status: 'failed', problem })
    return
  }
  if (result === 'unreachable' && !state.isDown) {
    state.isDown = true
    state.probeAt = ctx.clock() + PROBE_MS
    ctx.log.warn('mail cannot be sent; it waits', { cause })
  }
  const isGivenUp = !(await postpone(ctx, row, problem))
  if (isGivenUp) ctx.log.warn('mail was given up after a day', { kind: row.kind, cause })
}

const settle = (
  ctx: Context,
  row: OutboxRow,
  end: { status: 'sent' | 'failed' | 'dropped'; problem?: string },
): Promise<boolean> =>
  inTransaction(ctx.storage, (db) => settleMail(db, row.id, ctx.nodeId, { ...end, at: ctx.clock() }))

/** After one minute, two, four and so on up to an hour; false when the day it was given is over. */
async function postpone(ctx: Context, row: OutboxRow, problem: string): Promise<boolean> {
  const now = ctx.clock()
  const lastAt = row.created_at + GIVE_UP_MS
  if (now >= lastAt) {
    await settle(ctx, row, { status: 'failed', problem })
    return false
  }
  const waitMs = Math.min(MINUTE_MS * 2 ** (row.attempts - 1), LONGEST_WAIT_MS)
  const nextAt = Math.min(now + waitMs, lastAt)
  await inTransaction(ctx.storage, (db) => postponeMail(db, row.id, ctx.nodeId, nextAt, problem))
  return true
}

/**
 * While mails wait because the server did not answer, it is asked once a minute: when it is back, they need not wait
 * for their own time. False when it is not. What waits is read from the database, so a node that was started since asks too.
 */
async function probe(round: Round): Promise<boolean> {
  const { ctx, state } = round
  const now = ctx.clock()
  if (now < state.probeAt) return true
  state.probeAt = now + PROBE_MS
  if (!(await hasMailWithProblem(ctx.storage.reads, 'unreachable'))) return true
  if ((await round.transport.verify()).result !== 'sent') return false
  await comeBack(round)
  return true
}

async function comeBack(round: Round): Promise<void> {
  const { ctx, state } = round
  if (state.isDown) ctx.log.warn('mail can be sent again')
  state.isDown = false
  await inTransaction(ctx.storage, (db) => hurryMailWithProblem(db, 'unreachable', ctx.clock()))
}

/** Once, and not every second while a database is away. */
function complain({ ctx, state }: Round, error: unknown): undefined {
  if (state.isTroubled) return
  state.isTroubled = true
  ctx.log.warn('mail could not be worked on; it is tried again', {
    error: error instanceof Error ? error.name : typeof error,
  })
}
