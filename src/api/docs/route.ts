// Documentation fields of a route for the OpenAPI document; its schemas are the ones that validate.
import type { JsonSchema } from '../../contract/json-schema.ts'
import type { ErrorCode } from '../../errors.ts'

export interface RouteDocs {
  id: string
  summary: string
  description?: string
  success: { status: number; description: string; data?: JsonSchema; contentType?: string }
  /** Besides those that follow from its schemas, its access and its headers. */
  errors: readonly ErrorCode[]
  takesPrecondition?: 'required' | 'optional'
  takesIdempotencyKey?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    docs?: RouteDocs
  }
}
