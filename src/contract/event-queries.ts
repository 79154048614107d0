// JSON schemas of the query parameters of lists.

import { VIEWS } from '../domain/time/window.ts'
import { enumOf } from './fields.ts'
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

export const ListQuery = Type.Object({
  ...window,
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Words, each of which begins a word in title, description, location or category; case and accents do not matter.',
    }),
  ),
  category: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Exactly this category. Without a window, events of which some occurrence has it. Empty: all.',
    }),
  ),
  expand: Type.Optional(
    Type.Boolean({ description: '`false` gives each event in the window once instead of its occurrences.' }),
  ),
})

export const OccurrencesQuery = Type.Object(window)

export const SingleQuery = Type.Object({ timezone: window.timezone })

export type ListQueryValues = Static<typeof ListQuery>
