// Cached routes: a response that is too long to cache is not compressed, and keeps its tag, Vary and 304.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { type CachedRouteServer, createCachedRoute } from '../../src/api/cached-route.ts'
import type { Context } from '../../src/context.ts'
import { CONNECTION_LIMITS } from '../../src/http/connections/connection-limits.ts'
import { type CachedResponse, createResponseCache } from '../../src/http/responses/response-cache.ts'
import { createResponseWriter } from '../../src/http/responses/response-writer.ts'

const LONGEST = 5_000

type Ask = (method: 'GET' | 'HEAD', headers: Record<string, string>) => ReturnType<ReturnType<typeof fastify>['inject']>

/** A route with a body of this many bytes, whose cache takes responses of `LONGEST` bytes. */
async function withRoute(bytes: number, story: (ask: Ask) => Promise<void>): Promise<void> {
  const answer: CachedResponse = { body: Buffer.alloc(bytes, 'calendar '), etag: '"tag"', headers: {} }
  const place = { cache: createResponseCache({ maxBytes: 50_000, maxAnswerBytes: LONGEST }), key: 'feed' }
  const server = { fastPath: { remember() {} }, responseWriter: createResponseWriter(CONNECTION_LIMITS) }
  const handler = createCachedRoute({ clock: () => 0 } as Context, server as unknown as CachedRouteServer, {
    slotOf: () => place,
    make: async () => answer,
  })
  const app = fastify()
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { state: { revision: 1 }, peer: { address: '192.0.2.7' } })
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (request: FastifyRequest, reply: FastifyReply) => handler(request, reply),
  })
  try {
    await story((method, headers) => app.inject({ method, url: '/', headers }))
  } finally {
    await app.close()
  }
}

for (const [bytes, encoding] of [
  [LONGEST, 'br'],
  [LONGEST + 1, undefined],
] as const)
  test(`a response of ${bytes} bytes in a cache for ${LONGEST} is sent ${encoding ? 'compressed' : 'as it is'}`, () =>
    withRoute(bytes, async (ask) => {
      const tag = encoding ? `"tag-${encoding}"` : '"tag"'
      for (const method of ['GET', 'HEAD'] as const)
        for (let round = 0; round < 2; round++) {
          const { statusCode, headers, rawPayload } = await ask(method, { 'accept-encoding': 'br, gzip' })
          assert.deepEqual([statusCode, headers['content-encoding']], [200, encoding])
          assert.deepEqual([headers.etag, headers.vary], [tag, 'Accept-Encoding'])
          if (!encoding) assert.equal(headers['content-length'], String(bytes))
          assert.equal(rawPayload.length, method === 'HEAD' ? 0 : Number(headers['content-length']))
        }
      for (const known of [tag, '"tag"', '*']) {
        const asked = { 'accept-encoding': 'br, gzip', 'if-none-match': known }
        const { statusCode, headers } = await ask('GET', asked)
        assert.deepEqual([statusCode, headers.vary], [304, 'Accept-Encoding'])
        assert.equal(headers.etag, known === '*' ? tag : known)
      }
    }))
