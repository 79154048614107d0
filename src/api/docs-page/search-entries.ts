// Everything that the search of the API manual finds: operations, schemas, parameters, codes.

import { errors, fieldCodes } from '../../errors.ts'
import { frame, operation as operationWords, searching as words } from '../../words/manual.ts'
import type { ManualEntry } from '../../words/manual-search.ts'
import type { Manual } from './manual.ts'
import { type Field, fieldsOf, nestedFields } from './schema.ts'

export const listManualEntries = (manual: Manual): ManualEntry[] => [
  ...operationEntries(manual),
  ...errorEntries(),
  ...parameterEntries(manual),
  ...schemaEntries(manual),
]

const operationEntries = ({ groups }: Manual): ManualEntry[] =>
  groups.flatMap(({ slug, title, operations }) =>
    operations.map(({ method, path, operation: { operationId, summary } }) => ({
      kind: 'operation' as const,
      name: summary,
      detail: `${method} ${path}`,
      where: `${title}, ${operationId}`,
      href: `/${slug}#${operationId}`,
    })),
  )

const errorEntries = (): ManualEntry[] => [
  ...Object.entries(errors).map(([code, { status, message }]) => ({
    kind: 'error' as const,
    name: code,
    detail: message,
    where: String(status),
    href: `/errors#code-${code}`,
  })),
  ...Object.entries(fieldCodes).map(([code, message]) => ({
    kind: 'error' as const,
    name: code,
    detail: message,
    where: 'validation_failed',
    href: `/errors#field-${code}`,
  })),
]

/** Parameters with the same name and description are one entry, with a link to the first. */
function parameterEntries({ groups }: Manual): ManualEntry[] {
  const all = groups.flatMap(({ slug, operations }) =>
    operations.flatMap(({ operation: { operationId, parameters = [] } }) =>
      parameters
        .filter((parameter) => parameter.in in operationWords.places)
        .map((parameter) => ({ slug, operationId, parameter })),
    ),
  )
  const alike = Map.groupBy(all, ({ parameter: { name, description = '' } }) => `${name}\n${description}`)
  return [...alike.values()].map((group) => {
    const { slug, operationId, parameter } = group[0]!
    return {
      kind: 'parameter',
      name: parameter.name,
      detail: parameter.description ?? '',
      where: words.andOthers(operationId, group.length - 1),
      href: `/${slug}#${operationId}.${parameter.in}.${parameter.name}`,
    }
  })
}

const schemaEntries = ({ document, groups, schemaPages }: Manual): ManualEntry[] =>
  Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => {
    const slug = schemaPages.get(name) ?? 'errors'
    const where = groups.find((group) => group.slug === slug)?.title ?? frame.errors
    const own = {
      kind: 'schema' as const,
      name,
      detail: schema.description ?? '',
      where,
      href: `/${slug}#schema-${name}`,
    }
    return [own, ...fieldEntries(fieldsOf(schema), name, slug)]
  })

const fieldEntries = (fields: readonly Field[], owner: string, slug: string): ManualEntry[] =>
  fields.flatMap(({ name, schema: own }) => [
    {
      kind: 'field' as const,
      name,
      detail: own.description ?? '',
      where: owner,
      href: `/${slug}#${owner}.${name}`,
    },
    ...fieldEntries(nestedFields(own), `${owner}.${name}`, slug),
  ])
