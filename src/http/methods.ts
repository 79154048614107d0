// Methods a path does not have: 405 with what it has, and OPTIONS answered from the same list.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { AppError } from '../errors.ts'

export interface Paths {
  /** Takes every method that no route has taken; called once, after the last route. */
  close(): void
  list(): string[]
}

/** Watches routes from now on. */
export function watchPaths(app: FastifyInstance): Paths {
  const taken = new Map<string, Set<string>>()
  let isClosed = false
  app.addHook('onRoute', ({ method, url }) => {
    if (isClosed) return
    const methods = taken.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    taken.set(url, methods)
  })
  return {
    list: () => [...taken.keys()],
    close() {
      isClosed = true
      for (const [url, methods] of taken) refuseOthers(app, url, methods)
    },
  }
}

function refuseOthers(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const others = app.supportedMethods.filter((method) => !methods.has(method)) as HTTPMethods[]
  if (others.length === 0) return
  const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
  app.route({
    method: others,
    url,
    // Before the body is looked at: no body makes a wrong method right.
    onRequest: async (request) => {
      if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed', { headers: { allow } })
    },
    handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
  })
}
