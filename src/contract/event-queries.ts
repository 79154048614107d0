// JSON schemas of the query parameters of lists.

import { STATUSES, VISIBILITIES } from '../domain/calendar/event.ts'
import { LIST_ORDERS, PUBLIC_ORDERS } from '../domain/calendar/list-order.ts'
import { VIEWS } from '../domain/time/window.ts'
import { enumOf, oneOrMany } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

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
    enumOf(VIEWS, { description: 'The day, week, month or year around `from` (or today), or an open-ended list.' }),
  ),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA zone the window is meant and answered in.' }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'From 1. A page past the end is empty.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
}

const listed = {
  ...window,
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Words, each of which begins a word in title, description, location or category; case and accents do not matter.',
    }),
  ),
  category: Type.Optional(
    oneOrMany(
      'Exactly this category; given more than once, any of these. Without a window, events of which some occurrence has it. Empty: all.',
    ),
  ),
  expand: Type.Optional(
    Type.Boolean({ description: '`false` gives each event in the window once instead of its occurrences.' }),
  ),
  fields: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Names of fields, separated by commas: each entry has only these, and always `id`; others are absent although its schema requires them.',
      examples: ['title,start,end'],
    }),
  ),
}

/** Of readers without full access. */
export const PublicListQuery = Type.Object({
  ...listed,
  sort: Type.Optional(enumOf(PUBLIC_ORDERS, { description: 'By start, the soonest first, or with `-` the last.' })),
})

export const ListQuery = Type.Object({
  ...listed,
  sort: Type.Optional(
    enumOf(LIST_ORDERS, {
      description:
        'By start, or by the last change of each event; `-` is the reverse. For readers with full access, `updated` sorts events and not occurrences: without a window, or with `expand=false`.',
    }),
  ),
  uid: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The event with this UID. For readers with full access.',
    }),
  ),
  status: Type.Optional(
    enumOf(STATUSES, {
      description:
        'Without a window, events of which the series or some edited occurrence has it. For readers with full access.',
    }),
  ),
  visibility: Type.Optional(enumOf(VISIBILITIES, { description: 'For readers with full access.' })),
})

export const OccurrencesQuery = Type.Object(window)

/** Both ends are required. */
export const FreeBusyQuery = Type.Object({
  from: Type.String({
    maxLength: 40,
    description: 'Date or date-time, inclusive. Without an offset, local to `timezone`.',
    examples: ['2026-07-01'],
  }),
  to: Type.String({
    maxLength: 40,
    description: 'A date takes its whole day in; a date-time is exclusive.',
    examples: ['2026-07-31'],
  }),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA zone of dates, all-day events and `meta.range`.' }),
  ),
})

export type FreeBusyQueryValues = Static<typeof FreeBusyQuery>

export const SingleQuery = Type.Object({ timezone: window.timezone })

export const OCCURRENCE_SCOPES = ['occurrence', 'following'] as const

export const ScopeQuery = Type.Object({
  scope: Type.Optional(
    enumOf(OCCURRENCE_SCOPES, {
      description: '`following`: this occurrence and all later ones, by their keys. Default `occurrence`: this one.',
    }),
  ),
})

export type OccurrenceScope = (typeof OCCURRENCE_SCOPES)[number]

export const ChangesQuery = Type.Object({
  since: Type.Optional(
    Type.String({ maxLength: 1_500, description: '`meta.sync_token` of a list or of the last changes.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 100.' })),
  timezone: window.timezone,
})

/** Streams take the token as a parameter too: a page cannot send `Last-Event-ID` with its first request. */
export const StreamQuery = Type.Object({ since: ChangesQuery.properties.since })

export type StreamValues = Static<typeof StreamQuery>

export type ChangesValues = Static<typeof ChangesQuery>

export type ListQueryValues = Static<typeof ListQuery>
