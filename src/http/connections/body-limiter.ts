// Limits the bytes of long request bodies in memory: by network, by account, and in all.
import type { FastifyReply } from 'fastify'
import { fail } from '../../errors.ts'
import { LONG_BODY_BYTES } from '../body.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { countWhileOpen, createNetworkCounter } from './network-counter.ts'

/** Each counts until the request is answered: a body is in memory several times until then. Fails with 503 when full. */
export interface BodyLimiter {
  /** Before the credentials are checked. */
  admitFrom(address: string, reply: FastifyReply, bytes: number): void
  /** After that, before the body is read: one account may send from many networks. */
  admitOf(accountId: string, reply: FastifyReply, bytes: number): void
}

type BodyLimits = Pick<ConnectionLimits, 'bodyBytesPerNetwork' | 'bodyBytesPerAccount' | 'bodyBytes'>

/** The key of the total; no account has it as its id. */
const ALL = ''

export function createBodyLimiter({ bodyBytesPerNetwork, bodyBytesPerAccount, bodyBytes }: BodyLimits): BodyLimiter {
  const networks = createNetworkCounter(bodyBytesPerNetwork)
  const counts = new Map<string, number>()
  const hasRoom = (key: string, bytes: number, max: number): boolean => {
    const count = counts.get(key) ?? 0
    return count === 0 || count + bytes <= max
  }
  return {
    admitFrom(address, { raw }, bytes) {
      if (bytes > LONG_BODY_BYTES && !networks.admit(address, raw, bytes)) fail('service_unavailable')
    },
    admitOf(accountId, { raw }, bytes) {
      if (bytes <= LONG_BODY_BYTES) return
      if (!hasRoom(accountId, bytes, bodyBytesPerAccount) || !hasRoom(ALL, bytes, bodyBytes))
        fail('service_unavailable')
      countWhileOpen(counts, [accountId, ALL], raw, bytes)
    },
  }
}
