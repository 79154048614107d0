// Compares two OpenAPI documents: what a client of the older one can no longer rely on in the newer one.

interface Schema {
  $ref?: string
  deprecated?: boolean
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
  uniqueItems?: boolean
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
}

interface Contents {
  content?: Record<string, { schema?: Schema }>
}

interface Operation {
  operationId: string
  deprecated?: boolean
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; required?: boolean; deprecated?: boolean; schema: Schema }[]
  requestBody?: Contents
  responses: Record<string, Contents & { headers?: object }>
}

export interface ApiDocument {
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/**
 * Empty where every request and every client of the older document works with the newer one. Added operations, fields,
 * optional parameters, enum values in responses, statuses and error codes are no breaking changes. What the older
 * document marks as deprecated may be gone.
 */
export function findBreakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const served = new Set(after.servers.map(({ url }) => url))
  const operations = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const what = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (!now) return operation.deprecated ? [] : [`${what} is gone`]
      return compareOperations(what, { before, after }, operation, now)
    }),
  )
  const gone = before.servers.filter(({ url }) => !served.has(url))
  return [...gone.map(({ url }) => `the server ${url} is gone`), ...operations]
}

interface Documents {
  before: ApiDocument
  after: ApiDocument
}

function compareOperations(what: string, documents: Documents, before: Operation, after: Operation): string[] {
  return [
    ...(before.operationId === after.operationId ? [] : [`${what} has another operationId`]),
    ...waysOf(before).flatMap((way) => (waysOf(after).includes(way) ? [] : [`${what} does not take ${way}`])),
    ...compareParameters(what, documents, before, after),
    ...compareContents(`${what} body`, documents, before.requestBody, after.requestBody, acceptsLess),
    ...Object.entries(before.responses).flatMap(([status, response]) => {
      const now = after.responses[status]
      if (!now) return [`${what} does not answer ${status}`]
      const gone = Object.keys(response.headers ?? {}).filter((name) => !(name in (now.headers ?? {})))
      const codes = new Set(codesOf(now))
      return [
        ...gone.map((name) => `${what} ${status} has no ${name}`),
        ...codesOf(response).flatMap((code) => (codes.has(code) ? [] : [`${what} ${status} has no code ${code}`])),
        ...compareContents(`${what} ${status}`, documents, response, now, promisesLess),
      ]
    }),
  ]
}

/** An error response narrows the codes of the common schema to those of the operation. */
const codesOf = ({ content = {} }: Contents): unknown[] =>
  Object.values(content).flatMap(({ schema }) =>
    (schema?.allOf ?? []).flatMap(({ properties }) => properties?.error?.properties?.code?.enum ?? []),
  )

const waysOf = ({ security = [] }: Operation): string[] =>
  security.length === 0
    ? ['no credentials']
    : security.map((way) => Object.keys(way).join(' with ') || 'no credentials')

function compareParameters(what: string, documents: Documents, before: Operation, after: Operation): string[] {
  const named = ({ parameters = [] }: Operation) => new Map(parameters.map((one) => [`${one.in} ${one.name}`, one]))
  const [old, now] = [named(before), named(after)]
  const isNewlyRequired = ([name, { required }]: [string, { required?: boolean }]): boolean =>
    required === true && old.get(name)?.required !== true
  return [
    ...[...now].filter(isNewlyRequired).map(([name]) => `${what} requires ${name}`),
    ...[...old].flatMap(([name, { schema, deprecated }]) => {
      const kept = now.get(name)
      if (!kept) return deprecated ? [] : [`${what} has no ${name}`]
      return acceptsLess(`${what} ${name}`, documents, schema, kept.schema)
    }),
  ]
}

type CompareSchemas = (what: string, documents: Documents, before: Schema, after: Schema) => string[]

function compareContents(
  what: string,
  documents: Documents,
  before: Contents | undefined,
  after: Contents | undefined,
  compare: CompareSchemas,
): string[] {
  if (!before && after) return [`${what} is required`]
  return Object.entries(before?.content ?? {}).flatMap(([type, { schema }]) => {
    const now = after?.content?.[type]
    if (!now) return [`${what} is not ${type}`]
    return schema && now.schema ? compare(what, documents, schema, now.schema) : []
  })
}

