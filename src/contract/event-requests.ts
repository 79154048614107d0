// JSON schemas of event request bodies: the shape only; the domain checks the meaning.

import { STATUSES, TRANSPARENCIES, VISIBILITIES } from '../domain/calendar/event.ts'
import { MAX_EXCEPTIONS } from '../domain/calendar/event-limits.ts'
import { MAX_SENT_DATES, MAX_STORED_CHARS, MAX_TEXT_CHARS } from '../domain/calendar/fields.ts'
import { enumOf, exact, nullable } from './fields.ts'
import { type JsonSchema, type Static, Type } from './json-schema.ts'

const text = (maxLength: number, description: string, minLength = 0) =>
  Type.String({ maxLength, description, ...(minLength ? { minLength } : {}) })

const RDATES = 'Extra occurrences, as occurrence keys.'
const EXDATES = 'Excluded occurrences, as occurrence keys. Omitted in an update: they stay.'

const writable = {
  title: text(MAX_TEXT_CHARS.title, 'One line, trimmed.', 1),
  description: text(MAX_TEXT_CHARS.description, 'Plain text.'),
  location: text(MAX_TEXT_CHARS.location, 'Where it takes place.'),
  category: text(MAX_TEXT_CHARS.category, 'One category.'),
  visibility: enumOf(VISIBILITIES, {
    description:
      'Private events keep their time in public answers and nothing else. The default is a setting, shipped as `private`.',
  }),
  start: Type.String({
    maxLength: 40,
    description: 'ISO 8601. Without an offset it is local time in `timezone`; all-day events may send a date.',
    examples: ['2026-07-14T09:00:00+01:00'],
  }),
  end: Type.String({
    maxLength: 40,
    description: 'Exclusive; not before `start`; at most 366 days after it.',
    examples: ['2026-07-14T10:30:00+01:00'],
  }),
  all_day: Type.Boolean({ description: 'Default false.' }),
  timezone: Type.String({
    maxLength: 64,
    description: 'IANA name. Default Europe/London, or as configured.',
    examples: ['Europe/London'],
  }),
  rrule: Type.String({
    maxLength: 512,
    description: 'RFC 5545 RRULE value, DAILY to YEARLY. Comes back in canonical form.',
    examples: ['FREQ=WEEKLY;BYDAY=TU'],
  }),
  rdates: Type.Array(Type.String({ maxLength: 40 }), {
    maxItems: MAX_SENT_DATES,
    description: RDATES,
  }),
  exdates: Type.Array(Type.String({ maxLength: 40 }), {
    maxItems: MAX_SENT_DATES,
    description: EXDATES,
  }),
  status: enumOf(STATUSES, { description: 'Default `confirmed`.' }),
  transparency: enumOf(TRANSPARENCIES, { description: 'Whether it takes up time. Default `opaque`.' }),
  url: Type.String({
    maxLength: MAX_TEXT_CHARS.url,
    description: 'http or https.',
    examples: ['https://example.org/choir'],
  }),
}

const optional = Object.fromEntries(
  Object.entries(writable).map(([name, schema]) => [name, Type.Optional(nullable(schema as JsonSchema))]),
) as unknown as { [Name in keyof typeof writable]: ReturnType<typeof Type.Optional> }

/** A calendar program may store longer texts than a request may bring; sent back unchanged, they are accepted. */
const longText = (maxLength: number, description: string, minLength = 0) =>
  text(MAX_STORED_CHARS, `${description} More than ${maxLength} characters only where it was there before.`, minLength)

const longTitle = longText(MAX_TEXT_CHARS.title, 'One line, trimmed.', 1)
const longTexts = {
  description: Type.Optional(nullable(longText(MAX_TEXT_CHARS.description, 'Plain text.'))),
  location: Type.Optional(nullable(longText(MAX_TEXT_CHARS.location, 'Where it takes place.'))),
}

/** An event always has these, so a patch cannot clear them. */
const kept = {
  title: Type.Optional(longTitle),
  start: Type.Optional(writable.start),
  end: Type.Optional(writable.end),
}

/** A file may bring more dates than a request may add; sent back unchanged, they must not cause a refusal. */
const longList = (description: string) =>
  Type.Optional(
    nullable(
      Type.Array(Type.String({ maxLength: 40 }), {
        maxItems: MAX_EXCEPTIONS,
        description: `${description} More than ${MAX_SENT_DATES} only where all of them were there before.`,
      }),
    ),
  )

const longLists = { rdates: longList(RDATES), exdates: longList(EXDATES) }

const Uid = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'iCalendar UID; made by the service when omitted. Only at creation.',
})

/** Fields of a read event that no update can change; they may be sent back unchanged. */
export const READ_ONLY = [
  'occurrence_key',
  'id',
  'uid',
  'exceptions',
  'recurring',
  'last_listed',
  'start_date',
  'end_date',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  'etag',
] as const

