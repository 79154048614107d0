// The JSON of events that both sides sign: the schemas that validate, type and document requests and answers.
import Type, { type Static, type TSchema } from 'typebox'
import { STATUSES, TRANSPARENCIES, VISIBILITIES } from '../domain/calendar/event.ts'
import { VIEWS } from '../domain/time/window.ts'

/** A value or null, as one type keyword, so that a wrong value gives one clear problem. */
const nullable = <Schema extends TSchema>(schema: Schema) => {
  const { type, enum: values } = schema as unknown as { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  })
}

const oneOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })

const text = (maxLength: number, description: string, minLength = 0) =>
  Type.String({ maxLength, description, ...(minLength ? { minLength } : {}) })

const EventId = Type.String({
  description: 'Opaque identifier, 26 characters.',
  examples: ['5tq0fj1m3v8k2c9r7d6h4n0b1e'],
})

const OccurrenceKey = Type.String({
  description:
    'Nominal local start of the occurrence in the series’ own zone: `YYYYMMDDTHHMMSS`, or `YYYYMMDD` for all-day events.',
  examples: ['20260714T090000'],
})

const writable = {
  title: text(255, 'Required. Trimmed, one line.', 1),
  description: text(10_000, 'Plain text.'),
  location: text(500, 'Where it takes place.'),
  category: text(64, 'One category.'),
  visibility: oneOf(VISIBILITIES, {
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
    maxItems: 500,
    description: 'Extra occurrences, as occurrence keys.',
  }),
  exdates: Type.Array(Type.String({ maxLength: 40 }), {
    maxItems: 500,
    description: 'Excluded occurrences, as occurrence keys. Omitted in an update: they stay.',
  }),
  status: oneOf(STATUSES, { description: 'Default `confirmed`.' }),
  transparency: oneOf(TRANSPARENCIES, { description: 'Whether it takes up time. Default `opaque`.' }),
  url: Type.String({ maxLength: 2_048, description: 'http or https.', examples: ['https://example.org/choir'] }),
}

const optional = Object.fromEntries(
  Object.entries(writable).map(([name, schema]) => [name, Type.Optional(nullable(schema as TSchema))]),
) as unknown as { [Name in keyof typeof writable]: ReturnType<typeof Type.Optional<TSchema>> }

const Uid = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'iCalendar UID; made by the service when omitted. Only at creation.',
})

/** Shown only; they may be sent back as they came. */
const readOnly = Object.fromEntries(
  [
    'id',
    'uid',
    'exceptions',
    'occurrence_key',
    'recurring',
    'start_date',
    'end_date',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'etag',
  ].map((name) => [name, Type.Optional(Type.Unknown({ description: 'Read-only; ignored when sent back unchanged.' }))]),
)

const Version = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version this change is based on, where `If-Match` is not sent.' }),
)

const exact = { additionalProperties: false }

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
  { ...readOnly, ...optional, title: writable.title, start: writable.start, end: writable.end, version: Version },
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
  { ...readOnly, ...optional, version: Version },
  {
    ...exact,
    $id: 'EventPatch',
    description: 'A JSON Merge Patch (RFC 7396): absent keeps, null clears.',
    examples: [{ location: 'Small hall', version: 2 }],
  },
)

const { title, description, location, category, url, status, start, end } = optional

export const OccurrencePatch = Type.Object(
  { title, description, location, category, url, status, start, end, version: Version },
  {
    ...exact,
    $id: 'OccurrencePatch',
    description: 'What one occurrence has of its own. `version` is the series’.',
    examples: [{ start: '2026-07-21T20:00', end: '2026-07-21T21:30', version: 3 }],
  },
)

const Moment = (what: string) => Type.String({ format: 'date-time', description: what })
const DateText = Type.String({ format: 'date' })
const Timestamp = Type.String({ format: 'date-time', description: 'UTC.' })
const orNull = (schema: TSchema) => nullable(schema)

const placed = {
  id: EventId,
  title: Type.String(),
  start: Moment('With the offset of the zone the answer is given in.'),
  end: Moment('Exclusive.'),
  all_day: Type.Boolean(),
  start_date: Type.Optional(DateText),
  end_date: Type.Optional(DateText),
}

