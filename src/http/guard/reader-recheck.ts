// Rechecks read access before a response is sent: it may have been revoked since authentication.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireReader } from '../../actions/access/actor-guard.ts'
import { failAsUnavailable } from '../../actions/access/reader-guard.ts'
import type { StateReader } from '../../actions/maintenance/revision-reader.ts'
import type { Context } from '../../context.ts'
import type { Verb } from '../../domain/privacy/rights.ts'
import { mayDo } from '../../domain/privacy/viewer.ts'
import { removeContentHeaders } from '../responses/headers.ts'

export type ReaderRecheck = (request: FastifyRequest) => Promise<void>

/** Methods that change nothing. The response to a write reports what was done and is sent in any case. */
export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT']

/**
 * Runs after the read: data read while access held may be sent. The account and its credential are loaded again only if
 * an account has changed since the request began.
 */
export function createReaderRecheck(ctx: Context, readState: StateReader): ReaderRecheck {
  return async (request) => {
    const { viewer, state } = request
    if (viewer.kind !== 'account') return
    const { access } = request.routeOptions.config
    const verbs = new Set<Verb>()
    if (mayDo(viewer, 'read_full')) verbs.add('read_full')
    if (access !== undefined && access !== 'anyone') verbs.add(access)
    if (verbs.size === 0) return
    const { accountsRevision } = await readState()
    if (accountsRevision === state.accountsRevision) return
    const check = requireReader(ctx, ctx.storage.reads, viewer, ...verbs)
    await (access === 'anyone' ? check.catch(failAsUnavailable) : check)
  }
}

/**
 * For responses that Fastify sends. Handlers that send bytes themselves call the check, and streams check each part.
 */
export function recheckReaders(app: FastifyInstance, recheck: ReaderRecheck): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode >= 400 || !SAFE_METHODS.includes(request.method)) return payload
    if (isStream(payload) && request.method !== 'HEAD') return payload
    try {
      await recheck(request)
    } catch (error) {
      removeContentHeaders(reply)
      throw error
    }
    return payload
  })
}

const isStream = (payload: unknown): boolean =>
  typeof (payload as { pipe?: unknown } | undefined | null)?.pipe === 'function'
