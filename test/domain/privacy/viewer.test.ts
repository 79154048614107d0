// Who may see and do what: the whole table, and everyone who is not in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Account, APPROVAL_STATES, ROLES } from '../../../src/domain/account/account.ts'
import { ANONYMOUS, mayDo, requireAccess, sightOf, type Verb, type Viewer } from '../../../src/domain/privacy/viewer.ts'
import { AppError } from '../../../src/errors.ts'

const VERBS: readonly Verb[] = ['read_full', 'write', 'administer']

const person = (fields: Partial<Account> = {}): Viewer => ({
  kind: 'account',
  account: {
    id: 'a',
    email: 'a@example.org',
    displayName: 'A',
    role: 'writer',
    approvalState: 'approved',
    emailVerified: true,
    ...fields,
  },
})

const refusal = (viewer: Viewer, verb: Verb): string | undefined => {
  try {
    requireAccess(viewer, verb)
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.code
  }
}

test('each role may do what the table says and nothing else', () => {
  const table = Object.fromEntries(ROLES.map((role) => [role, VERBS.filter((verb) => mayDo(person({ role }), verb))]))
  assert.deepEqual(table, {
    reader: ['read_full'],
    writer: ['read_full', 'write'],
    admin: ['read_full', 'write', 'administer'],
  })
})

test('asking for access agrees with the table, and says why not', () => {
  for (const role of ROLES) {
    for (const verb of VERBS) {
      const expected = mayDo(person({ role }), verb) ? undefined : 'insufficient_capability'
      assert.equal(refusal(person({ role }), verb), expected, `${role} ${verb}`)
    }
  }
  for (const verb of VERBS) assert.equal(refusal(ANONYMOUS, verb), 'authentication_required')
})

test('an account that is not approved has the public’s sight and may do nothing, whatever its role', () => {
  const reasons = { pending_approval: 'account_pending', rejected: 'account_rejected', suspended: 'account_suspended' }
  for (const role of ROLES) {
    for (const approvalState of APPROVAL_STATES) {
      for (const emailVerified of [true, false]) {
        if (approvalState === 'approved' && emailVerified) continue
        const viewer = person({ role, approvalState, emailVerified })
        assert.equal(sightOf(viewer), 'public', `${role} ${approvalState} ${emailVerified}`)
        for (const verb of VERBS) {
          assert.equal(mayDo(viewer, verb), false)
          const reason = approvalState === 'approved' ? 'email_not_verified' : reasons[approvalState]
          assert.equal(refusal(viewer, verb), reason)
        }
      }
    }
  }
})

test('approved and verified people see full events; nobody in particular does not', () => {
  for (const role of ROLES) assert.equal(sightOf(person({ role })), 'full')
  assert.equal(sightOf(ANONYMOUS), 'public')
  for (const verb of VERBS) assert.equal(mayDo(ANONYMOUS, verb), false)
})