/** For requests: what was accepted must be accepted. */
function acceptsLess(what: string, documents: Documents, sent: Schema, taken: Schema): string[] {
  const before = resolve(sent, documents.before)
  const after = resolve(taken, documents.after)
  const wasRequired = new Set(before.required)
  const limits = [
    ['maxLength', 'maximum', 'maxItems'].filter((limit) => bound(after, limit, 1) < bound(before, limit, 1)),
    ['minLength', 'minimum', 'minItems'].filter((limit) => bound(after, limit, -1) > bound(before, limit, -1)),
  ].flat()
  return [
    ...typesOf(before).flatMap((type) => (typesOf(after).includes(type) ? [] : [`${what} cannot be ${type}`])),
    ...(after.enum ? (before.enum ?? ['any value']).filter((value) => !after.enum!.includes(value)) : []).map(
      (value) => `${what} cannot be ${String(value)}`,
    ),
    ...limits.map((limit) => `${what} has a stricter ${limit}`),
    ...FORMS.filter((form) => after[form] !== undefined && after[form] !== before[form]).map(
      (form) => `${what} has another ${form}`,
    ),
    ...(after.required ?? []).filter((name) => !wasRequired.has(name)).map((name) => `${what} requires ${name}`),
    ...eachProperty(what, documents, before, after, acceptsLess),
  ]
}

/** What only equal values are known to keep: a pattern may accept less than another in any way. */
const FORMS = ['pattern', 'format', 'const', 'uniqueItems'] as const

function bound(schema: Schema, limit: string, sign: 1 | -1): number {
  const value = (schema as Record<string, unknown>)[limit]
  return typeof value === 'number' ? value : sign * Number.POSITIVE_INFINITY
}

/** For responses: what was always there must be there, with no other type. */
function promisesLess(what: string, documents: Documents, promised: Schema, given: Schema): string[] {
  const before = resolve(promised, documents.before)
  const after = resolve(given, documents.after)
  const isRequired = new Set(after.required)
  return [
    ...typesOf(after).flatMap((type) => (typesOf(before).includes(type) ? [] : [`${what} may be ${type}`])),
    ...(before.required ?? [])
      .filter((name) => !isRequired.has(name) && !before.properties?.[name]?.deprecated)
      .map((name) => `${what} may lack ${name}`),
    ...eachProperty(what, documents, before, after, promisesLess),
    ...compareKinds(what, documents, before, after),
  ]
}

function eachProperty(
  what: string,
  documents: Documents,
  before: Schema,
  after: Schema,
  compare: CompareSchemas,
): string[] {
  const own = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const now = after.properties?.[name]
    if (!now) return schema.deprecated ? [] : [`${what} has no ${name}`]
    return compare(`${what}.${name}`, documents, schema, now)
  })
  const items = before.items && after.items ? compare(`${what}[]`, documents, before.items, after.items) : []
  return [...own, ...items]
}

/** The kinds of a union, in order: a new kind is one that clients cannot read. */
function compareKinds(what: string, documents: Documents, before: Schema, after: Schema): string[] {
  const [old, now] = [before, after].map(({ anyOf, oneOf }) => anyOf ?? oneOf ?? [])
  const gone = old!.slice(now!.length).map((_, i) => `${what} has no kind ${now!.length + i + 1}`)
  const added = now!.slice(old!.length).map((_, i) => `${what} has a kind ${old!.length + i + 1}`)
  const kept = old!.flatMap((kind, i) =>
    now![i] ? promisesLess(`${what} (${nameOf(kind, i)})`, documents, kind, now![i]) : [],
  )
  return [...gone, ...added, ...kept, ...compareDiscriminators(what, before, after)]
}

/** Generated clients read each kind by the value of one field. */
function compareDiscriminators(what: string, { discriminator: old }: Schema, { discriminator: now }: Schema): string[] {
  if (!old) return []
  const lost = `${what} does not tell its kinds by ${old.propertyName}`
  if (now?.propertyName !== old.propertyName) return [lost]
  const isKept = ([value, kind]: [string, string]): boolean => now.mapping?.[value] === kind
  return Object.entries(old.mapping ?? {}).flatMap((entry) => (isKept(entry) ? [] : [`${lost}: ${entry[0]}`]))
}

const nameOf = ({ $ref }: Schema, index: number): string => $ref?.split('/').at(-1) ?? `kind ${index + 1}`

const resolve = (schema: Schema, { components }: ApiDocument): Schema =>
  schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)!]! : schema

const typesOf = ({ type, const: value }: Schema): string[] =>
  type === undefined ? (value === undefined ? ['any'] : [typeof value]) : [type].flat()