/** The same of one occurrence: some are fields of its series, and are changed there. */
export const READ_ONLY_OF_OCCURRENCE = [
  'occurrence_key',
  'id',
  'uid',
  'recurring',
  'all_day',
  'start_date',
  'end_date',
  'timezone',
  'visibility',
  'rrule',
  'transparency',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  'etag',
] as const

const readOnly = (names: readonly string[]) => {
  const description = 'Read-only; any value but the one that a read shows is refused, null included.'
  return Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown({ description }))]))
}

const Version = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version this change is based on, where `If-Match` is not sent.' }),
)

export const NewEvent = Type.Object(
  { ...optional, title: writable.title, start: writable.start, end: writable.end, uid: Type.Optional(Uid) },
  {
    ...exact,
    $id: 'NewEvent',
    description: 'An event to create.',
    examples: [
      {
        title: 'Town choir',
        start: '2026-07-14T19:30',
        end: '2026-07-14T21:00',
        visibility: 'public',
        rrule: 'FREQ=WEEKLY;BYDAY=TU',
        location: 'Main hall',
        category: 'Music',
      },
    ],
  },
)

export const EventReplacement = Type.Object(
  {
    ...readOnly(READ_ONLY),
    ...optional,
    ...longLists,
    ...longTexts,
    title: longTitle,
    start: writable.start,
    end: writable.end,
    version: Version,
  },
  {
    ...exact,
    $id: 'EventReplacement',
    description: 'A whole event: omitted fields take their defaults, exceptions stay.',
    examples: [
      {
        title: 'Town choir',
        start: '2026-07-14T19:00',
        end: '2026-07-14T21:00',
        visibility: 'public',
        rrule: 'FREQ=WEEKLY;BYDAY=TU',
        version: 1,
      },
    ],
  },
)

export const EventPatch = Type.Object(
  { ...readOnly(READ_ONLY), ...optional, ...kept, ...longLists, ...longTexts, version: Version },
  {
    ...exact,
    $id: 'EventPatch',
    description:
      'A JSON Merge Patch (RFC 7396): absent keeps, null clears. `start` without `end` moves the event, with its length.',
    examples: [{ location: 'Small hall', version: 2 }],
  },
)

const { category, url, status, visibility, transparency, all_day, timezone, rrule } = optional

/** A series has these: of a single occurrence they are read-only. */
const ofFollowing = { visibility, transparency, all_day, timezone, rrule }

export const FOLLOWING_FIELDS = Object.keys(ofFollowing)

export const OccurrencePatch = Type.Object(
  {
    ...readOnly(READ_ONLY_OF_OCCURRENCE),
    ...kept,
    ...longTexts,
    category,
    url,
    status,
    ...ofFollowing,
    version: Version,
  },
  {
    ...exact,
    $id: 'OccurrencePatch',
    description:
      'What one occurrence has of its own. `version` is the series’. An occurrence as read can be sent back. With `scope=following` also `visibility`, `transparency`, `all_day`, `timezone` and `rrule`.',
    examples: [{ start: '2026-07-21T20:00', end: '2026-07-21T21:30', version: 3 }],
  },
)

export const MAX_OPERATIONS = 500

const BulkOperationItem = Type.Object(
  {
    op: enumOf(['create', 'update', 'delete'], { description: 'What to do with the event.' }),
    id: Type.Optional(Type.String({ maxLength: 64, description: 'The event to update or delete.' })),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The version it is based on. An update needs this, `etag`, or `version` in its `event`.',
      }),
    ),
    etag: Type.Optional(Type.String({ maxLength: 100, description: 'The same as an ETag.' })),
    event: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'A `NewEvent` to create; an `EventPatch` to update. Each is checked by itself.',
      }),
    ),
  },
  { ...exact, $id: 'BulkOperation', description: 'One operation.' },
)

export type BulkOperationBody = Static<typeof BulkOperationItem>

export const BulkRequest = Type.Object(
  {
    operations: Type.Array(BulkOperationItem, {
      minItems: 1,
      maxItems: MAX_OPERATIONS,
      description: 'Carried out in this order.',
    }),
    atomic: Type.Optional(Type.Boolean({ description: 'All or none. Default `false`.' })),
  },
  {
    ...exact,
    $id: 'BulkRequest',
    examples: [
      {
        operations: [
          { op: 'create', event: { title: 'Town choir', start: '2026-07-14T19:30', end: '2026-07-14T21:00' } },
          { op: 'update', id: '5tq0fj1m3v8k2c9r7d6h4n0b1e', version: 3, event: { location: 'Small hall' } },
          { op: 'delete', id: '7k2c9r5tq0fj1m3v8d6h4n0b1e' },
        ],
        atomic: true,
      },
    ],
  },
)

export interface BulkBody extends Static<typeof BulkRequest> {}
