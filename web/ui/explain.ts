// Turns an API error into a message for the whole form and for each of its fields.
import { ApiError } from '../api/client.ts'
import * as words from '../strings.ts'

export function explain(error: unknown, own: Record<string, string> = {}): string {
  if (!(error instanceof ApiError)) return words.errors.unknown!
  if (error.code === 'rate_limited' && error.retryAfter) return words.common.tryAgainIn(error.retryAfter)
  return own[error.code] ?? words.errors[error.code] ?? words.errors.unknown!
}

/** The first problem of a field, named as in the body that was sent: `title`, `start`. */
export function problemOf(error: unknown, field: string, own: Record<string, string> = {}): string | undefined {
  const fields = error instanceof ApiError ? (error.details.fields ?? []) : []
  const found = fields.find((one) => one.field === `/${field}`)
  return found && (own[found.code] ?? words.fields[found.code] ?? words.fields.invalid_format)
}

export const hasFields = (error: unknown): boolean => error instanceof ApiError && error.code === 'validation_failed'

/** Throws the server’s `validation_failed` error for empty fields, before anything is sent. */
export function requireFilled(values: Record<string, string>): void {
  const empty = Object.keys(values).filter((name) => values[name]!.trim() === '')
  if (empty.length === 0) return
  const fields = empty.map((name) => ({ field: `/${name}`, code: 'required' as const, message: '' }))
  throw new ApiError('validation_failed', 422, { fields })
}
