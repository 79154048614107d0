// Session lifetimes: idle and absolute timeouts, shorter for administrators.
import { DAY_MS, HOUR_MS, type Instant, isAhead } from '../time/instant.ts'
import type { Role } from './account.ts'

interface SessionLifetime {
  idleMs: number
  wholeMs: number
}

const USUAL: SessionLifetime = { idleMs: 12 * HOUR_MS, wholeMs: 7 * DAY_MS }
const REMEMBERED: SessionLifetime = { idleMs: 14 * DAY_MS, wholeMs: 30 * DAY_MS }
const ADMINISTRATORS: SessionLifetime = { idleMs: 2 * HOUR_MS, wholeMs: 12 * HOUR_MS }

/** The longest lifetime of a session; the Max-Age of a persistent cookie. */
export const LONGEST_SESSION_MS = REMEMBERED.wholeMs

export const MAX_SESSIONS = 20

export interface StoredSession {
  id: string
  isRemembered: boolean
  createdAt: Instant
  lastSeenAt: Instant
}

/** When the session ends if it is not used again. */
export function sessionEndsAt({ isRemembered, createdAt, lastSeenAt }: StoredSession, role: Role): Instant {
  const { idleMs, wholeMs } = role === 'admin' ? ADMINISTRATORS : isRemembered ? REMEMBERED : USUAL
  return Math.min(lastSeenAt + idleMs, createdAt + wholeMs)
}

/** A session made while the clock was ahead is void until that time: it would outlive every limit. */
export const isSessionLive = (session: StoredSession, role: Role, now: Instant): boolean =>
  !isAhead(session.createdAt, now) && !isSessionOver(session, role, now)

export const isSessionOver = (session: StoredSession, role: Role, now: Instant): boolean =>
  sessionEndsAt(session, role) <= now
