// Time limits of requests to the database.

export interface StorageLimits {
  /** The longest a read waits for a connection, and a new connection for the server. */
  connectMs: number
  /** The longest a transaction waits to write, from the time it was queued. */
  writeWaitMs: number
  /** Timeout of a statement of PostgreSQL in a request. */
  statementMs: number
  /** The server ends the transaction of a node that was frozen or cut off, whose locks would keep the writers of others out. */
  idleTransactionMs: number
}

export const STORAGE_LIMITS: StorageLimits = {
  connectMs: 2_000,
  writeWaitMs: 5_000,
  statementMs: 8_000,
  idleTransactionMs: 15_000,
}
