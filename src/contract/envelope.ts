// JSON schemas of the response envelope and of the error body.

import { fieldCodes } from '../errors.ts'
import { type JsonSchema, Type } from './json-schema.ts'

const exact = { additionalProperties: false }

export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String({ description: 'Stable, machine-readable.' }),
        message: Type.String({ description: 'For people.' }),
        details: Type.Optional(
          Type.Object(
            {
              fields: Type.Optional(
                Type.Array(
                  Type.Object(
                    {
                      field: Type.String(),
                      code: Type.Unsafe<string>({ type: 'string', enum: Object.keys(fieldCodes) }),
                      message: Type.String(),
                    },
                    exact,
                  ),
                ),
              ),
              current_version: Type.Optional(Type.Integer()),
              current_etag: Type.Optional(Type.String()),
              event_id: Type.Optional(Type.String({ description: 'The event that has the `uid`.' })),
              from: Type.Optional(Type.String()),
              to: Type.Optional(Type.String()),
              parameter: Type.Optional(Type.String({ description: 'The query parameter.' })),
              nearest: Type.Optional(Type.String({ description: 'The nearest parameter or value that exists.' })),
              value: Type.Optional(Type.String({ description: 'What of the parameter is not known.' })),
              header: Type.Optional(Type.String({ description: 'The request header.' })),
              allowed: Type.Optional(Type.Array(Type.String())),
              email_verified: Type.Optional(Type.Boolean()),
              reason: Type.Optional(Type.String({ description: 'Why a calendar file cannot be read.' })),
              line: Type.Optional(Type.Integer({ description: 'Where in the file, from 1.' })),
              index: Type.Optional(
                Type.Integer({ description: 'Which operation of an `atomic` request failed, from 0.' }),
              ),
              request_id: Type.Optional(Type.String()),
            },
            exact,
          ),
        ),
      },
      exact,
    ),
  },
  { ...exact, $id: 'Error', description: 'Every refusal has this shape.' },
)

export const Pagination = Type.Object(
  { page: Type.Integer(), per_page: Type.Integer(), total: Type.Integer(), total_pages: Type.Integer() },
  { ...exact, $id: 'Pagination' },
)

export const Meta = Type.Object(
  {
    pagination: Type.Optional(Pagination),
    range: Type.Optional(
      Type.Object({ from: Type.String({ format: 'date-time' }), to: Type.String({ format: 'date-time' }) }, exact),
    ),
    timezone: Type.Optional(Type.String()),
    view: Type.Optional(Type.String()),
    week_start: Type.Optional(
      Type.String({
        description:
          'With `view=week`: the setting, a weekday or `auto`. With `auto` the range begins as weeks of the calendar’s own language do, and pages show weeks of their reader’s language.',
      }),
    ),
    sync_token: Type.Optional(Type.String({ description: 'For the change feed: what has changed since this list.' })),
    has_more: Type.Optional(
      Type.Boolean({ description: 'Whether there are further changes: ask again with `sync_token`.' }),
    ),
    version: Type.Optional(Type.Integer()),
    counts: Type.Optional(Type.Record(Type.Integer())),
    warnings: Type.Optional(Type.Array(Type.String())),
    backup: Type.Optional(
      Type.Object(
        {
          status: Type.Unsafe<'ok' | 'waiting' | 'failing'>({
            type: 'string',
            enum: ['ok', 'waiting', 'failing'],
            description: '`waiting` until the first scheduled backup is made.',
          }),
          succeeded_at: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            format: 'date-time',
            description: 'When the last one was made.',
          }),
        },
        exact,
      ),
    ),
    password_link: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['mail', 'file'],
        description: 'How a link to choose a password left.',
      }),
    ),
    dropped_exceptions: Type.Optional(
      Type.Array(Type.String(), { description: 'Keys of deleted and edited occurrences that the edit has lost.' }),
    ),
    dropped: Type.Optional(
      Type.Array(
        Type.Object(
          {
            occurrence_key: Type.String(),
            type: Type.Unsafe<'excluded' | 'overridden'>({ type: 'string', enum: ['excluded', 'overridden'] }),
          },
          exact,
        ),
        { description: 'The same with what they were; at most 500.' },
      ),
    ),
    dropped_truncated: Type.Optional(Type.Boolean({ description: '`true` where more were lost than are listed.' })),
    continues: Type.Optional(
      Type.String({ description: 'The event in the trash that had the `uid` of a new one before.' }),
    ),
  },
  { ...exact, $id: 'Meta' },
)

export const enveloped = (data: JsonSchema) => Type.Object({ data, meta: Type.Optional(Meta) }, exact)
