// JSON schemas of requests without an account: registration, verification, password reset.
import { LANGUAGES } from '../domain/languages.ts'
import { enumOf } from './fields.ts'
import { Type } from './json-schema.ts'

const exact = { additionalProperties: false }

const Email = Type.String({ maxLength: 254, description: 'What one signs in with.' })
const NewPassword = Type.String({
  maxLength: 512,
  description: '12 to 128 characters of any kind, and none of the passwords that are easy to guess.',
})
const Token = Type.String({ minLength: 1, maxLength: 128, description: 'What stands after `#t=` in the mailed link.' })
const Proof = Type.Optional(
  Type.String({
    maxLength: 4_096,
    description: 'The solved challenge of `GET /users/challenge`, where that says one is required.',
  }),
)

export const RegisterRequest = Type.Object(
  {
    email: Email,
    password: NewPassword,
    display_name: Type.String({ minLength: 1, maxLength: 100, description: 'Only administrators see it.' }),
    message: Type.Optional(
      Type.String({ maxLength: 500, description: 'To the administrator who decides: who you are.' }),
    ),
    language: Type.Optional(
      enumOf(LANGUAGES, { description: 'Of mails to the account. Without one: the calendar’s.' }),
    ),
    website: Type.Optional(
      Type.String({ maxLength: 2_048, description: 'Forms hide this field from people. Leave it out, or empty.' }),
    ),
    proof: Proof,
  },
  {
    ...exact,
    $id: 'RegisterRequest',
    examples: [
      {
        email: 'you@example.org',
        password: 'four or five words will do',
        display_name: 'Your Name',
        message: 'I look after the bookings of the hall.',
      },
    ],
  },
)

export const RegisterAnswer = Type.Object(
  {
    approval_state: Type.Unsafe<string>({ type: 'string', enum: ['pending_approval'] }),
    email_verification: Type.Unsafe<string>({ type: 'string', enum: ['sent'] }),
  },
  { ...exact, $id: 'RegistrationAccepted' },
)

export const VerifyRequest = Type.Object(
  { token: Token },
  { ...exact, $id: 'VerifyRequest', examples: [{ token: 'gq0bFZ8mT2yWc1nJp7sXv4uKd9hRa3eLo6iNk5tUzQw' }] },
)

export const VerifyAnswer = Type.Object(
  {
    email_verified: Type.Boolean(),
    approval_state: Type.Unsafe<string>({
      type: 'string',
      enum: ['pending_approval', 'approved', 'rejected', 'suspended'],
    }),
    password_needed: Type.Optional(
      Type.Boolean({
        description: 'True where the address was registered more than once: a mail follows to choose a password.',
      }),
    ),
  },
  { ...exact, $id: 'EmailVerified' },
)

export const ForgotRequest = Type.Object(
  { email: Email, proof: Proof },
  { ...exact, $id: 'ForgotPasswordRequest', examples: [{ email: 'you@example.org' }] },
)

export const ForgotAnswer = Type.Object(
  { status: Type.Unsafe<string>({ type: 'string', enum: ['accepted'] }) },
  { ...exact, $id: 'ForgotPasswordAccepted' },
)

export const ResetRequest = Type.Object(
  { token: Token, password: NewPassword },
  {
    ...exact,
    $id: 'ResetPasswordRequest',
    examples: [{ token: 'gq0bFZ8mT2yWc1nJp7sXv4uKd9hRa3eLo6iNk5tUzQw', password: 'four or five words will do' }],
  },
)

export const ResetAnswer = Type.Object(
  { status: Type.Unsafe<string>({ type: 'string', enum: ['password_changed'] }) },
  { ...exact, $id: 'PasswordReset' },
)

export const ChallengeAnswer = Type.Object(
  {
    required: Type.Boolean(),
    challenge: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'For the ALTCHA widget or library, version 2.' }),
    ),
  },
  { ...exact, $id: 'ProofChallenge' },
)
