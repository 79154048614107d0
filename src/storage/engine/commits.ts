// Calls listeners of this process after each commit that raised a counter of the calendar.
import type { Db } from '../tables.ts'

const raising = new WeakSet<Db>()

/** Called by what raises a counter, with the transaction. */
export const noteRaised = (transaction: Db): void => void raising.add(transaction)

export const hasRaised = (transaction: Db): boolean => raising.has(transaction)

export type CommitListeners = Set<() => void>
