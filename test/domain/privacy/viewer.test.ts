// Permissions and sight of every role, state and credential.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Account, APPROVAL_STATES, ROLES } from '../../../src/domain/account/account.ts'
import { SCOPES, type Verb } from '../../../src/domain/privacy/rights.ts'
import {
  ANONYMOUS,
  createAccountViewer,
  mayDo,
  requireAccess,
  type ShownCredential,
  sightOf,
  type Viewer,
} from '../../../src/domain/privacy/viewer.ts'
import { AppError } from '../../../src/errors.ts'

const VERBS: readonly Verb[] = ['read_full', 'write', 'administer', 'own_account']

const person = (
  fields: Partial<Account> = {},
  shown: ShownCredential = { proof: 'session' },
  needsVerified = true,
): Viewer =>
  createAccountViewer(
    {
      id: 'a',
      email: 'a@example.org',
      displayName: 'A',
      role: 'writer',
      approvalState: 'approved',
      language: undefined,
      emailVerified: true,
      ...fields,
    },
    needsVerified,
    shown,
  )

const refusal = (viewer: Viewer, verb: Verb): string | undefined => {
  try {
    requireAccess(viewer, verb)
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.code
  }
}

test('each role may do what the table lists and nothing else', () => {
  const table = Object.fromEntries(ROLES.map((role) => [role, VERBS.filter((verb) => mayDo(person({ role }), verb))]))
  assert.deepEqual(table, {
    reader: ['read_full', 'own_account'],
    writer: ['read_full', 'write', 'own_account'],
    admin: ['read_full', 'write', 'administer', 'own_account'],
  })
})

test('requireAccess refuses exactly what the table denies, with the reason', () => {
  for (const role of ROLES) {
    for (const verb of VERBS) {
      const refused = verb === 'administer' ? 'admin_required' : 'insufficient_capability'
      const expected = mayDo(person({ role }), verb) ? undefined : refused
      assert.equal(refusal(person({ role }), verb), expected, `${role} ${verb}`)
    }
  }
  for (const verb of VERBS) assert.equal(refusal(ANONYMOUS, verb), 'authentication_required')
})

test('an account that is not approved has public sight and may do nothing, whatever its role', () => {
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

test('approved and verified accounts see full events; anonymous readers do not', () => {
  for (const role of ROLES) assert.equal(sightOf(person({ role })), 'full')
  assert.equal(sightOf(ANONYMOUS), 'public')
  for (const verb of VERBS) assert.equal(mayDo(ANONYMOUS, verb), false)
})

test('an app password gives access to events only, even for an administrator', () => {
  const device = person({ role: 'admin' }, { proof: 'app_password' })
  assert.deepEqual(
    VERBS.filter((verb) => mayDo(device, verb)),
    ['read_full', 'write'],
  )
  assert.equal(refusal(device, 'administer'), 'insufficient_capability')
  assert.equal(refusal(device, 'own_account'), 'insufficient_capability')
})

test('a token has the rights that both its scopes and its owner’s role have', () => {
  const reach = (role: Account['role'], scopes: ShownCredential['scopes']): Verb[] =>
    VERBS.filter((verb) => mayDo(person({ role }, { proof: 'token', scopes: scopes ?? [] }), verb))
  assert.deepEqual(reach('admin', []), [])
  assert.deepEqual(reach('admin', ['events:read']), ['read_full'])
  assert.deepEqual(reach('admin', ['events:write']), ['write'])
  assert.deepEqual(reach('admin', SCOPES), ['read_full', 'write', 'administer'])
  assert.deepEqual(reach('reader', SCOPES), ['read_full'])
  const narrow = person({ role: 'admin' }, { proof: 'token', scopes: ['events:read'] })
  assert.equal(refusal(narrow, 'write'), 'token_scope_insufficient')
  assert.equal(refusal(narrow, 'own_account'), 'token_scope_insufficient')
  assert.equal(sightOf(person({}, { proof: 'token', scopes: ['events:write'] })), 'public')
})

test('where verified addresses are not required, an approved account may act without one', () => {
  assert.equal(mayDo(person({ emailVerified: false }, { proof: 'session' }, false), 'write'), true)
  assert.equal(mayDo(person({ approvalState: 'suspended' }, { proof: 'session' }, false), 'write'), false)
})
