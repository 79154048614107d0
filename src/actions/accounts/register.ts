// Asking for an account. What is answered, and how long it takes, is the same whether or not the address has one.
import type { Context } from '../../context.ts'
import { readEmail } from '../../domain/account/credentials.ts'
import { readDisplayName } from '../../domain/account/user.ts'
import { Problems } from '../../domain/calendar/fields.ts'
import { cleanText, foldText } from '../../domain/calendar/words.ts'
import { hashPassword } from '../../secrets.ts'
import { insertRegistration, lockRequestedAccount } from '../../storage/accounts/accounts.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseAccountsRevision } from '../../storage/events/calendar.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { insertAccessRequests, insertMail } from '../../storage/operations/outbox.ts'
import type { Db, UserRow } from '../../storage/tables.ts'
import { checkNewPassword } from './password-rules.ts'
import { type ProofDemand, readProof, spend } from './proof-of-work.ts'
import type { WaitingEstimate } from './waiting-estimate.ts'

export interface Registration {
  email: string
  password: string
  displayName: string
  message: string | undefined
  /** A field people do not see. Whatever fills it in is no person. */
  website: string | undefined
  proof: string | undefined
}

/** What was asked for is in order; nobody has looked yet whether the address has an account. */
export async function register(
  ctx: Context,
  asked: AskedAccount,
  waiting: WaitingEstimate,
  requestId: string,
): Promise<void> {
  await waiting.reserve(asked.hasProof ? MAX_WITH_PROOF : MAX_UNPROVEN)
  const passwordHash = await hashPassword(asked.password)
  if (asked.isTrap) return
  const row = newcomer(ctx, asked, passwordHash)
  await inTransaction(ctx.storage, (db) => keepRegistration(ctx, db, row, requestId))
}

export interface AskedAccount {
  address: string
  emailKey: string
  displayName: string
  message: string | null
  password: string
  isTrap: boolean
  /** Whether it brought a proof of work: then more may wait. */
  hasProof: boolean
}

export async function readRegistration(ctx: Context, wish: Registration, demand: ProofDemand): Promise<AskedAccount> {
  const problems = new Problems()
  const email = readEmail(wish.email) ?? problems.add('/email', 'invalid_format')
  const name = readDisplayName(wish.displayName)
  if ('problem' in name) problems.add('/display_name', name.problem)
  const displayName = 'name' in name ? name.name : ''
  const message = cleanText(wish.message ?? '') ?? problems.add('/message', 'invalid_format')
  await checkNewPassword(ctx, wish.password, { email: email?.address, displayName }, problems)
  const proof = await readProof(ctx, demand, wish.proof, problems)
  problems.throwIfAny()
  await spend(ctx, proof)
  return {
    address: email!.address,
    emailKey: email!.key,
    displayName,
    message: message || null,
    password: wish.password,
    isTrap: Boolean(wish.website),
    hasProof: proof !== undefined,
  }
}

const newcomer = (ctx: Context, asked: AskedAccount, passwordHash: string): UserRow => ({
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
})

const MAX_UNPROVEN = 500
const MAX_WITH_PROOF = 2_000

/** The same statements for known and unknown addresses. */
async function keepRegistration(ctx: Context, db: Db, row: UserRow, requestId: string): Promise<void> {
  const now = ctx.clock()
  // Accounts are locked before counters everywhere.
  await lockRequestedAccount(db, row)
  await raiseAccountsRevision(db)
  const isNew = await insertRegistration(db, row)
  const kind = isNew ? 'verification' : 'already_registered'
  await insertMail(db, { id: ctx.newId(), kind, to: { emailKey: row.email_key } }, now)
  const subjectId = isNew ? row.id : null
  await insertAudit(db, { action: 'user_registered', actorId: null, subjectId, requestId, detail: {} }, now)
  // Where addresses need no proof, nothing else will tell the administrators. When nobody new waits, nothing is sent.
  if (ctx.config.notifyAdmins && !ctx.config.requireVerifiedEmail) await insertAccessRequests(db, ctx.newId, now)
}
