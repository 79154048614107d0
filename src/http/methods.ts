// Answers unsupported methods with 405 and Allow, and OPTIONS, from the registered routes.
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

export interface RoutePaths {
  list(): string[]
  /** Finds the route path that matches a URL with any method; literal paths come before those with parameters. */
  find(url: string): KnownPath | undefined
}

export interface KnownPath {
  /** As the routes spell it: `/events/:event_id`. */
  template: string
  methods: ReadonlySet<string>
}

/** Records every route added from now on. */
export function recordRoutePaths(app: FastifyInstance): RoutePaths {
  const methodsOf = new Map<string, Set<string>>()
  const parameterPaths = new Map<string, PathPart[]>()
  app.addHook('onRoute', ({ method, url, config }) => {
    const methods = methodsOf.get(url) ?? new Set()
    if (config?.isOffered !== false) for (const name of [method].flat()) methods.add(name)
    methodsOf.set(url, methods)
    if (/[:*]/.test(url)) parameterPaths.set(url, url.split('/').map(partOf))
  })
  const matching = (path: string): string | undefined => {
    if (methodsOf.has(path)) return path
    const given = path.split('/')
    return parameterPaths.entries().find(([, parts]) => isFilledIn(parts, given))?.[0]
  }
  return {
    list: () => [...methodsOf.keys()],
    find(url) {
      const template = matching(url.split('?', 1)[0]!.replace(/(.)\/$/, '$1'))
      return template === undefined ? undefined : { template, methods: methodsOf.get(template)! }
    },
  }
}

/** A hook instead of routes: registering thirty methods for each path would be most of the startup time. */
export function refuseOtherMethods(app: FastifyInstance, paths: RoutePaths): void {
  // Before the body is read: no body makes a wrong method valid.
  app.addHook('onRequest', async (request, reply) => {
    const path = request.is404 ? paths.find(request.url) : undefined
    if (!path) return
    const allow = [...new Set([...path.methods, 'OPTIONS'])].sort().join(', ')
    if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed', { headers: { allow } })
    return reply.code(204).header('allow', allow).send()
  })
}

/** One segment of a path: a literal, a parameter with an optional suffix, or a wildcard for the rest. */
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

/** The router accepts no longer parameters, so such a path matches no route. */
export const MAX_PARAMETER_LENGTH = 255

function isParameter(text: string, ending: string): boolean {
  if (text.length <= ending.length || !text.endsWith(ending)) return false
  const { length } = text.includes('%') ? decodeURI(text) : text
  return length - ending.length <= MAX_PARAMETER_LENGTH
}
