// The pages of the API manual: which operations and schemas are on which, and the address of each.
import { type ListedOperation, listOperations, namedSchemas, type OpenApiDocument } from './document.ts'

/** Where this server is and what its pages may load. */
export interface ManualPlace {
  origin: string
  /** The base path of the API. */
  base: string
  /** Where the script and the icon are, if the browser files are built. */
  files: { script: string; icon: string } | undefined
}

/** The operations of one tag, and the schemas that no earlier page has. */
export interface ManualGroup {
  slug: string
  title: string
  description: string
  operations: readonly ListedOperation[]
  /** Those that are not shown as the body of an operation. */
  schemas: readonly string[]
}

export interface Manual {
  document: OpenApiDocument
  place: ManualPlace
  groups: readonly ManualGroup[]
  /** Address of the manual's first page. */
  root: string
  /** Slug of the page that has a schema. */
  schemaPages: ReadonlyMap<string, string>
  /** Schemas whose fields stand at the operation that takes them as its body, by that operation. */
  bodyOwners: ReadonlyMap<string, string>
}

/** The page of error codes has this schema. */
export const ERROR_SCHEMA = 'Error'

export function createManual(document: OpenApiDocument, place: ManualPlace): Manual {
  const schemaPages = new Map<string, string>()
  const bodyOwners = new Map<string, string>()
  const known = document.components?.schemas ?? {}
  if (known[ERROR_SCHEMA]) schemaPages.set(ERROR_SCHEMA, 'errors')
  const groups = groupByTag(document).map(({ operations, ...group }) => {
    const own = namedSchemas(operations, document).filter((name) => name in known && !schemaPages.has(name))
    for (const name of own) schemaPages.set(name, group.slug)
    for (const { operation } of operations)
      for (const name of bodySchemas(operation.requestBody))
        if (!bodyOwners.has(name)) bodyOwners.set(name, operation.operationId)
    return { ...group, operations, schemas: own.filter((name) => !bodyOwners.has(name)) }
  })
  return { document, place, groups, root: `${place.base}/docs`, schemaPages, bodyOwners }
}

const bodySchemas = (body: ListedOperation['operation']['requestBody']): string[] =>
  Object.values(body?.content ?? {}).flatMap(({ schema }) => (schema?.$ref ? [schema.$ref.split('/').at(-1)!] : []))

/** In the order of the document's tags; a tag that the list lacks comes last. */
function groupByTag(document: OpenApiDocument): Omit<ManualGroup, 'schemas'>[] {
  const tags = document.tags ?? []
  const byTag = Map.groupBy(listOperations(document), ({ operation }) => operation.tags?.[0] ?? '')
  const names = new Set([...tags.map(({ name }) => name), ...byTag.keys()])
  return [...names].flatMap((name) => {
    const operations = byTag.get(name)
    const description = tags.find((tag) => tag.name === name)?.description ?? ''
    return operations ? [{ slug: slugOf(name), title: name || 'API', description, operations }] : []
  })
}

const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-') || 'api'

export const pagePath = ({ root }: Manual, slug: string): string => `${root}/${slug}`

export const schemaPath = (manual: Manual, name: string): string =>
  `${manual.root}/${manual.schemaPages.get(name) ?? 'errors'}#schema-${name}`

export const codePath = ({ root }: Manual, code: string): string => `${root}/errors#code-${code}`
