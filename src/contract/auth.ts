// JSON schemas of authentication: sessions, password change, app passwords and API tokens.

import { APPROVAL_STATES, ROLES } from '../domain/account/account.ts'
import { LANGUAGES } from '../domain/languages.ts'
import { SCOPES } from '../domain/privacy/rights.ts'
import { enumOf, exact, nullable } from './fields.ts'
import { Type } from './json-schema.ts'

const Email = Type.String({ maxLength: 254, description: 'The address of the account.', examples: ['you@example.org'] })
const Password = Type.String({ maxLength: 512, description: '12 to 128 characters, any of them.' })
const Moment = Type.String({ format: 'date-time' })
const MaybeMoment = nullable(Moment)
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'To tell it from the others.',
  examples: ['Phone'],
})

export const LoginRequest = Type.Object(
  {
    email: Email,
    password: Password,
    remember: Type.Optional(
      Type.Boolean({ description: 'Stay signed in for weeks instead of a day. Not for administrators.' }),
    ),
  },
  {
    ...exact,
    $id: 'LoginRequest',
    examples: [{ email: 'you@example.org', password: 'twelve characters or more' }],
  },
)

/** The account as shown to its owner. */
export const OwnAccount = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    display_name: Type.String(),
    role: enumOf(ROLES),
    approval_state: enumOf(APPROVAL_STATES),
    email_verified: Type.Boolean(),
    language: nullable(enumOf(LANGUAGES, { description: 'Of mails to the account; null: the calendar’s.' })),
  },
  { ...exact, $id: 'OwnAccount' },
)

export const AccountChange = Type.Object(
  {
    language: nullable(enumOf(LANGUAGES, { description: 'Of mails to the account; null: the calendar’s.' })),
  },
  { ...exact, $id: 'AccountChange', examples: [{ language: 'de' }] },
)

export const SessionAnswer = Type.Object(
  {
    user: OwnAccount,
    auth: enumOf(['session', 'basic', 'token'], { description: 'What the request was signed with.' }),
    scopes: Type.Optional(Type.Array(enumOf(SCOPES))),
    csrf_token: Type.Optional(
      Type.String({ description: 'To be sent as `X-CSRF-Token` with every change made under the cookie.' }),
    ),
    expires_at: Type.Optional({ ...Moment, description: 'When the session ends if it is not used again.' }),
  },
  { ...exact, $id: 'Session' },
)

export const SessionEntry = Type.Object(
  {
    id: Type.String(),
    current: Type.Boolean({ description: 'The one this request was made in.' }),
    remembered: Type.Boolean(),
    created_at: Moment,
    last_seen_at: Moment,
    expires_at: Moment,
    client_net: Type.String({ description: 'Roughly where it was begun.' }),
    user_agent: Type.String(),
  },
  { ...exact, $id: 'SessionEntry' },
)

export const PasswordChangeRequest = Type.Object(
  { current_password: Type.String({ maxLength: 512 }), password: Password },
  {
    ...exact,
    $id: 'PasswordChange',
    examples: [{ current_password: 'the one until now', password: 'twelve characters or more' }],
  },
)

export const NewAppPassword = Type.Object(
  { name: Name },
  { ...exact, $id: 'NewAppPassword', examples: [{ name: 'Phone' }] },
)

const appPassword = { id: Type.String(), name: Type.String(), created_at: Moment, last_used_at: MaybeMoment }

export const AppPasswordEntry = Type.Object(appPassword, { ...exact, $id: 'AppPassword' })

export const MadeAppPassword = Type.Object(
  {
    ...appPassword,
    password: Type.String({ description: 'Shown this once.', examples: ['2c74-021q-abnq-0m4r-n8k1-a33u'] }),
  },
  { ...exact, $id: 'MadeAppPassword' },
)

export const NewToken = Type.Object(
  {
    name: Name,
    scopes: Type.Array(enumOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, description: 'What it is good for.' }),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 730, description: 'Default 365.' })),
  },
  { ...exact, $id: 'NewToken', examples: [{ name: 'Website', scopes: ['events:read'] }] },
)

const token = {
  ...appPassword,
  scopes: Type.Array(enumOf(SCOPES)),
  last_four: Type.String(),
  expires_at: Moment,
}

export const TokenEntry = Type.Object(token, { ...exact, $id: 'Token' })

export const MadeToken = Type.Object(
  { ...token, token: Type.String({ description: 'Shown this once.' }) },
  { ...exact, $id: 'MadeToken' },
)
