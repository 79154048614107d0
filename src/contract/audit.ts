// JSON schemas of the audit trail.

import { AUDIT_ACTIONS } from '../domain/account/audit.ts'
import { enumOf, exact, nullable } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

export const AuditQuery = Type.Object({
  action: Type.Optional(enumOf(AUDIT_ACTIONS, { description: 'Only this action.' })),
  user_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only actions by this account or on it.' }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'From 1. A page past the end is empty.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
})

export type AuditValues = Static<typeof AuditQuery>

export const AuditItem = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time', description: 'UTC.' }),
    action: enumOf(AUDIT_ACTIONS),
    actor_id: nullable(
      Type.String({
        description: 'The account that did it. Null: a request without a sign-in, or the operator of the machine.',
      }),
    ),
    actor_name: nullable(
      Type.String({ description: 'The current name of the account. Null where it no longer exists.' }),
    ),
    subject_id: nullable(Type.String({ description: 'Whom or what it was done to.' })),
    subject_name: nullable(Type.String({ description: 'The same for whom it was done to.' })),
    request_id: nullable(Type.String()),
    detail: Type.Record(Type.Unknown(), { description: 'From what to what.' }),
  },
  { ...exact, $id: 'AuditEntry', description: 'Something that matters to security, written down when it happened.' },
)
