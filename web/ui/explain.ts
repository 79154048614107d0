// A refusal in words: for the whole form, and for each of its fields.
import { ApiError } from '../api/client.ts'
import { words } from '../strings.ts'

export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return words.errors.unknown!
  return words.errors[error.code] ?? words.errors.unknown!
}

/** The first problem of a field, named as in the body that was sent: `title`, `start`. */
export function problemOf(error: unknown, field: string): string | undefined {
  const fields = error instanceof ApiError ? (error.details.fields ?? []) : []
  const found = fields.find((one) => one.field === `/${field}`)
  return found && (words.fields[found.code] ?? words.fields.invalid_format)
}
