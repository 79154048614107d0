// Canonical forms of a new event: bodies that mean the same are the same idempotent request.
import type { Defaults, EventFields } from '../../domain/calendar/fields.ts'

/**
 * Without defaults, and with the defaults that are settings: those may change between a request and its repetition,
 * which must then still be found to be the same by the first form.
 */
export function formsOfNewEvent(body: EventFields & { uid?: string }, defaults: Defaults): readonly unknown[] {
  const given = Object.entries(body).filter(([name, value]) => !isDefault(name, value))
  const form = Object.fromEntries(given) as Partial<EventFields>
  const { timezone = defaults.zone, visibility = defaults.visibility } = form
  return [form, { ...form, timezone, visibility }]
}

const DEFAULTS: Record<string, unknown> = { status: 'confirmed', transparency: 'opaque', all_day: false }

/** An empty text or list is none. */
const isDefault = (name: string, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value)
