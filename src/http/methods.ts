// Methods an address does not have: 405 with what it has, and OPTIONS answered from the same list.
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

export interface RoutePaths {
  list(): string[]
  /** Which address this is, whatever is done with it; addresses that are spelt out come before those with something filled in. */
  find(url: string): KnownPath | undefined
}

export interface KnownPath {
  /** As the routes spell it: `/events/:event_id`. */
  template: string
  methods: ReadonlySet<string>
}

/** Watches routes from now on. */
export function watchPaths(app: FastifyInstance): RoutePaths {
  const methodsOf = new Map<string, Set<string>>()
  const openOnes = new Map<string, PathPart[]>()
  app.addHook('onRoute', ({ method, url, config }) => {
    const methods = methodsOf.get(url) ?? new Set()
    if (config?.isOffered !== false) for (const name of [method].flat()) methods.add(name)
    methodsOf.set(url, methods)
    if (/[:*]/.test(url)) openOnes.set(url, url.split('/').map(partOf))
  })
  const matching = (path: string): string | undefined => {
    if (methodsOf.has(path)) return path
    const given = path.split('/')
    return openOnes.entries().find(([, parts]) => isFilledIn(parts, given))?.[0]
  }
  return {
    list: () => [...methodsOf.keys()],
    find(url) {
      const template = matching(url.split('?', 1)[0]!.replace(/(.)\/$/, '$1'))
      return template === undefined ? undefined : { template, methods: methodsOf.get(template)! }
    },
  }
}

/** Not by routes: thirty methods for each address would be most of the work of starting. */
export function refuseOtherMethods(app: FastifyInstance, paths: RoutePaths): void {
  // Before the body is looked at: no body makes a wrong method right.
  app.addHook('onRequest', async (request, reply) => {
    const path = request.is404 ? paths.find(request.url) : undefined
    if (!path) return
    const allow = [...new Set([...path.methods, 'OPTIONS'])].sort().join(', ')
    if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed', { headers: { allow } })
    return reply.code(204).header('allow', allow).send()
  })
}

/** One part of an address: a word as it stands, something filled in before an ending, or all the rest. */
type PathPart = { word: string } | { ending: string } | 'rest'

function partOf(text: string): PathPart {
  if (text === '*') return 'rest'
  return text.startsWith(':') ? { ending: text.replace(/^:\w+/, '') } : { word: text }
}

const isFilledIn = (parts: readonly PathPart[], given: readonly string[]): boolean =>
  (parts.length === given.length || parts.at(-1) === 'rest') &&
  parts.every((part, i) => {
    const text = given[i] ?? ''
    if (part === 'rest') return true
    return 'word' in part ? text === part.word : isParameter(text, part.ending)
  })

/** The router takes no longer ones, so an address with one is no address of any route. */
export const MAX_PARAMETER_LENGTH = 255

function isParameter(text: string, ending: string): boolean {
  if (text.length <= ending.length || !text.endsWith(ending)) return false
  const { length } = text.includes('%') ? decodeURI(text) : text
  return length - ending.length <= MAX_PARAMETER_LENGTH
}
