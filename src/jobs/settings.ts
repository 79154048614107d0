// Polls for settings that were changed on another node, so that every node applies them soon.
import { createSettingsFollower } from '../actions/settings/live-settings.ts'
import type { Context } from '../context.ts'
import { startInterval } from '../scheduling/interval.ts'
import type { Jobs } from './housekeeping.ts'

/** A query that fails is repeated within the ten seconds in which settings are live everywhere. */
export const SETTINGS_POLL_MS = 4_000

export const startSettingsPolling = (ctx: Context): Jobs => startInterval(SETTINGS_POLL_MS, createSettingsFollower(ctx))
