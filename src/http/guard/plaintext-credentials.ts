// Detects credentials sent over plain HTTP: audits, logs and, if configured, revokes them.
import type { FastifyRequest } from 'fastify'
import { revokePlaintextCredentials } from '../../actions/access/plaintext-credentials.ts'
import type { Context } from '../../context.ts'
import type { NewAuditEntry } from '../../domain/account/audit.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { createLogThrottle } from '../../ops/log-throttle.ts'
import { networkKey } from '../../rate-limits/request-hooks.ts'
import type { SessionCookie } from './cookie.ts'

export interface PlaintextMonitor {
  note(request: FastifyRequest): Promise<void>
}

/** Recorded once an hour per kind of credential and network, however often a device tries. */
export function createPlaintextMonitor(
  ctx: Context,
  cookie: SessionCookie,
  recorder: { audit(entry: NewAuditEntry, at: Instant): void },
): PlaintextMonitor {
  const isNew = createLogThrottle(ctx.clock)
  return {
    async note(request) {
      const { authorization } = request.headers
      const linkSecret = LINK.exec(request.url)?.[1]
      const by = kindOf(authorization !== undefined, cookie.isSent(request), linkSecret !== undefined)
      if (!by) return
      if (isNew(`${by} ${networkKey(request)}`)) {
        const detail = { by }
        recorder.audit(
          { action: 'credentials_in_clear', actorId: null, subjectId: null, requestId: request.id, detail },
          ctx.clock(),
        )
        ctx.log.warn('credentials were sent over plain http', { request_id: request.id })
      }
      if (ctx.config.revokeExposedCredentials)
        await revokePlaintextCredentials(
          ctx,
          { authorization, sessionSecret: cookie.sentSecret(request), linkSecret },
          request.id,
        )
    },
  }
}

/** The URL of a personal feed is itself a credential; also matches URLs that only redirect to the route. */
const LINK = /\/feeds\/([\w-]{43})\.ics(?:\/?$|\/?\?)/

function kindOf(hasAuthorization: boolean, hasCookie: boolean, hasLink: boolean): string | undefined {
  if (hasAuthorization) return 'authorization'
  if (hasLink) return 'feed_link'
  return hasCookie ? 'cookie' : undefined
}
