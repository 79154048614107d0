// Idempotency-Key on POST: hooks that claim the key, replay an earlier answer, or store this one.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  beginRequest,
  endRequest,
  type IdempotentRequest,
  identifyRequest,
  type StoredAnswer,
} from '../../actions/access/idempotency.ts'
import type { Context } from '../../context.ts'
import { sightOf } from '../../domain/privacy/viewer.ts'
import { describeKind, fail } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True where the handler itself claims the key, in the transaction of its effect. */
    claimsIdempotencyKey?: boolean
    /** True where the answer has a secret that is shown once, and so is not stored. */
    showsSecret?: boolean
  }
}

/** Whether an operation takes the key: each POST of an account, unless its body has a password. */
export const takesIdempotencyKey = (method: string, access: string | undefined, carriesSecrets = false): boolean =>
  method.toUpperCase() === 'POST' && access !== undefined && access !== 'anyone' && !carriesSecrets

function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  return typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)
    ? key
    : fail('invalid_header', { header: 'Idempotency-Key' })
}

/** The request as the holder of its key; undefined where it has none. */
export const keyHolderOf = ({ headers, id }: FastifyRequest): string | undefined =>
  headers['idempotency-key'] === undefined ? undefined : id

/** Identifies a POST by its parameters, its body, and its precondition, which another request may have in the body. */
export function identifyPost(
  ctx: Context,
  request: FastifyRequest,
  ...forms: readonly unknown[]
): IdempotentRequest | undefined {
  const key = readIdempotencyKey(request)
  const { viewer, params, query, routeOptions, headers } = request
  if (key === undefined || viewer.kind !== 'account') return undefined
  const operation = `POST ${routeOptions.url}`
  const given = [params, query, headers['if-match'] ?? null]
  return identifyRequest(ctx, viewer.account.id, { operation, key, forms: forms.map((body) => [...given, body]) })
}

/** One of several operations in a POST; undefined where that has no key. */
export function identifyPart(
  ctx: Context,
  { headers, viewer, routeOptions }: FastifyRequest,
  index: number,
  part: unknown,
): IdempotentRequest | undefined {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || viewer.kind !== 'account') return undefined
  return identifyRequest(ctx, viewer.account.id, { operation: `POST ${routeOptions.url} ${index}`, key, forms: [part] })
}

export interface IdempotencyHooks {
  /** Before hooks that split or replace the payload. */
  addStoring(app: FastifyInstance): void
  /** After hooks that check the account. */
  addClaiming(app: FastifyInstance): void
}

export function createIdempotencyHooks(ctx: Context): IdempotencyHooks {
  const running = new WeakMap<FastifyRequest, IdempotentRequest>()
  return {
    addStoring: (app) =>
      app.addHook('onSend', async (request, reply, payload) => {
        const own = running.get(request)
        if (!own) return payload
        running.delete(request)
        try {
          await endRequest(ctx, own, request.id, answerOf(request, reply, payload))
        } catch (error) {
          // The request has taken effect, and its client gets the answer.
          ctx.log.warn('an idempotent answer could not be stored', describeKind(error))
        }
        return payload
      }),
    addClaiming: (app) =>
      app.addHook('preHandler', async (request, reply) => {
        const { config } = request.routeOptions
        const { access, carriesSecrets, claimsIdempotencyKey = false } = config
        if (claimsIdempotencyKey || !takesIdempotencyKey(request.method, access, carriesSecrets)) return
        const own = identifyPost(ctx, request, request.body)
        if (!own || request.viewer.kind !== 'account') return
        const answer = await beginRequest(ctx, request.viewer, own, request.id)
        if (answer) return replay(reply, answer)
        running.set(request, own)
      }),
  }
}

export const REPLAYED = { 'idempotency-replayed': 'true' }

function replay(reply: FastifyReply, { status, headers, body }: StoredAnswer): FastifyReply {
  reply.code(status).headers(headers).headers(REPLAYED)
  return body === '' ? reply.send() : reply.send(body)
}

const KEPT_HEADERS = ['content-type', 'cache-control', 'etag', 'link', 'location', 'vary']

function answerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): StoredAnswer | 'withheld' | undefined {
  if (reply.statusCode >= 400) return undefined
  const isText = payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload)
  if (request.routeOptions.config.showsSecret || !isText) return 'withheld'
  const sent = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  const sight = sightOf(request.viewer)
  return { status: reply.statusCode, headers: Object.fromEntries(sent), body: payload?.toString() ?? '', sight }
}
