// Totals of the calendar for monitoring, read at most once in some seconds however often asked.
import type { Context } from '../../context.ts'
import { APPROVAL_STATES, type ApprovalState } from '../../domain/account/account.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { blocksEventLoop } from '../../storage/dialect.ts'
import { withinCheckTime } from '../../storage/health/storage-health.ts'
import {
  countAccountsByState,
  countEvents,
  countOccurrences,
  countWaitingMail,
  KEY_LIMIT,
} from '../../storage/operations/totals.ts'
import { type BackupHealth, readBackupHealth } from './scheduled-backup.ts'

export interface CalendarTotals {
  /** False if the database did not answer. */
  isUp: boolean
  /** Undefined until they are known, and while the database does not answer. */
  accounts?: Record<ApprovalState, number> | undefined
  mail?: { waiting: number; oldestSeconds: number } | undefined
  /** Of scheduled backups; undefined also where none are scheduled. */
  backup?: BackupHealth | undefined
  sizes?: { events: number; occurrences: number } | undefined
}

/** Accounts and mail are few. */
const SOON_MS = 5_000
/** Every occurrence is counted, a million in some tenths of a second. */
const LATER_MS = 60_000

export function createTotalsReader(
  ctx: Context,
  now: () => number = () => performance.now(),
): () => Promise<CalendarTotals> {
  const readPeople = createTimedRead(SOON_MS, now, async () => {
    const { reads } = ctx.storage
    return {
      accounts: await countAccountsByState(reads),
      mail: await countWaitingMail(reads),
      backup: await readBackupHealth(ctx),
    }
  })
  const readSizes = createTimedRead(LATER_MS, now, async () => ({
    events: await countEvents(ctx.storage.reads),
    occurrences: await countAllOccurrences(ctx),
  }))
  return async () => {
    const [people, sizes] = await Promise.all([readPeople(), readSizes()])
    if (!people) return { isUp: false }
    const { accounts, mail, backup } = people
    const counts = new Map(accounts.map(({ approval_state, count }) => [approval_state, count]))
    const oldestSeconds = mail.oldestAt === null ? 0 : Math.max(0, (ctx.clock() - mail.oldestAt) / 1_000)
    return {
      isUp: true,
      accounts: Object.fromEntries(APPROVAL_STATES.map((state) => [state, counts.get(state) ?? 0])) as Record<
        ApprovalState,
        number
      >,
      mail: { waiting: mail.count, oldestSeconds },
      backup: backup.status === 'off' ? undefined : backup,
      sizes,
    }
  }
}

/** The last value, or a new one; concurrent callers share one read. Undefined after a failure, or if none is known. */
function createTimedRead<T>(everyMs: number, now: () => number, read: () => Promise<T>): () => Promise<T | undefined> {
  let last: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined
  const run = async (): Promise<void> => {
    try {
      last = await runForService(read)
      readAt = now()
    } catch {
      last = undefined
    } finally {
      pending = undefined
    }
  }
  return async () => {
    if (!pending && now() - readAt < everyMs) return last
    pending ??= run()
    // A scrape does not wait for a slow database; the next one has the value.
    await withinCheckTime(pending)
    return last
  }
}

/** On SQLite a statement blocks the event loop, so the keys are counted in ranges of some thousand rows. */
const RANGE_ROWS = 5_000

async function countAllOccurrences({ storage: { reads } }: Context): Promise<number> {
  if (!blocksEventLoop(reads)) return countOccurrences(reads, 0, KEY_LIMIT)
  const pause = createYielder()
  let total = 0
  let width = KEY_LIMIT / 64
  for (let from = 0; from < KEY_LIMIT; ) {
    const count = await countOccurrences(reads, from, from + width)
    total += count
    from += width
    if (count > RANGE_ROWS) width = Math.ceil(width / 2)
    else if (count < RANGE_ROWS / 4) width *= 2
    await pause()
  }
  return total
}
