// Why an account may not act: every state has its reason, and only one has none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPROVAL_STATES, standingProblem } from '../../../src/domain/account/account.ts'

test('only an approved account with a verified address may act', () => {
  const reasons = APPROVAL_STATES.flatMap((approvalState) =>
    [true, false].map((emailVerified) => {
      const account = { id: 'a', email: 'a@b', displayName: 'A', role: 'admin', approvalState, emailVerified } as const
      return `${approvalState} ${emailVerified}: ${standingProblem(account)}`
    }),
  )
  assert.deepEqual(reasons, [
    'pending_approval true: account_pending',
    'pending_approval false: account_pending',
    'approved true: undefined',
    'approved false: email_not_verified',
    'rejected true: account_rejected',
    'rejected false: account_rejected',
    'suspended true: account_suspended',
    'suspended false: account_suspended',
  ])
})
