// JSON schemas of request traces for administrators: names, types and sizes, never contents.

import { enumOf, exact, nullable } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

export const DiagnosticsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'How many. Default 20.' })),
})

export type DiagnosticsValues = Static<typeof DiagnosticsQuery>

const Names = (description: string) => Type.Record(Type.String(), { description })
const Bytes = nullable(Type.Integer({ description: 'As announced; null when it was not.' }))

const headers = (names: readonly string[], description: string) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())])), { ...exact, description })

const Request = Type.Object(
  {
    method: Type.String(),
    route: nullable(
      Type.String({ description: 'As documented, such as `/events/{event_id}`. Null: no such address.' }),
    ),
    query: Names('Times, zones, pages and views as sent; every other parameter as `[redacted]`, unknown ones as `?`.'),
    headers: headers(
      [
        'user-agent',
        'accept',
        'content-type',
        'depth',
        'if-match',
        'if-none-match',
        'prefer',
        'origin',
        'sec-fetch-site',
        'authorization',
        'cookie',
        'x-csrf-token',
      ],
      'What has not the shape such values have is `[other]`; credentials are `[redacted]`.',
    ),
    body: Type.Union([Names('Each field with its type and length; unknown fields as `?`.'), Type.Null()]),
    bytes: Bytes,
  },
  exact,
)

const Response = Type.Object(
  {
    status: Type.Integer(),
    error_code: nullable(Type.String()),
    headers: headers(['content-type', 'etag', 'retry-after', 'location', 'set-cookie'], 'As for the request.'),
    bytes: Bytes,
  },
  exact,
)

export const TraceItem = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time', description: 'UTC, when the answer was complete.' }),
    request_id: Type.String({ description: 'What the client got as `X-Request-Id`.' }),
    node: Type.String({ description: 'Which process answered.' }),
    duration_ms: Type.Number(),
    auth: enumOf(['anonymous', 'session', 'basic', 'token']),
    user_id: nullable(Type.String()),
    client_net: nullable(Type.String({ description: 'The /24 or /48 it came from.' })),
    request: Request,
    response: Response,
    rate_policy: nullable(Type.String({ description: 'Which limit refused it.' })),
  },
  { ...exact, $id: 'Trace', description: 'One request and its answer, without their content.' },
)
