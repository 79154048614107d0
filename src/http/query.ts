// Parses the query of a URL: parameters that routes declare, and a few others, become properties.
import type { FastifyInstance } from 'fastify'

export interface QueryParser {
  parse(text: string): Record<string, string | string[]>
  /** Learns the parameters of every route added from now on. */
  watch(app: FastifyInstance): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parameters of a route that has no schema of its query. */
    readsQuery?: readonly string[]
  }
}

/** Others of one request that are kept, so that a route can refuse them; see `request-headers.ts` for the reason. */
const MAX_UNKNOWN = 5

export function createQueryParser(): QueryParser {
  // An array and not a Set, which would keep every name that is looked up.
  const known: string[] = []
  return {
    parse(text) {
      const values: Record<string, string | string[]> = Object.create(null)
      let unknown = 0
      for (const pair of text.split('&')) {
        if (pair === '') continue
        const equals = pair.indexOf('=')
        const name = decode(equals < 0 ? pair : pair.slice(0, equals))
        const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
        if (!known.includes(name) && ++unknown > MAX_UNKNOWN) continue
        values[name] = values[name] === undefined ? value : [values[name], value].flat()
      }
      return values
    },
    watch(app) {
      app.addHook('onRoute', ({ schema, config }) => {
        const declared = Object.keys((schema?.querystring as { properties?: object } | undefined)?.properties ?? {})
        for (const name of [...declared, ...(config?.readsQuery ?? [])]) if (!known.includes(name)) known.push(name)
      })
    },
  }
}

/** Invalid escapes stay as they are. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
