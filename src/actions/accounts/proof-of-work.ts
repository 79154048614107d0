// Proof of work, where it is asked for: a puzzle that costs a browser about a second, and its answer good once.
import { type Challenge, createChallenge, type Payload, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Context } from '../../context.ts'
import type { Problems } from '../../domain/calendar/fields.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { failField } from '../../errors.ts'
import { keyedHash } from '../../secrets.ts'
import { spendProof } from '../../storage/accounts/proofs.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import type { WaitingEstimate } from './waiting-estimate.ts'

export type { Challenge }

/** Two hundred and fifty-six tries on average; checking an answer takes one. */
const PUZZLE = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00', deriveKey } as const
const LIFETIME_MS = 10 * 60_000

/** When so many registrations have come, each must bring a proof; past the number without one, a dearer proof. */
const WITHOUT_PROOF = { anHour: 100, waiting: 500 }
const DEARER = 4

export interface WorkProof {
  name: string
  expiresAt: Instant
}

export interface ProofDemand {
  isNeeded: boolean
  /** The rounds of one try. */
  cost: number
}

/** What registering must bring, by the registrations of the last hour and the estimate of unverified waiting accounts. */
export async function proofForRegistering(
  ctx: Context,
  inLastHour: number,
  waiting: WaitingEstimate,
): Promise<ProofDemand> {
  const { proofOfWork } = ctx.config
  if (proofOfWork === 'off') return { isNeeded: false, cost: 0 }
  const fill = Math.max(inLastHour / WITHOUT_PROOF.anHour, (await waiting.current()) / WITHOUT_PROOF.waiting)
  return { isNeeded: proofOfWork === 'on' || fill >= 0.5, cost: fill >= 1 ? DEARER * PUZZLE.cost : PUZZLE.cost }
}

/** Half of all mails of an hour may be of one kind; requests for unknown addresses use them up too. */
const RESET_MAILS_AN_HOUR = 100

/** What a forgotten password must bring, by the requests of the last hour: they use up mails that all have together. */
export function proofForReset({ config }: Context, inLastHour: number): ProofDemand {
  if (config.proofOfWork === 'off') return { isNeeded: false, cost: 0 }
  const fill = inLastHour / RESET_MAILS_AN_HOUR
  return { isNeeded: config.proofOfWork === 'on' || fill >= 0.5, cost: fill >= 1 ? DEARER * PUZZLE.cost : PUZZLE.cost }
}

/** One challenge serves both: asked for where either needs it, at the higher cost of those that do. */
export const combineDemands = (demands: ProofDemand[]): ProofDemand => ({
  isNeeded: demands.some(({ isNeeded }) => isNeeded),
  cost: Math.max(...demands.map(({ isNeeded, cost }) => (isNeeded ? cost : 0))),
})

/** Undefined where no proof is asked for. The expiry is signed data of ours: the library's own would ask the wrong clock. */
export async function makeChallenge(ctx: Context, { isNeeded, cost }: ProofDemand): Promise<Challenge | undefined> {
  if (!isNeeded) return undefined
  const data = { expires_at: ctx.clock() + LIFETIME_MS }
  return createChallenge({ ...PUZZLE, cost, data, hmacSignatureSecret: secretOf(ctx) })
}

/** The proof, if it is good as far as can be told without spending it: proofs made while less was asked for are not. */
export async function readProof(
  ctx: Context,
  { isNeeded, cost }: ProofDemand,
  text: string | undefined,
  problems: Problems,
): Promise<WorkProof | undefined> {
  if (!isNeeded) return undefined
  if (!text) return problems.add('/proof', 'required')
  return (await verify(ctx, text, cost)) ?? problems.add('/proof', 'not_allowed')
}

/** Before anything costly is done for it: of any number who bring the same proof, one goes on. */
export async function spend(ctx: Context, proof: WorkProof | undefined): Promise<void> {
  if (!proof) return
  const { name, expiresAt } = proof
  const isFirst = await inTransaction(ctx.storage, (db) => spendProof(db, name, expiresAt))
  if (!isFirst) failField('/proof', 'not_allowed')
}

async function verify(ctx: Context, text: string, leastCost: number): Promise<WorkProof | undefined> {
  const payload = parsePayload(text)
  // Signed with the rest, so it is what was asked for when the challenge was made.
  if (!payload || !(payload.challenge.parameters.cost >= leastCost)) return undefined
  // The signature is checked first, so that what follows is a puzzle of ours and costs what ours cost.
  const { verified } = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret: secretOf(ctx) })
  const expiresAt = payload.challenge.parameters.data?.expires_at
  if (!verified || typeof expiresAt !== 'number' || expiresAt <= ctx.clock()) return undefined
  return { name: payload.challenge.signature!, expiresAt }
}

function parsePayload(text: string): Payload | undefined {
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Partial<Payload>
    const { data = {}, ...parameters } = (challenge?.parameters ?? {}) as Partial<Challenge['parameters']>
    const isWhole =
      isObject(challenge?.parameters) &&
      typeof challenge.signature === 'string' &&
      [parameters, data, solution].every(isFlat)
    return isWhole ? { challenge: challenge!, solution: solution! } : undefined
  } catch {
    return undefined
  }
}

/** The library compares and joins values before it checks the signature; an object among them can make that throw. */
const isFlat = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((item) => typeof item !== 'object')

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const secretOf = (ctx: Context): string => keyedHash(ctx.secret, 'proof of work')
