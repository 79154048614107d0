// Account states: which one may act, and the refusal code of each of the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPROVAL_STATES, findStandingProblem, STATE_TRANSITIONS } from '../../../src/domain/account/account.ts'

test('only an approved account with a verified address may act', () => {
  const reasons = APPROVAL_STATES.flatMap((approvalState) =>
    [true, false].map((emailVerified) => {
      const account = {
        id: 'a',
        email: 'a@b',
        displayName: 'A',
        role: 'admin',
        approvalState,
        emailVerified,
        language: undefined,
      } as const
      return `${approvalState} ${emailVerified}: ${findStandingProblem(account, true)}`
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

test('there are six changes between states; staying is not one', () => {
  const steps = APPROVAL_STATES.flatMap((from) => STATE_TRANSITIONS[from].map((to) => `${from} → ${to}`))
  assert.deepEqual(steps, [
    'pending_approval → approved',
    'pending_approval → rejected',
    'approved → suspended',
    'rejected → pending_approval',
    'rejected → approved',
    'suspended → approved',
  ])
})

test('an unknown state admits no account', () => {
  const approvalState = 'promoted' as (typeof APPROVAL_STATES)[number]
  const account = {
    id: 'a',
    email: 'a@b',
    displayName: 'A',
    role: 'admin',
    approvalState,
    emailVerified: true,
    language: undefined,
  } as const
  assert.equal(findStandingProblem(account, true), 'account_suspended')
  assert.equal(findStandingProblem(account, false), 'account_suspended')
})
