// JSON schemas of the import: its query, and the report per event.

import { SKIP_REASONS } from '../domain/calendar/skip-reasons.ts'
import { enumOf, exact, nullable } from './fields.ts'
import { Type } from './json-schema.ts'

/** A typing error in the parameter must not turn a dry run into a real import. */
export const ImportQuery = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ description: '`true` says what would happen and changes nothing.' })),
})

export const CalendarFile = Type.String({
  description: 'An iCalendar file (RFC 5545) in UTF-8, 10 MiB at most.',
})

const count = (description: string) => Type.Integer({ description })

export const ImportReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    created: count('New events.'),
    updated: count('Events that were here under the same UID and are now as the file has them.'),
    unchanged: count('Events that were here already, just so.'),
    skipped: count('Entries that were not taken in.'),
    truncated: Type.Boolean({ description: 'Whether there are more entries than are listed. The counts are of all.' }),
    events: Type.Array(
      Type.Object(
        {
          uid: nullable(Type.String({ description: 'Null where the file gave none.' })),
          id: Type.Optional(
            Type.String({
              description: 'Its `event_id`; absent where it is skipped, and for a new event in a dry run.',
            }),
          ),
          title: Type.String({ description: 'Its first 80 characters.' }),
          result: enumOf(['created', 'updated', 'unchanged', 'skipped']),
          reason: Type.Optional(enumOf(SKIP_REASONS, { description: 'Why it was skipped.' })),
          message: Type.Optional(Type.String({ description: 'The reason, for people.' })),
          continues: Type.Optional(
            Type.String({ description: 'Of a new event: the one in the trash that had the `uid` before.' }),
          ),
          line: Type.Integer({ description: 'Where in the file it begins, or what of it cannot be read, from 1.' }),
        },
        exact,
      ),
      { description: 'Every entry, in the order of the file; of more than 10,000 so many, skipped ones first of all.' },
    ),
  },
  { ...exact, $id: 'ImportReport' },
)
