// Totals for monitoring, each from an index: events, occurrences, accounts by state, waiting mail.
import type { ApprovalState } from '../../domain/account/account.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'

interface CountRow {
  count: number
}

export async function countEvents(db: Db): Promise<number> {
  const [row] = await rawQuery<CountRow>(db, 'select count(*) as count from events', [])
  return row!.count
}

/** One more than the largest key: keys are 50 random bits, so ranges of equal width hold about as many events. */
export const KEY_LIMIT = 2 ** 50

/** Occurrences of the events whose keys are in the range; the upper end is not part of it. */
export async function countOccurrences(db: Db, fromKey: number, toKey: number): Promise<number> {
  const text = 'select count(*) as count from occurrences where event_key >= ?1 and event_key < ?2'
  const [row] = await rawQuery<CountRow>(db, text, [fromKey, toKey])
  return row!.count
}

export const countAccountsByState = (db: Db): Promise<(CountRow & { approval_state: ApprovalState })[]> =>
  rawQuery(db, 'select approval_state, count(*) as count from users group by approval_state', [])

export interface WaitingMail {
  count: number
  oldestAt: Instant | null
}

/** Mail that is being sent counts too. */
export async function countWaitingMail(db: Db): Promise<WaitingMail> {
  const text = `select count(*) as count, min(created_at) as oldest from outbox where status = 'waiting'`
  const [row] = await rawQuery<CountRow & { oldest: number | null }>(db, text, [])
  return { count: row!.count, oldestAt: row!.oldest }
}
