// JSON schemas of the trash: its list, selections of deleted events, and the restoration report.
import { VISIBILITIES } from '../domain/calendar/event.ts'
import { placed } from './event-responses.ts'
import { enumOf, exact, nullable } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

const DELETED_WITH = ['session', 'password', 'app_password', 'token', 'operator'] as const

/** The limit of events that one request restores: a few seconds of work, which proxies wait for. */
export const MAX_RESTORED = 200

const selection = {
  deleted_by: Type.Optional(Type.String({ maxLength: 64, description: 'The account that deleted them.' })),
  deleted_with: Type.Optional(enumOf(DELETED_WITH, { description: 'The kind of credential.' })),
  credential_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The session, app password or token, as `credential_id` of an entry.' }),
  ),
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Deleted at this date or date-time or later. Without an offset, in the zone of the calendar.',
      examples: ['2026-07-14T14:00'],
    }),
  ),
  until: Type.Optional(Type.String({ maxLength: 40, description: 'Deleted before this date or date-time.' })),
}

export const TrashQuery = Type.Object({
  ...selection,
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'From 1. A page past the end is empty.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
})

export type TrashValues = Static<typeof TrashQuery>

export const TrashRestoration = Type.Object(
  {
    ...selection,
    event_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MAX_RESTORED, description: 'Only these.' }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: '`true` says what would happen and changes nothing.' })),
    after: Type.Optional(
      Type.String({ maxLength: 64, description: '`next` of the response before: goes on where that ended.' }),
    ),
  },
  { ...exact, $id: 'TrashRestoration', description: 'Which deleted events to restore.' },
)

export type TrashRestorationValues = Static<typeof TrashRestoration>

export const RestoreQuery = Type.Object({
  replace: Type.Optional(
    Type.Boolean({ description: '`true` puts an event that has the `uid` by now in the trash, instead of 409.' }),
  ),
})

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
    deleted_with: enumOf(DELETED_WITH, {
      description: 'The kind of credential: a page, a calendar program, an API token, or a command on the machine.',
    }),
    credential_id: nullable(
      Type.String({ description: 'The session, app password or token. Null where none is known.' }),
    ),
    credential_name: nullable(
      Type.String({ description: 'The current name of the app password or token. Null where there is none any more.' }),
    ),
    continues: nullable(
      Type.String({ description: 'The event in the trash that had the `uid` before this one was created.' }),
    ),
    continued_by: nullable(
      Type.String({
        description: 'The event that has the `uid` now: restoring is 409 `uid_conflict`, or replaces it.',
      }),
    ),
    purged_at: Type.String({ format: 'date-time', description: 'When it can no longer be restored. UTC.' }),
  },
  { ...exact, $id: 'TrashEntry', description: 'A deleted event that can be restored.' },
)

const RESULTS = ['restored', 'uid_conflict', 'not_found', 'not_stored'] as const

const count = (description: string) => Type.Integer({ description })

export const RestoreReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    selected: count('How many deleted events the selection has, from `after` on, when the request began.'),
    restored: count('Restored, or in a dry run: would be.'),
    uid_conflict: count('Still in the trash: another event has the `uid`.'),
    not_found: count('Not in the trash any more: restored or deleted for good meanwhile.'),
    not_stored: count(
      'Still in the trash: could not be stored. Try again; the log names an event whose text cannot be read.',
    ),
    next: nullable(
      Type.String({ description: `Null at the end. One request handles ${MAX_RESTORED}: send it as \`after\`.` }),
    ),
    events: Type.Array(
      Type.Object({ id: Type.String(), uid: Type.String(), title: Type.String(), result: enumOf(RESULTS) }, exact),
      { description: 'Every event, the last deleted first.' },
    ),
  },
  { ...exact, $id: 'RestoreReport' },
)
