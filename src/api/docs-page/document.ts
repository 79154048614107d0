// Types and lookups for the parts of an OpenAPI document that the docs page shows.

export interface DocumentedSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  description?: string
  examples?: unknown[]
  properties?: Record<string, DocumentedSchema>
  required?: string[]
  items?: DocumentedSchema
  anyOf?: DocumentedSchema[]
  oneOf?: DocumentedSchema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: DocumentedSchema
  example?: unknown
}

export interface Media {
  schema?: DocumentedSchema
  examples?: Record<string, { value?: unknown }>
}

export interface Response {
  description: string
  content?: Record<string, Media>
}

export interface DocumentedOperation {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}

export interface OpenApiDocument {
  info: { title: string; version: string; description?: string }
  servers?: { url: string }[]
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  components?: { schemas?: Record<string, DocumentedSchema> }
}

export interface ListedOperation {
  method: string
  path: string
  operation: DocumentedOperation
}

export const listOperations = ({ paths }: OpenApiDocument): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Resolves a `$ref` to the named schema. */
export const resolve = (schema: DocumentedSchema, { components }: OpenApiDocument): DocumentedSchema =>
  schema.$ref ? (components?.schemas?.[nameOfRef(schema.$ref)] ?? {}) : schema

/** Names of all schemas that operations refer to, by way of others too, in the order of their first use. */
export function namedSchemas(operations: readonly ListedOperation[], document: OpenApiDocument): string[] {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'examples') continue
      if (key !== '$ref' || typeof inner !== 'string') visit(inner)
      else if (inner.startsWith(SCHEMAS) && !names.has(nameOfRef(inner))) {
        names.add(nameOfRef(inner))
        visit(document.components?.schemas?.[nameOfRef(inner)])
      }
    }
  }
  for (const { operation } of operations) visit([operation.responses, operation.requestBody])
  return [...names]
}

const SCHEMAS = '#/components/schemas/'