const words = {
  description: orNull(Type.String()),
  location: orNull(Type.String()),
  category: orNull(Type.String()),
  url: orNull(Type.String()),
  status: oneOf(STATUSES),
}

const repetition = {
  rrule: orNull(Type.String()),
  rdates: Type.Array(OccurrenceKey),
  exdates: Type.Array(OccurrenceKey),
}

const recurring = { recurring: Type.Boolean(), occurrence_key: orNull(OccurrenceKey) }

export const ExceptionItem = Type.Object(
  {
    occurrence_key: OccurrenceKey,
    type: oneOf(['excluded', 'overridden']),
    created_at: Timestamp,
    created_by: orNull(Type.String()),
    title: Type.Optional(Type.String()),
    description: Type.Optional(orNull(Type.String())),
    location: Type.Optional(orNull(Type.String())),
    category: Type.Optional(orNull(Type.String())),
    url: Type.Optional(orNull(Type.String())),
    status: Type.Optional(oneOf(STATUSES)),
    start: Type.Optional(Moment('Where it was moved to.')),
    end: Type.Optional(Moment('Exclusive.')),
  },
  { ...exact, $id: 'RecurrenceException', description: 'A deleted or edited occurrence.' },
)

const record = {
  uid: Type.String(),
  transparency: oneOf(TRANSPARENCIES),
  timezone: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: orNull(Type.String()),
  updated_by: orNull(Type.String()),
  version: Type.Integer(),
  etag: Type.String({ examples: ['"e-1-3f9a62c1"'] }),
}

export const FullEvent = Type.Object(
  {
    ...placed,
    visibility: oneOf(VISIBILITIES),
    ...words,
    ...recurring,
    ...repetition,
    exceptions: Type.Array(ExceptionItem),
    ...record,
  },
  { ...exact, $id: 'Event', description: 'An event as its keepers see it.' },
)

export const FullOccurrence = Type.Object(
  { ...placed, visibility: oneOf(VISIBILITIES), ...words, ...recurring, rrule: repetition.rrule, ...record },
  { ...exact, $id: 'Occurrence', description: 'One occurrence as the keepers of the calendar see it.' },
)

export const PublicEvent = Type.Object(
  {
    ...placed,
    visibility: oneOf(['public']),
    ...words,
    ...recurring,
    timezone: Type.String(),
    rrule: Type.Optional(repetition.rrule),
    rdates: Type.Optional(repetition.rdates),
    exdates: Type.Optional(repetition.exdates),
  },
  { ...exact, $id: 'PublicEvent', description: 'A public event as anyone sees it.' },
)

const masked = { ...placed, title: Type.Literal('Private Event'), visibility: oneOf(['private']) }

export const MaskedEvent = Type.Object(masked, {
  ...exact,
  $id: 'MaskedEvent',
  description: 'A private event as anyone sees it in a list: its time, and nothing else.',
})

export const MaskedSeries = Type.Object(
  {
    ...masked,
    timezone: Type.String(),
    rrule: Type.Optional(Type.String()),
    rdates: Type.Optional(Type.Array(OccurrenceKey)),
    exdates: Type.Optional(Type.Array(OccurrenceKey)),
  },
  {
    ...exact,
    $id: 'MaskedSeries',
    description: 'A private event by itself: its time, how it repeats, and nothing else.',
  },
)

const window = {
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Date or date-time, inclusive. Without an offset, local to `timezone`.',
      examples: ['2026-07-01'],
    }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'A date takes its whole day in; a date-time is exclusive.',
      examples: ['2026-07-31'],
    }),
  ),
  view: Type.Optional(
    oneOf(VIEWS, { description: 'The day, week, month or year around `from` (or today), or an open-ended list.' }),
  ),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA zone the window is meant and answered in.' }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'From 1. A page past the end is empty.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
}

export const ListQuery = Type.Object({
  ...window,
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Words in title, description, location or category; case and accents do not matter.',
    }),
  ),
  category: Type.Optional(Type.String({ maxLength: 64, description: 'Exactly this category.' })),
  expand: Type.Optional(
    Type.Boolean({ description: '`false` gives each event in the window once instead of its occurrences.' }),
  ),
})

export const OccurrencesQuery = Type.Object(window)

export const SingleQuery = Type.Object({ timezone: window.timezone })

export type ListQueryValues = Static<typeof ListQuery>
