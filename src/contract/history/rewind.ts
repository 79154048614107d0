// JSON schemas of a rewind of the calendar: what is asked for, and what came of each event.
import { enumOf, exact, nullable } from '../fields.ts'
import { type Static, Type } from '../json-schema.ts'

export const RewindBody = Type.Object(
  {
    to: Type.String({
      maxLength: 40,
      description: 'The moment, in ISO 8601; without an offset in the zone of the calendar.',
      examples: ['2026-11-16T14:00'],
    }),
    by: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'The email address of an account: only changes of this account are undone.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: '`true` says what would happen and changes nothing.' })),
  },
  { ...exact, $id: 'Rewind' },
)

export type RewindValues = Static<typeof RewindBody>

const count = (description: string) => Type.Integer({ description })
const Moment = Type.String({ format: 'date-time', description: 'UTC.' })

export const RewindResult = Type.Object(
  {
    dry_run: Type.Boolean(),
    to: Moment,
    undo_to: nullable({ ...Moment, description: 'Rewinding to this moment undoes it. Null for a dry run.' }),
    deleted: count('Events created since, which are in the trash now.'),
    changed: count('Events changed since, which have their text of then.'),
    restored: count('Events deleted since, which are back.'),
    skipped: count('Events that are left as they are.'),
    published: count('Private events among them whose text of then is public, and which everyone sees again.'),
    truncated: Type.Boolean({ description: 'Whether there are more events than are listed. The counts are of all.' }),
    events: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          title: Type.String({ description: 'The title it had before the rewind.' }),
          result: enumOf(['deleted', 'changed', 'restored', 'skipped']),
          reason: Type.Optional(
            enumOf(['changed_later', 'changed_meanwhile', 'not_kept', 'uid_conflict', 'not_stored'], {
              description:
                'Why it was skipped: another account changed it later; it was changed during the rewind; its text of then is not kept; another event has its UID; it could not be stored.',
            }),
          ),
          published: Type.Boolean(),
        },
        exact,
      ),
      { description: 'At most 1,000.' },
    ),
  },
  { ...exact, $id: 'RewindReport' },
)
