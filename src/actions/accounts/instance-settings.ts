// Validates the settings chosen at setup and applies them on every node.
import { type InstanceSettings, withInstanceSettings } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Problems } from '../../domain/problems.ts'
import { WEEKDAY_NAMES, type WeekdayName } from '../../domain/time/weekdays.ts'
import { findZone } from '../../domain/time/zone.ts'
import { parseSiteName } from '../../setting-values.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseRevision } from '../../storage/events/calendar.ts'
import { readInstanceSettings } from '../../storage/operations/instance.ts'
import { followZoneData } from '../maintenance/reindex.ts'

/** As the client sent them. */
export interface InstanceSettingsInput {
  site_name?: string | undefined
  timezone?: string | undefined
  week_start?: WeekdayName | undefined
}

export function validateInstanceSettings(
  { site_name, timezone, week_start }: InstanceSettingsInput,
  problems: Problems,
): InstanceSettings {
  const siteName = site_name === undefined ? undefined : parseSiteName(site_name.trim())
  if (site_name !== undefined && siteName === undefined) problems.add('/site_name', 'invalid_format')
  const zone = timezone === undefined ? undefined : findZone(timezone)
  if (timezone !== undefined && zone === undefined) problems.add('/timezone', 'timezone_unknown')
  return {
    siteName,
    timezone: zone?.name,
    weekStart: week_start === undefined ? undefined : WEEKDAY_NAMES.indexOf(week_start),
  }
}

/** Applies the choices, made here or on another node; returns whether any exist yet. */
export async function refreshInstanceSettings(ctx: Context): Promise<boolean> {
  const choices = await readInstanceSettings(ctx.storage.reads)
  const before = ctx.config
  const config = withInstanceSettings(before, choices)
  if (config !== before) {
    ctx.config = config
    // Raises the revision, so that responses built with the old settings are no longer cached.
    await inTransaction(ctx.storage, raiseRevision).catch((error) => {
      ctx.config = before
      throw error
    })
  }
  return Object.values(choices).some((choice) => choice !== undefined)
}

/** How long the setup request may wait; housekeeping does the rest. */
const MAX_WAIT_MS = 2_000

/** Also derives again what depends on the calendar's time zone. If either step fails, a job repeats it soon. */
export async function applyInstanceSettings(ctx: Context): Promise<void> {
  try {
    await refreshInstanceSettings(ctx)
    await followZoneData(ctx, process.versions.tz ?? '', { signal: AbortSignal.timeout(MAX_WAIT_MS) })
  } catch {
    ctx.log.warn('the choices made at set-up were kept but not applied; it is tried again soon')
  }
}
