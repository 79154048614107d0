// Methods a path does not have: 405 with what it has, and OPTIONS answered from the same list.
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Watches the routes as they are added; `closeMethods` then takes every other method of each path. */
export function answerOtherMethods(app: FastifyInstance): void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if ((config as { isFallback?: boolean } | undefined)?.isFallback) return
    const methods = known.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    known.set(url, methods)
  })
  closers.set(app, () => {
    for (const [url, methods] of known) {
      const others = METHODS.filter((method) => !methods.has(method))
      if (others.length === 0) continue
      const allow = [...methods, 'OPTIONS'].sort().join(', ')
      app.route({
        method: others,
        url,
        config: { isFallback: true } as object,
        // Before the body is looked at: no body makes a wrong method right.
        onRequest: async (request) => {
          if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed', { headers: { allow } })
        },
        handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
      })
    }
  })
}

const closers = new WeakMap<FastifyInstance, () => void>()

/** Called once, after the last route. */
export const closeMethods = (app: FastifyInstance): void => closers.get(app)?.()
