// Sets the language of mails to the own account.
import type { Context } from '../../context.ts'
import type { Language } from '../../domain/languages.ts'
import type { AccountViewer } from '../../domain/privacy/viewer.ts'
import { setLanguage } from '../../storage/accounts/accounts.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { requireOwner } from '../access/actor-guard.ts'

/** Null means the calendar's own language, also after that changes. */
export const setOwnLanguage = (ctx: Context, viewer: AccountViewer, language: Language | null): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, viewer)
    await setLanguage(db, viewer.account.id, language)
  })
