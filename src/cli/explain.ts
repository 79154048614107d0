// What went wrong, in one line for whoever typed the command. Never a password, never a stack.
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

export function explain(error: unknown): string {
  if (error instanceof AppError) {
    const fields = (error.details?.fields ?? []) as { field: string; message: string }[]
    return [error.message, ...fields.map(({ field, message }) => `${field.slice(1)}: ${message}`)].join(' ')
  }
  return error instanceof Error ? error.message : String(error)
}

/** Why the calendar cannot be opened. What we found out ourselves is said in our own words already. */
export function explainOpening(error: unknown, config: Config): Error {
  const cause = error instanceof AppError && error.code === 'storage_unavailable' ? error.cause : error
  const { code, errcode } = cause as { code?: string; errcode?: number }
  const isForeign = cause !== error || errcode !== undefined || /^(?:[0-9A-Z]{5}|E[A-Z]+|EAI_AGAIN)$/.test(code ?? '')
  if (!(cause instanceof Error) || !isForeign) return error as Error
  return new Error(config.databaseUrl ? serverProblem(config.databaseUrl, code) : fileProblem(config.dataDir, cause))
}

const SERVER_PROBLEMS: Record<string, string> = {
  '28P01': 'it refused the user name or the password',
  '28000': 'it refused the user name or the password',
  '3D000': 'it has no database of that name',
  '42501': 'the user may not make tables there',
  ENOTFOUND: 'there is no machine of that name',
  EAI_AGAIN: 'there is no machine of that name',
  ECONNREFUSED: 'nothing answers there',
}

function serverProblem(databaseUrl: string, code = ''): string {
  const { hostname, port, searchParams } = new URL(databaseUrl.replace('@/', '@localhost/'))
  const where = `${searchParams.get('host') || hostname || 'localhost'}:${port || 5432}`
  const reason = SERVER_PROBLEMS[code]
  const isReached = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E')
  const start = isReached ? `cannot use the database at ${where}` : `cannot reach the database at ${where}`
  return reason ? `${start}: ${reason}` : start + (isReached ? ` (PostgreSQL says ${code})` : '')
}

const fileProblem = (dataDir: string, { message }: Error): string =>
  `cannot open the calendar in ${dataDir}: ${message.split('\n')[0]}`
