// Generates web/api/contract.ts: a type for each API operation, from the OpenAPI document.
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

interface ContractSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: ContractSchema[]
  items?: ContractSchema
  properties?: Record<string, ContractSchema>
  required?: string[]
  patternProperties?: Record<string, ContractSchema>
  additionalProperties?: boolean | ContractSchema
}

interface Content {
  content?: Record<string, { schema?: ContractSchema }>
}

interface ContractOperation {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; schema: ContractSchema }[]
  requestBody?: Content
  responses: Record<string, Content>
}

interface Description {
  paths: Record<string, Record<string, ContractOperation>>
  components: { schemas: Record<string, ContractSchema> }
}

export const CONTRACT_FILE = join(import.meta.dirname, '..', 'api', 'contract.ts')

const HEAD = `// Made by web/build/write-contract.ts from the service’s own description of its API. Not to be edited: \`npm run contract\`.
`

export async function readDescription(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-contract-'))
  const app = await buildApp(loadConfig({ DAYBOOK_DATA_DIR: folder, DAYBOOK_LOG_LEVEL: 'silent' }, folder))
  try {
    await app.server.ready()
    return app.openApi()
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
}

export function contractOf(description: object): string {
  const { paths, components } = description as Description
  const shapes = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}`)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const types = operations.map(({ operation }) => `  ${operation.operationId}: ${operationType(operation)}`)
  const places = operations.map(
    ({ path, method, operation }) => `  ${operation.operationId}: { method: '${method}', path: '${path}' },`,
  )
  const operationTypes = ['export interface Operations {', ...types, '}'].join('\n')
  return `${HEAD}
${shapes.join('\n\n')}

${operationTypes}

export const PLACES = {
${places.join('\n')}
} as const satisfies Record<keyof Operations, { method: string; path: string }>
`
}

function operationType({ parameters = [], requestBody, responses }: ContractOperation): string {
  const given = (place: string): string => {
    const named = parameters.filter((parameter) => parameter.in === place)
    return `{ ${named.map(({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ')} }`
  }
  const body = schemaIn(requestBody)
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const shown = schemaIn(answer)
  return `{ path: ${given('path')}; query: ${given('query')}; body: ${body ? typeOf(body) : 'undefined'}; answer: ${shown ? typeOf(shown) : 'undefined'} }`
}

const schemaIn = (content: Content | undefined): ContractSchema | undefined =>
  content?.content?.['application/json']?.schema

function typeOf(schema: ContractSchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  return plainType(schema)
}

function plainType(schema: ContractSchema): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `(${schema.items ? typeOf(schema.items) : 'unknown'})[]`
    case 'object':
      return objectType(schema)
    default:
      return 'unknown'
  }
}

function objectType({ properties, required = [], patternProperties, additionalProperties }: ContractSchema): string {
  const others = Object.values(patternProperties ?? {})[0] ?? (additionalProperties as ContractSchema | undefined)
  if (!properties) return `Record<string, ${typeof others === 'object' ? typeOf(others) : 'unknown'}>`
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${fields.join('; ')} }`
}

if (import.meta.main) writeFileSync(CONTRACT_FILE, contractOf(await readDescription()))
