// JSON schemas of the public routes: sidebar, categories and feeds.

import { VISIBILITIES } from '../domain/calendar/event.ts'
import { shades } from './categories/managed.ts'
import { SingleQuery } from './event-queries.ts'
import { placed } from './event-responses.ts'
import { enumOf, exact, nullable, OccurrenceKey, oneOrMany } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

export const SidebarQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Default 5.' })),
  ...SingleQuery.properties,
})

export type SidebarQueryValues = Static<typeof SidebarQuery>

export const SidebarEvent = Type.Object(
  {
    ...placed,
    visibility: enumOf(VISIBILITIES),
    occurrence_key: Type.Optional(nullable(OccurrenceKey)),
    location: Type.Optional(nullable(Type.String())),
  },
  {
    ...exact,
    $id: 'SidebarEvent',
    description: 'In short. A private one has its time alone, without `occurrence_key` and `location`.',
  },
)

export const Category = Type.Object(
  {
    name: Type.String(),
    count: Type.Integer({ minimum: 1, description: 'Public events of which some occurrence has it.' }),
    color_light: Type.Optional(shades.color_light),
    color_dark: Type.Optional(shades.color_dark),
    description: Type.Optional(nullable(Type.String())),
  },
  { ...exact, $id: 'Category', description: 'Without colours and description where it is not managed.' },
)

export const FeedQuery = Type.Object({
  category: Type.Optional(
    oneOrMany(
      'Only public events of which some occurrence has exactly this category; given more than once, any of these. Empty: all.',
    ),
  ),
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Only what goes on or comes after the beginning of this day. Of a date-time its day in the calendar’s zone counts. Default: everything.',
    }),
  ),
})

export type FeedQueryValues = Static<typeof FeedQuery>

/** https://oembed.com, section 2.2. */
export const OEmbedQuery = Type.Object({
  url: Type.String({ maxLength: 2_000 }),
  format: Type.Optional(Type.String({ maxLength: 20 })),
  maxwidth: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  maxheight: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
})

export type OEmbedQueryValues = Static<typeof OEmbedQuery>

export const BusyTime = Type.Object(
  { start: Type.String({ format: 'date-time' }), end: Type.String({ format: 'date-time' }) },
  { ...exact, $id: 'BusyTime', description: 'A time that is taken, in UTC; the end is exclusive.' },
)
