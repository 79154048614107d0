// Refuses query parameters that a route does not have, and names the nearest one that it has.
import type { FastifyRequest } from 'fastify'
import type { JsonSchema } from '../../contract/json-schema.ts'
import { sightOf } from '../../domain/privacy/viewer.ts'
import { fail } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query of readers without full access, for whom the other parameters of the route do not exist. */
    publicQuery?: JsonSchema
  }
}

/**
 * For routes that take credentials: their clients are programs, and a misspelt filter would return the whole list.
 * Public addresses ignore other parameters, because mails and social sites append them to links.
 */
export async function refuseUnknownParameters({ query, routeOptions, viewer }: FastifyRequest): Promise<void> {
  const { config, schema } = routeOptions
  if (config.access === undefined || config.isDav) return
  const known = config.publicQuery && sightOf(viewer) === 'public' ? config.publicQuery : schema?.querystring
  const { properties = {} } = (known ?? {}) as { properties?: object }
  const unknown = Object.keys(query as object).find((name) => !Object.hasOwn(properties, name))
  if (unknown === undefined) return
  const allowed = Object.keys(properties)
  // A name that could be a typing error is returned; any other may be personal text and is not.
  const isName = /^[\w-]{1,40}$/.test(unknown)
  const nearest = isName ? nearestOf(unknown, allowed) : undefined
  fail('unknown_parameter', { ...(isName ? { parameter: unknown } : {}), ...(nearest ? { nearest } : {}), allowed })
}

export const nearestOf = (name: string, allowed: readonly string[]): string | undefined =>
  allowed.toSorted((a, b) => distance(name, a) - distance(name, b))[0]

/** Levenshtein distance, without regard to case: how many letters are added, removed or replaced. */
function distance(one: string, other: string): number {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()]
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced))
    }
    row = next
  }
  return row[to.length]!
}
