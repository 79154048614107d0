// JSON schemas of account administration: queries, requests and responses.

import { APPROVAL_STATES, PASSWORD_STATES, ROLES } from '../domain/account/account.ts'
import { ACCOUNT_ORDERS } from '../domain/account/managed-account.ts'
import { enumOf, exact, nullable } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

export const UserListQuery = Type.Object({
  approval_state: Type.Optional(enumOf(APPROVAL_STATES, { description: 'Only accounts in this state.' })),
  role: Type.Optional(enumOf(ROLES, { description: 'Only accounts with this role.' })),
  email_verified: Type.Optional(Type.Boolean({ description: 'Only accounts whose address is verified, or is not.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'What the address or the name begins with; case does not matter, nor do accents in names.',
    }),
  ),
  sort: Type.Optional(
    enumOf(ACCOUNT_ORDERS, { description: 'Default `created_at`, oldest first; `-created_at` is newest first.' }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'From 1. A page past the end is empty.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
})

export type UserListValues = Static<typeof UserListQuery>

const State = enumOf(APPROVAL_STATES, {
  description: 'Only approved accounts may sign in. Waiting ones are approved or rejected, approved ones suspended.',
})

export const UserChange = Type.Object(
  {
    approval_state: Type.Optional(State),
    role: Type.Optional(enumOf(ROLES, { description: 'A new role signs the account out everywhere.' })),
    email_verified: Type.Optional(
      Type.Boolean({ description: '`true` marks the address as verified without a mail; `false` undoes that.' }),
    ),
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    notify: Type.Optional(
      Type.Boolean({
        description: 'Tell the person by mail that they were approved, rejected or suspended. Default `false`.',
      }),
    ),
    current_password: Type.Optional(
      Type.String({ maxLength: 512, description: 'Your own password: required in a session for the role `admin`.' }),
    ),
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'The version this change is based on.' })),
  },
  {
    ...exact,
    $id: 'UserChange',
    description: 'The changes: at least one of state, role, `email_verified` and name.',
    examples: [{ approval_state: 'approved', role: 'reader', notify: true, version: 1 }],
  },
)

export interface UserChangeBody extends Static<typeof UserChange> {}

const Timestamp = Type.String({ format: 'date-time', description: 'UTC.' })

export const UserItem = Type.Object(
  {
    id: Type.String({ description: 'Opaque identifier, 26 characters.', examples: ['5tq0fj1m3v8k2c9r7d6h4n0b1e'] }),
    email: Type.String(),
    display_name: Type.String(),
    role: enumOf(ROLES),
    approval_state: State,
    email_verified: Type.Boolean(),
    email_verified_at: nullable(Timestamp),
    password_state: enumOf(PASSWORD_STATES, {
      description:
        '`disputed`: the account was requested again since the password was chosen, so another person may have chosen it; it is invalidated when the account is approved, its address marked as verified or its role raised. `none`: it was invalidated, and no new one is chosen yet.',
    }),
    request_message: nullable(Type.String({ description: 'What the person wrote when asking for access.' })),
    request_count: Type.Integer({
      description:
        'How often the account was requested; 0 if an operator created it. Name, message and password are those of the first request. Not counted once the account is approved and its address verified.',
    }),
    last_requested_at: nullable(Timestamp),
    created_at: Timestamp,
    decided_at: nullable(Timestamp),
    decided_by: nullable(
      Type.String({ description: 'The administrator who last changed the state; null once that account is deleted.' }),
    ),
    last_login_at: nullable(Timestamp),
    version: Type.Integer(),
  },
  { ...exact, $id: 'User', description: 'An account as administrators see it.' },
)

export const MAX_REJECTED_AT_ONCE = 500

export const RejectRequest = Type.Object(
  {
    ids: Type.Array(Type.String({ maxLength: 64, pattern: '^[\\x21-\\x7e]+$' }), {
      minItems: 1,
      maxItems: MAX_REJECTED_AT_ONCE,
      description: 'The accounts to reject; an id that is sent twice counts once.',
    }),
    notify: Type.Optional(Type.Boolean({ description: 'Tell each by mail. Default `false`.' })),
  },
  { ...exact, $id: 'RejectRequest', examples: [{ ids: ['5tq0fj1m3v8k2c9r7d6h4n0b1e'] }] },
)

export interface RejectBody extends Static<typeof RejectRequest> {}

export const RejectionItem = Type.Object(
  {
    id: Type.String(),
    approval_state: nullable(State),
    error: Type.Optional(
      enumOf(['user_not_found', 'invalid_state_transition'] as const, {
        description: 'Why it was not rejected: there is no such account, or it was not waiting.',
      }),
    ),
  },
  { ...exact, $id: 'Rejection', description: 'The result for one account.' },
)
