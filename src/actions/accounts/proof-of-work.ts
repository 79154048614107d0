// Proof of work for registration and password reset: about a second of work, valid once.
import { type Challenge, createChallenge, type Payload, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Context } from '../../context.ts'
import type { Problems } from '../../domain/problems.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { failField } from '../../errors.ts'
import { keyedHash } from '../../secrets.ts'
import { spendProof } from '../../storage/accounts/proofs.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import type { WaitingEstimate } from './waiting-estimate.ts'

export type { Challenge }

/** 256 tries on average; verifying a solution takes one. */
const PUZZLE = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00', deriveKey } as const
const LIFETIME_MS = 10 * 60_000

/** From half of either number on, each registration needs a proof; at the full number, a costlier one. */
const WITHOUT_PROOF = { anHour: 100, waiting: 500 }
const DEARER = 4

export interface WorkProof {
  name: string
  expiresAt: Instant
}

export interface ProofDemand {
  isNeeded: boolean
  /** PBKDF2 iterations of one try. */
  cost: number
}

/** The proof that registration needs, by the registrations of the last hour and the estimate of unverified accounts. */
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

/** One kind may use half of all mails of an hour; requests for unknown addresses count too. */
const RESET_MAILS_AN_HOUR = 100

/** The proof that a reset request needs, by the requests of the last hour: all requests share one mail quota. */
export function proofForReset({ config }: Context, inLastHour: number): ProofDemand {
  if (config.proofOfWork === 'off') return { isNeeded: false, cost: 0 }
  const fill = inLastHour / RESET_MAILS_AN_HOUR
  return { isNeeded: config.proofOfWork === 'on' || fill >= 0.5, cost: fill >= 1 ? DEARER * PUZZLE.cost : PUZZLE.cost }
}

/** One challenge serves both purposes: needed if either needs it, at the higher cost of those that do. */
export const combineDemands = (demands: ProofDemand[]): ProofDemand => ({
  isNeeded: demands.some(({ isNeeded }) => isNeeded),
  cost: Math.max(...demands.map(({ isNeeded, cost }) => (isNeeded ? cost : 0))),
})

/** Undefined where no proof is needed. The expiry is our own signed data: the library's would not use our clock. */
export async function createProofChallenge(
  ctx: Context,
  { isNeeded, cost }: ProofDemand,
): Promise<Challenge | undefined> {
  if (!isNeeded) return undefined
  const data = { expires_at: ctx.clock() + LIFETIME_MS }
  return createChallenge({ ...PUZZLE, cost, data, hmacSignatureSecret: secretOf(ctx) })
}

/** Verifies a proof without spending it; one that was made at a lower cost than now required is refused. */
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

/** Call before any costly work: of several requests with the same proof, only one succeeds. */
export async function spendProofOfWork(ctx: Context, proof: WorkProof | undefined): Promise<void> {
  if (!proof) return
  const { name, expiresAt } = proof
  const isFirst = await inTransaction(ctx.storage, (db) => spendProof(db, name, expiresAt))
  if (!isFirst) failField('/proof', 'not_allowed')
}

async function verify(ctx: Context, text: string, leastCost: number): Promise<WorkProof | undefined> {
  const payload = parsePayload(text)
  // The cost is signed with the challenge, so it is the cost demanded when the challenge was made.
  if (!payload || !(payload.challenge.parameters.cost >= leastCost)) return undefined
  // The signature is checked first, so only challenges of this service are verified, at their known cost.
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
