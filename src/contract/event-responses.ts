// JSON schemas of shown events, one per sight. Tests validate every response against them.

import { STATUSES, TRANSPARENCIES, VISIBILITIES } from '../domain/calendar/event.ts'
import { ErrorBody, Meta } from './envelope.ts'
import { enumOf, exact, nullable, OccurrenceKey } from './fields.ts'
import { type JsonSchema, Type } from './json-schema.ts'

const EventId = Type.String({
  description: 'Opaque identifier, 26 characters.',
  examples: ['5tq0fj1m3v8k2c9r7d6h4n0b1e'],
})

const Moment = (what: string) => Type.String({ format: 'date-time', description: what })
const DateText = Type.String({ format: 'date' })
const Timestamp = Type.String({ format: 'date-time', description: 'UTC.' })
const orNull = (schema: JsonSchema) => nullable(schema)

export const placed = {
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
  status: enumOf(STATUSES),
}

const lastListed = {
  last_listed: Type.Optional({
    ...OccurrenceKey,
    description:
      'The last occurrence in lists, where a calendar program sent a rule that goes on more often than daily.',
  }),
}

const repetition = {
  rrule: orNull(Type.String()),
  rdates: Type.Array(OccurrenceKey),
  exdates: Type.Array(OccurrenceKey),
  ...lastListed,
}

const recurring = { recurring: Type.Boolean(), occurrence_key: orNull(OccurrenceKey) }

export const ExceptionItem = Type.Object(
  {
    occurrence_key: OccurrenceKey,
    type: enumOf(['excluded', 'overridden']),
    created_at: Timestamp,
    created_by: orNull(Type.String()),
    title: Type.Optional(Type.String()),
    description: Type.Optional(orNull(Type.String())),
    location: Type.Optional(orNull(Type.String())),
    category: Type.Optional(orNull(Type.String())),
    url: Type.Optional(orNull(Type.String())),
    status: Type.Optional(enumOf(STATUSES)),
    start: Type.Optional(Moment('Where it was moved to.')),
    end: Type.Optional(Moment('Exclusive.')),
  },
  { ...exact, $id: 'RecurrenceException', description: 'A deleted or edited occurrence.' },
)

const record = {
  uid: Type.String(),
  transparency: enumOf(TRANSPARENCIES),
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
    visibility: enumOf(VISIBILITIES),
    ...words,
    ...recurring,
    ...repetition,
    exceptions: Type.Array(ExceptionItem),
    ...record,
  },
  { ...exact, $id: 'Event', description: 'An event as its keepers see it.' },
)

export const FullOccurrence = Type.Object(
  { ...placed, visibility: enumOf(VISIBILITIES), ...words, ...recurring, rrule: repetition.rrule, ...record },
  { ...exact, $id: 'Occurrence', description: 'One occurrence as the keepers of the calendar see it.' },
)

export const PublicEvent = Type.Object(
  {
    ...placed,
    visibility: enumOf(['public']),
    ...words,
    ...recurring,
    timezone: Type.String(),
    rrule: Type.Optional(repetition.rrule),
    rdates: Type.Optional(repetition.rdates),
    exdates: Type.Optional(repetition.exdates),
    ...lastListed,
  },
  { ...exact, $id: 'PublicEvent', description: 'A public event as anyone sees it.' },
)

const masked = { ...placed, title: Type.Literal('Private Event'), visibility: enumOf(['private']) }

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
    ...lastListed,
  },
  {
    ...exact,
    $id: 'MaskedSeries',
    description: 'A private event by itself: its time, how it repeats, and nothing else.',
  },
)

export const UnseenEvent = Type.Object(
  { id: EventId },
  {
    ...exact,
    $id: 'UnseenEvent',
    description: 'A cancelled private event, as a token gets it that writes and does not read: its identifier.',
  },
)

/** What anyone sees: the whole of a public event, the time of a private one. */
export const SeenInList = Type.Discriminated('visibility', { public: PublicEvent, private: MaskedEvent })
export const SeenAlone = Type.Discriminated('visibility', { public: PublicEvent, private: MaskedSeries })

const feedItem = {
  change: enumOf(['created', 'updated', 'deleted'], {
    description: '`created`: since the token the event came to be, or to be visible to this reader.',
  }),
  id: EventId,
}

export const FeedItem = Type.Object(
  { ...feedItem, event: Type.Optional(FullEvent) },
  { ...exact, $id: 'Change', description: 'A changed event as stored, or the identifier of a deleted one.' },
)

export const SeenFeedItem = Type.Object(
  { ...feedItem, event: Type.Optional(SeenInList) },
  { ...exact, $id: 'SeenChange', description: 'A changed event as anyone sees it in a list.' },
)

/** Fields of list entries at each sight. */
export const LIST_FIELDS = {
  full: Object.keys({ ...FullEvent.properties, ...FullOccurrence.properties }),
  public: Object.keys(PublicEvent.properties),
}

export const BulkResultItem = Type.Object(
  {
    status: Type.Integer({ description: 'As the single operation answers: 201, 200, 204, or that of the error.' }),
    data: Type.Optional(Type.Union([FullEvent, SeenAlone, UnseenEvent])),
    meta: Type.Optional(Meta),
    error: Type.Optional(ErrorBody.properties.error),
  },
  { ...exact, $id: 'BulkResult', description: 'The result of one operation.' },
)
