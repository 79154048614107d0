// Credentials that came over plain http: somebody on the way may have read them, so it is written down, and said aloud.
import type { FastifyRequest } from 'fastify'
import { revokeExposed } from '../actions/exposed.ts'
import type { Context } from '../context.ts'
import type { AuditEntry } from '../domain/account/audit.ts'
import type { Instant } from '../domain/time/instant.ts'
import { networkKey } from './attempts.ts'
import type { SessionCookie } from './cookie.ts'
import { makeOnceAnHour } from './once-an-hour.ts'

export interface ExposedCredentials {
  note(request: FastifyRequest): Promise<void>
}

/** A device that keeps trying is told of once an hour. */
export function watchForExposed(
  ctx: Context,
  cookie: SessionCookie,
  recorder: { audit(entry: AuditEntry, at: Instant): void },
): ExposedCredentials {
  const isNew = makeOnceAnHour(ctx.clock)
  return {
    async note(request) {
      const { authorization } = request.headers
      if (authorization === undefined && !cookie.isSent(request)) return
      if (isNew(networkKey(request))) {
        const detail = { by: authorization === undefined ? 'cookie' : 'authorization' }
        recorder.audit(
          { action: 'credentials_in_clear', actorId: null, subjectId: null, requestId: request.id, detail },
          ctx.clock(),
        )
        ctx.log.warn('credentials were sent over plain http', { request_id: request.id })
      }
      if (ctx.config.revokeExposedCredentials)
        await revokeExposed(ctx, authorization, cookie.sentSecret(request), request.id)
    },
  }
}
