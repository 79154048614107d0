// What was chosen when the calendar was set up: read from what was sent, and taken over by every node.
import { type Choices, withChoices } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Problems } from '../../domain/calendar/fields.ts'
import { WEEKDAY_NAMES, type WeekdayName } from '../../domain/time/weekdays.ts'
import { findZone } from '../../domain/time/zone.ts'
import { parseSiteName } from '../../setting-values.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseRevision } from '../../storage/events/calendar.ts'
import { readChoices } from '../../storage/operations/instance.ts'
import { followZoneData } from '../maintenance/reindex.ts'

/** As sent. */
export interface SentChoices {
  site_name?: string | undefined
  timezone?: string | undefined
  week_start?: WeekdayName | undefined
}

export function checkChoices({ site_name, timezone, week_start }: SentChoices, problems: Problems): Choices {
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

/** Takes over what was chosen, here or on another node; says whether there was anything to choose from yet. */
export async function followChoices(ctx: Context): Promise<boolean> {
  const choices = await readChoices(ctx.storage.reads)
  const before = ctx.config
  const config = withChoices(before, choices)
  if (config !== before) {
    ctx.config = config
    // Answers put together until now must not be kept beyond it.
    await inTransaction(ctx.storage, raiseRevision).catch((error) => {
      ctx.config = before
      throw error
    })
  }
  return Object.values(choices).some((choice) => choice !== undefined)
}

/** As long as the request that chose them may wait; housekeeping does the rest. */
const MAX_WAIT_MS = 2_000

/** What depends on the calendar's zone is derived again. Should either fail, it is a job's to do before long. */
export async function applyChoices(ctx: Context): Promise<void> {
  try {
    await followChoices(ctx)
    await followZoneData(ctx, process.versions.tz ?? '', { signal: AbortSignal.timeout(MAX_WAIT_MS) })
  } catch {
    ctx.log.warn('the choices made at set-up were kept but not applied; it is tried again soon')
  }
}
