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

/** By tag, otherwise by the last fixed segment of the path; groups of one operation are collected in `Others`. */
export function groupOperations(operations: readonly ListedOperation[]): [string, ListedOperation[]][] {
  const groups = Map.groupBy(operations, ({ path, operation }) => operation.tags?.[0] ?? lastFixedPart(path))
  const large = [...groups].filter(([, group]) => group.length > 1)
  const rest = [...groups.values()].filter((group) => group.length === 1).flat()
  return rest.length > 0 ? [...large, ['Others', rest]] : large
}

function lastFixedPart(path: string): string {
  const name = path
    .split('/')
    .filter((part) => part && !part.startsWith('{'))
    .at(-1)
  return name ? name[0]!.toUpperCase() + name.slice(1) : 'Others'
}

export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Resolves a `$ref` to the named schema. */
export const resolve = (schema: DocumentedSchema, { components }: OpenApiDocument): DocumentedSchema =>
  schema.$ref ? (components?.schemas?.[nameOfRef(schema.$ref)] ?? {}) : schema
