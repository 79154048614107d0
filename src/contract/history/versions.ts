// JSON schemas of earlier versions of events, and of their differences.
import { COMPARED_FIELDS } from '../../domain/calendar/compare-events.ts'
import { FullEvent } from '../event-responses.ts'
import { enumOf, exact, nullable, OccurrenceKey } from '../fields.ts'
import { type Static, Type } from '../json-schema.ts'

export const HistoryQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'From 1. A page past the end is empty.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20.' })),
})

export type HistoryValues = Static<typeof HistoryQuery>

export const VersionQuery = Type.Object({
  against: Type.Optional(
    enumOf(['previous', 'next', 'current'], {
      description:
        'What `changes` compares: the version before with this one (what it changed; the default), this one with the next (what that changed), or the current one with this (what restoring it would change).',
    }),
  ),
})

export type VersionValues = Static<typeof VersionQuery>

export const VersionRestore = Type.Object(
  { version: Type.Optional(Type.Integer({ description: 'The current version, instead of `If-Match`.' })) },
  exact,
)

const Value = Type.Unsafe<string | boolean | string[] | null>({
  type: ['string', 'boolean', 'array', 'null'],
  items: { type: 'string' },
})

const fieldChange = {
  before: Type.Optional(Value),
  after: Type.Optional(Value),
}

const OccurrenceField = Type.Object(
  { field: Type.String(), ...fieldChange },
  {
    ...exact,
    description: 'A field of an edited occurrence. `before` or `after` is absent where it has the value of the series.',
  },
)

export const EventChangeItem = Type.Object(
  {
    field: enumOf([...COMPARED_FIELDS, 'occurrence', 'other'], {
      description:
        'A field of the event; `occurrence` for one that was deleted, edited or brought back, with `series`, `edited` or `deleted` as `before` and `after`; `other` for parts of the calendar object that are no field, such as reminders.',
    }),
    ...fieldChange,
    occurrence_key: Type.Optional(OccurrenceKey),
    change: Type.Optional(enumOf(['deleted', 'edited', 'restored'])),
    fields: Type.Optional(Type.Array(OccurrenceField)),
  },
  { ...exact, $id: 'EventChange', description: 'A difference between two versions of an event.' },
)

const entry = {
  version: Type.Integer(),
  at: Type.String({ format: 'date-time', description: 'UTC.' }),
  by: nullable(
    Type.String({ description: 'The account. Null: an account that was deleted, the operator, or the service.' }),
  ),
  by_name: nullable(Type.String({ description: 'The current name of the account.' })),
  with: nullable(
    enumOf(['session', 'password', 'app_password', 'token', 'operator', 'service'], {
      description: 'The kind of credential. Null for versions made before it was recorded.',
    }),
  ),
  credential_name: nullable(Type.String({ description: 'The current name of the app password or token.' })),
  through: nullable(enumOf(['import', 'restore', 'rewind'], { description: 'Null for an ordinary request.' })),
  current: Type.Boolean(),
  deleted: nullable(
    Type.Object(
      {
        at: Type.String({ format: 'date-time', description: 'UTC.' }),
        by: nullable(Type.String()),
        by_name: nullable(Type.String()),
        with: enumOf(['session', 'password', 'app_password', 'token', 'operator']),
      },
      { ...exact, description: 'If the event was deleted then, and restored later.' },
    ),
  ),
}

export const HistoryItem = Type.Object(
  {
    ...entry,
    changes: nullable(
      Type.Array(EventChangeItem, {
        description:
          'Against the version before; at most 50, texts at most 200 characters long. Null for the first version that is kept, and after 1 MiB of texts on one page.',
      }),
    ),
    more_changes: Type.Integer({ description: 'How many changes are not listed.' }),
  },
  { ...exact, $id: 'HistoryEntry', description: 'A version of an event.' },
)

const { etag: _, ...versioned } = FullEvent.properties

export const HistoryVersion = Type.Object(
  {
    ...entry,
    event: Type.Object(versioned, {
      ...exact,
      description: 'The event as it was. `created_at` and `created_by` of its exceptions are those of this version.',
    }),
    against: nullable(Type.Integer({ description: 'The version it is compared with; null where there is none.' })),
    changes: nullable(Type.Array(EventChangeItem)),
  },
  { ...exact, $id: 'EventVersion', description: 'A version of an event, compared with another one.' },
)
