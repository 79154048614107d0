// Explains an error of a command in one line: never a password, never a stack trace.
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { classifyFailure, FAILURE_SENTENCES, type StorageFailure } from '../storage/health/failure.ts'
import { describeServer } from './output/database-name.ts'
import { describeFileError, isRefused } from './output/file-error.ts'

export function explain(error: unknown): string {
  const failure = isOfDatabase(error) ? classifyFailure(causeOf(error)) : undefined
  if (failure) return describeFailure(failure)
  if (error instanceof AppError) {
    const fields = (error.details?.fields ?? []) as { field: string; message: string }[]
    return [error.message, ...fields.map(({ field, message }) => `${field.slice(1)}: ${message}`)].join(' ')
  }
  return error instanceof Error ? error.message : String(error)
}

/** The reason in plain words, with the engine's own code. */
function describeFailure({ reason, fields }: StorageFailure): string {
  const { sqlite_code: code, sqlite_message: message, sqlstate, connection, advice } = fields
  if (advice) return String(advice)
  if (connection === 'lost') return 'the connection to the database was lost'
  if (connection === 'none') return FAILURE_SENTENCES[reason]
  if (/^57P0[12]$/.test(String(sqlstate))) return `the connection to the database was lost (PostgreSQL ${sqlstate})`
  const said = code ? `SQLite ${code}: ${message}` : sqlstate ? `PostgreSQL ${sqlstate}` : connection
  return `${FAILURE_SENTENCES[reason]} (${said})`
}

/** Why a file, or one in this folder, cannot be written; other errors stay as they are. */
export function explainWriting(path: string, error: unknown): unknown {
  const { errcode } = causeOf(error) as { errcode?: number }
  const { code = '' } = error as { code?: string }
  const reason = describeFileError(errcode === SQLITE_FULL ? 'ENOSPC' : code)
  return reason ? new Error(`${path} cannot be written: ${reason}`) : error
}

const SQLITE_FULL = 13

/** Those of the file system have a code only, and name their file. */
const isOfDatabase = (error: unknown): boolean =>
  causeOf(error) !== error || (error as { errcode?: number }).errcode !== undefined

const causeOf = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'storage_unavailable' ? error.cause : error

/** Why the calendar cannot be opened. Errors of the service itself already have a readable message. */
export function explainOpening(error: unknown, config: Config): Error {
  const cause = causeOf(error)
  const { code, errcode } = cause as { code?: string; errcode?: number }
  const isForeign = cause !== error || errcode !== undefined || /^(?:[0-9A-Z]{5}|E[A-Z]+|EAI_AGAIN)$/.test(code ?? '')
  if (!(cause instanceof Error) || !isForeign) return error as Error
  return new Error(config.databaseUrl ? serverProblem(config.databaseUrl, code) : fileProblem(config.dataDir, cause))
}

const SERVER_PROBLEMS: Record<string, string> = {
  '28P01': 'it refused the user name or the password',
  '28000': 'it refused the user name or the password',
  '3D000': 'it has no database of that name',
  '42501': 'the user is not allowed to create tables there',
  '25006': 'it is read-only: a standby, or default_transaction_read_only is on',
  '53100': 'its disk is full',
  '53300': 'it has no free connections',
  '57P03': 'it is starting or stopping; try again',
  XX001: 'it says that the database is damaged; restore a backup',
  XX002: 'it says that the database is damaged; restore a backup',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host name cannot be looked up right now',
  ECONNREFUSED: 'nothing answers there',
}

function serverProblem(databaseUrl: string, code = ''): string {
  const where = describeServer(databaseUrl)
  const reason = SERVER_PROBLEMS[code]
  // SQLSTATEs contain a digit; the names of socket errors do not.
  const isReached = /^(?=.*\d)[0-9A-Z]{5}$/.test(code)
  const start = isReached ? `cannot use the database at ${where}` : `cannot reach the database at ${where}`
  return reason ? `${start}: ${reason}` : start + (isReached ? ` (PostgreSQL says ${code})` : code && ` (${code})`)
}

/** File system errors name the file; SQLite errors have a code. */
function fileProblem(dataDir: string, cause: Error): string {
  if (isRefused(cause) || (isUnopened(cause) && !mayUse(dataDir)))
    return `cannot open the calendar in ${dataDir}: this user has no permission; run the command as the user of the service`
  const failure = (cause as { errcode?: number }).errcode === undefined ? undefined : classifyFailure(cause)
  const reason = failure ? describeFailure(failure) : cause.message.split('\n')[0]
  return `cannot open the calendar in ${dataDir}: ${reason}`
}

/** SQLite says no more than that it cannot open a file, or not for writing. */
const isUnopened = (cause: Error): boolean => [8, 14].includes(((cause as { errcode?: number }).errcode ?? 0) & 0xff)

function mayUse(dataDir: string): boolean {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    for (const suffix of ['', '-wal', '-shm']) {
      const path = join(dataDir, `daybook.db${suffix}`)
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    }
    return true
  } catch (error) {
    return !isRefused(error)
  }
}
