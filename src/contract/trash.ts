// JSON schemas of the trash.
import { VISIBILITIES } from '../domain/calendar/event.ts'
import { placed } from './event-responses.ts'
import { enumOf, exact, nullable } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

export const TrashQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'From 1. A page past the end is empty.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
})

export type TrashValues = Static<typeof TrashQuery>

export const TrashItem = Type.Object(
  {
    ...placed,
    timezone: Type.String(),
    uid: Type.String(),
    visibility: enumOf(VISIBILITIES),
    recurring: Type.Boolean(),
    version: Type.Integer({ description: 'Its last version; restoring makes the next one.' }),
    deleted_at: Type.String({ format: 'date-time', description: 'UTC.' }),
    deleted_by: nullable(
      Type.String({ description: 'The account. Null: an account that was deleted, or the operator of the machine.' }),
    ),
    deleted_by_name: nullable(Type.String({ description: 'The current name of the account.' })),
    deleted_with: enumOf(['session', 'password', 'app_password', 'token', 'operator'], {
      description: 'The kind of credential: a page, a calendar program, an API token, or a command on the machine.',
    }),
    credential_name: nullable(
      Type.String({ description: 'The current name of the app password or token. Null where there is none any more.' }),
    ),
    purged_at: Type.String({ format: 'date-time', description: 'When it can no longer be restored. UTC.' }),
  },
  { ...exact, $id: 'TrashEntry', description: 'A deleted event that can be restored.' },
)
