// Classifies database errors of both engines into a reason code and a sentence for the operator.
import { QueueRefusedError } from '../engine/connection-queue.ts'
import { GroupRolledBackError } from '../engine/group-commit.ts'
import type { FileLoss } from './database-files.ts'
import { WriteLockedError } from './write-lock.ts'

export type FailureReason =
  | 'disk_full'
  | 'read_only'
  | 'corrupt'
  | 'io_error'
  | 'permission_denied'
  | 'data_missing'
  | 'database_unreachable'
  | 'write_failed'
  /** Another process has held SQLite's write lock for longer than transactions wait for it. */
  | 'locked'
  /** Other requests use the database or its connections: the request is refused, but the database works. */
  | 'busy'

/** What may be logged: codes and fixed texts of the engine, never a statement, a value or a message with either. */
export interface StorageFailure {
  reason: FailureReason
  fields: Record<string, string | number>
}

/** A file of the database was removed or replaced while it was open. */
export class DataMissingError extends Error {
  readonly loss: FileLoss

  constructor(loss: FileLoss) {
    super(describeLoss(loss))
    this.loss = loss
  }
}

/** Undefined where the statement failed and not the database. */
export function classifyFailure(error: unknown): StorageFailure | undefined {
  if (error instanceof DataMissingError)
    return { reason: 'data_missing', fields: { path: error.loss.path, advice: error.message } }
  if (error instanceof QueueRefusedError || error instanceof GroupRolledBackError)
    return { reason: 'busy', fields: { connection: 'none' } }
  const { errcode, errstr, code, severity, message = '' } = (error ?? {}) as EngineError
  if (errcode !== undefined) {
    const reason = error instanceof WriteLockedError ? 'locked' : SQLITE_REASONS[errcode & 0xff]
    return reason && { reason, fields: { sqlite_code: errcode, sqlite_message: errstr ?? '' } }
  }
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && severity !== undefined) {
    const isStalePlan = code === '0A000' && STALE_PLAN.test(message)
    const known = isStalePlan ? 'busy' : POSTGRES_REASONS.find(([pattern]) => pattern.test(code))?.[1]
    // Such an error ends the connection or refuses it, and is never about the statement.
    const reason = known ?? (severity === 'FATAL' || severity === 'PANIC' ? 'database_unreachable' : undefined)
    return reason && { reason, fields: { sqlstate: code, severity } }
  }
  if (/timeout exceeded when trying to connect/.test(message)) return { reason: 'busy', fields: { connection: 'none' } }
  if (code !== undefined && /^E(?!RR_)[A-Z_]+$/.test(code))
    return { reason: 'database_unreachable', fields: { connection: code } }
  if (/Connection terminated|not queryable|Query read timeout/.test(message))
    return { reason: 'database_unreachable', fields: { connection: 'lost' } }
  return undefined
}

/** Why the probing write failed; a server that refuses every connection counts as unreachable. */
export function classifyProbeFailure(error: unknown): StorageFailure {
  const found = classifyFailure(error) ?? { reason: 'write_failed', fields: {} }
  return CONNECTIONS_REFUSED.test(String(found.fields.sqlstate)) ? { ...found, reason: 'database_unreachable' } : found
}

/** SQLSTATE of a server, database or role that has reached its connection limit. */
const CONNECTIONS_REFUSED = /^53[34]00$/

interface EngineError {
  errcode?: number
  errstr?: string
  code?: string
  severity?: string
  message?: string
}

/** By SQLite's primary result code. */
const SQLITE_REASONS: Record<number, FailureReason> = {
  3: 'permission_denied',
  5: 'busy',
  6: 'busy',
  8: 'read_only',
  10: 'io_error',
  11: 'corrupt',
  13: 'disk_full',
  14: 'io_error',
  15: 'busy',
  23: 'permission_denied',
  26: 'corrupt',
}

/** By SQLSTATE; the first match counts. */
const POSTGRES_REASONS: readonly [RegExp, FailureReason][] = [
  [/^53100$/, 'disk_full'],
  [/^25006$/, 'read_only'],
  [/^XX00[12]$/, 'corrupt'],
  [/^58/, 'io_error'],
  [/^(?:28|42501$)/, 'permission_denied'],
  [/^(?:40001|40P01|53300|53400|25P03|55P03|57014)$/, 'busy'],
  [/^(?:08|53|57P|3D000)/, 'database_unreachable'],
]

/** The table changed after the statement was prepared on this connection; on a new connection it works. */
const STALE_PLAN = /cached plan must not change result type/

/** For the operator. */
export const FAILURE_SENTENCES: Record<FailureReason, string> = {
  disk_full: 'the disk is full, or the database has reached its size limit',
  read_only: 'the database is read-only',
  corrupt: 'the database is damaged; restore a backup',
  io_error: 'the disk or the file system reports an error',
  permission_denied: 'the database denies this user access',
  data_missing: 'a file of the database is missing',
  database_unreachable: 'the database cannot be reached',
  write_failed: 'a test write to the database failed',
  locked: 'another process holds the write lock of the database; end it or let it finish',
  busy: 'the database is busy; try again',
}

function describeLoss({ path, change }: FileLoss): string {
  if (change === 'missing')
    return `${path} was deleted or moved while the service was running. Move it back, or restore a backup and restart the service.`
  if (change === 'replaced')
    return `${path} was replaced by another file while the service was running. Stop the service, remove the files ending in -wal and -shm, which belong to the earlier file, and start it again; or move the earlier file back.`
  return `${path} was cut short by another program. Restore a backup and restart the service.`
}
