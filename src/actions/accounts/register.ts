// Registration. Response and duration are the same whether or not the address has an account.
import type { Context } from '../../context.ts'
import { announcesOnlyVerified } from '../../domain/account/account.ts'
import { readDisplayName } from '../../domain/account/managed-account.ts'
import { readEmail } from '../../domain/email.ts'
import type { Language } from '../../domain/languages.ts'
import { cleanText, foldText } from '../../domain/plain-text.ts'
import { Problems } from '../../domain/problems.ts'
import { fail } from '../../errors.ts'
import { hashPassword } from '../../secrets.ts'
import { insertRegistration, lockRequestedAccount } from '../../storage/accounts/accounts.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseAccountsRevision } from '../../storage/events/calendar.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { insertAccessRequests, insertMail } from '../../storage/operations/outbox.ts'
import type { Db, UserRow } from '../../storage/tables.ts'
import { checkNewPassword } from './password-rules.ts'
import { type ProofDemand, readProof, spendProofOfWork } from './proof-of-work.ts'
import type { WaitingEstimate } from './waiting-estimate.ts'

export interface Registration {
  email: string
  password: string
  displayName: string
  message: string | undefined
  language: Language | undefined
  /** Honeypot: a form field that people do not see, so a request that fills it in comes from a bot. */
  website: string | undefined
  proof: string | undefined
}

/** Expects a validated request; whether the address has an account is not checked before the transaction. */
export async function register(
  ctx: Context,
  asked: AccountRequest,
  waiting: WaitingEstimate,
  requestId: string,
): Promise<void> {
  await waiting.reserve(asked.hasProof ? MAX_WITH_PROOF : MAX_UNPROVEN)
  const passwordHash = await hashPassword(asked.password)
  if (asked.isTrap) return
  const row = userRowOf(ctx, asked, passwordHash)
  await inTransaction(ctx.storage, (db) => storeRegistration(ctx, db, row, requestId))
}

export interface AccountRequest {
  address: string
  emailKey: string
  displayName: string
  message: string | null
  language: Language | undefined
  password: string
  isTrap: boolean
  /** Whether the request had a proof of work; then the limit of waiting accounts is higher. */
  hasProof: boolean
}

export async function readRegistration(
  ctx: Context,
  input: Registration,
  demand: ProofDemand,
): Promise<AccountRequest> {
  if (ctx.config.registration === 'closed') fail('registration_closed')
  const problems = new Problems()
  const email = readEmail(input.email) ?? problems.add('/email', 'invalid_format')
  const name = readDisplayName(input.displayName)
  if ('problem' in name) problems.add('/display_name', name.problem)
  const displayName = 'name' in name ? name.name : ''
  const message = cleanText(input.message ?? '') ?? problems.add('/message', 'invalid_format')
  await checkNewPassword(ctx, input.password, { email: email?.address, displayName }, problems)
  const proof = await readProof(ctx, demand, input.proof, problems)
  problems.throwIfAny()
  await spendProofOfWork(ctx, proof)
  return {
    address: email!.address,
    emailKey: email!.key,
    displayName,
    message: message || null,
    language: input.language,
    password: input.password,
    isTrap: Boolean(input.website),
    hasProof: proof !== undefined,
  }
}

const userRowOf = (ctx: Context, asked: AccountRequest, passwordHash: string): UserRow => ({
  id: ctx.newId(),
  email: asked.address,
  email_key: asked.emailKey,
  display_name: asked.displayName,
  name_key: foldText(asked.displayName),
  password_hash: passwordHash,
  was_asked_again: 0,
  request_count: 1,
  last_requested_at: ctx.clock(),
  role: 'writer',
  approval_state: 'pending_approval',
  email_verified_at: null,
  request_message: asked.message,
  created_at: ctx.clock(),
  decided_at: null,
  decided_by: null,
  last_login_at: null,
  version: 1,
  language: asked.language ?? null,
})

const MAX_UNPROVEN = 500
const MAX_WITH_PROOF = 2_000

/** Runs the same statements for known and unknown addresses. */
async function storeRegistration(ctx: Context, db: Db, row: UserRow, requestId: string): Promise<void> {
  const now = ctx.clock()
  // Accounts are always locked before counters.
  await lockRequestedAccount(db, row)
  await raiseAccountsRevision(db)
  const isNew = await insertRegistration(db, row)
  const kind = isNew ? 'verification' : 'already_registered'
  await insertMail(db, { id: ctx.newId(), kind, to: { emailKey: row.email_key } }, now)
  const subjectId = isNew ? row.id : null
  await insertAudit(db, { action: 'user_registered', actorId: null, subjectId, requestId, detail: {} }, now)
  // Where no address is verified, this is the only notice to administrators; nothing is sent unless a new request waits.
  if (ctx.config.notifyAdmins && !announcesOnlyVerified(ctx.config)) await insertAccessRequests(db, ctx.newId, now)
}
