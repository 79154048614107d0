// Documentation fields of a route for the OpenAPI document; its schemas are the ones that validate.
import type { JsonSchema } from '../../contract/json-schema.ts'
import type { ErrorCode } from '../../errors.ts'

/** Headers that a route may have in its successful response, besides those of every response. */
export type SuccessHeader =
  | 'ETag'
  | 'Location'
  | 'Link'
  | 'Idempotency-Replayed'
  | 'Set-Cookie'
  | 'Clear-Site-Data'
  | 'Content-Disposition'
  | 'X-Robots-Tag'

/** A successful response. */
export interface SuccessDocs {
  status: number
  description: string
  data?: JsonSchema
  contentType?: string
  headers?: readonly SuccessHeader[]
  /** True where the ETag is for `If-Match` alone and does not lead to a 304. */
  isForIfMatchOnly?: boolean
}

export interface RouteDocs {
  id: string
  summary: string
  description: string
  success: SuccessDocs
  /** A successful response with another status, to requests with certain parameters. */
  otherSuccess?: SuccessDocs
  /** Besides those that follow from its schemas, its access and its headers. */
  errors: readonly ErrorCode[]
  takesPrecondition?: 'required' | 'optional'
}

/** What the document needs to know of a route. */
export interface Described {
  method: string
  path: string
  docs: RouteDocs
  access: string | undefined
  /** Whether a page of another site is refused, with credentials or without. */
  checksOrigin: boolean
  takesIdempotencyKey: boolean
  takes: string | undefined
  schema: { body?: JsonSchema; querystring?: JsonSchema }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    docs?: RouteDocs
  }
}
