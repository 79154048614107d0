// Changes a user account with optimistic locking, and turns refusals into messages.
import { ApiError } from '../../api/client.ts'
import type { User, UserChange } from '../../api/contract.ts'
import { refreshWaiting } from '../../app/pending-badge.tsx'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { explain, problemOf } from '../../ui/explain.ts'

/** Why it was refused, and whether the data on screen is out of date. */
export interface ChangeProblem {
  text: string
  isOutdated: boolean
}

/** The outcome: refused, or done; `notice` is a message that must stay on the page. */
export interface DecisionResult {
  refusal?: ChangeProblem
  notice?: string
}

export const changeAccount = (account: User, change: UserChange): Promise<DecisionResult> =>
  decide(account, async () => {
    const { meta } = await call('changeUser', {
      path: { user_id: account.id },
      body: { ...change, version: account.version },
    })
    const link = meta?.password_link
    return link && words.admin.requestsPage.linkSent[link]!(account.display_name)
  })

export const deleteAccount = (account: User): Promise<DecisionResult> =>
  decide(account, async () => void (await call('deleteUser', { path: { user_id: account.id } })))

export const endSessionsOf = (account: User): Promise<DecisionResult> =>
  decide(account, async () => void (await call('endUserSessions', { path: { user_id: account.id } })))

/** The notice gives the number of requests that were no longer pending. */
export async function rejectPendingUsers(accounts: readonly User[]): Promise<DecisionResult> {
  try {
    const { data } = await call('rejectUsers', { body: { ids: accounts.map(({ id }) => id) } })
    void refreshWaiting()
    const missed = data.filter(({ error }) => error !== undefined).length
    return missed > 0 ? { notice: words.admin.requestsPage.notRejected(missed) } : {}
  } catch (error) {
    return { refusal: { text: explain(error), isOutdated: false } }
  }
}

async function decide(account: User, act: () => Promise<string | undefined>): Promise<DecisionResult> {
  try {
    const notice = await act()
    void refreshWaiting()
    return notice ? { notice } : {}
  } catch (error) {
    return { refusal: refusalOf(account, error) }
  }
}

function refusalOf(account: User, error: unknown): ChangeProblem {
  const code = error instanceof ApiError ? error.code : ''
  if (code === 'version_mismatch' || code === 'invalid_state_transition')
    return { text: words.admin.changedMeanwhile(account.display_name), isOutdated: true }
  if (code === 'user_not_found') return { text: words.admin.goneMeanwhile(account.display_name), isOutdated: true }
  const ownPassword = problemOf(error, 'current_password', words.common.ownPasswordProblems)
  if (ownPassword) return { text: ownPassword, isOutdated: false }
  return { text: code === 'last_admin' ? words.admin.lastAdmin : explain(error), isOutdated: false }
}
