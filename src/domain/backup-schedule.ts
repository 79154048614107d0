// When backups are made, and which are kept: the last of each of some days, weeks and months.
import { DAY_MS, HOUR_MS, type Instant, isAhead } from './time/instant.ts'

export interface BackupRetention {
  days: number
  weeks: number
  months: number
}

const NAME = /^daybook-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/

/** The name sorts by time. */
export const backupNameAt = (at: Instant): string =>
  `daybook-${new Date(at).toISOString().replaceAll(/:|\.\d+/g, '')}.backup`

/** When the backup of this name was begun; undefined for any other file. */
export function timeOfBackup(name: string): Instant | undefined {
  const [, date, hour, minute, second] = NAME.exec(name) ?? []
  const at = date === undefined ? Number.NaN : Date.parse(`${date}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? undefined : at
}

/** The backup that was just made, and the time. */
export interface LastBackup {
  written: string
  now: Instant
}

/**
 * The names to delete. Files that are no scheduled backups are not among them; neither are the newest, the one just
 * written, and those that are named after now, which were made while the clock was wrong and count for no period.
 */
export function listExpired(
  names: readonly string[],
  { days, weeks, months }: BackupRetention,
  { written, now }: LastBackup,
): string[] {
  const backups = names
    .map((name) => ({ name, at: timeOfBackup(name) }))
    .filter((backup): backup is { name: string; at: Instant } => backup.at !== undefined && !isAhead(backup.at, now))
    .sort((a, b) => b.at - a.at)
  const kept = new Set([written, ...backups.slice(0, 1).map(({ name }) => name)])
  const periods: [number, (at: Instant) => string | number][] = [
    [days, (at) => Math.floor(at / DAY_MS)],
    // Weeks begin on a Monday; 1 January 1970 was a Thursday.
    [weeks, (at) => Math.floor((at / DAY_MS + 3) / 7)],
    [months, (at) => new Date(at).toISOString().slice(0, 7)],
  ]
  for (const [most, periodOf] of periods) {
    const seen = new Set<string | number>()
    for (const { name, at } of backups) {
      const period = periodOf(at)
      if (seen.has(period)) continue
      if (seen.size === most) break
      seen.add(period)
      kept.add(name)
    }
  }
  return backups.filter(({ name }) => !kept.has(name)).map(({ name }) => name)
}

/** Names of backups that were made while the clock was ahead. */
export const listAhead = (names: readonly string[], now: Instant): string[] =>
  names.filter((name) => isAhead(timeOfBackup(name) ?? now, now)).sort()

const MAX_INTERVAL_MS = 366 * DAY_MS

/** Hours or days: `6h`, `1d`. */
export function parseInterval(value: string): number | undefined {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(value) ?? []
  const ms = Number(count) * (unit === 'h' ? HOUR_MS : DAY_MS)
  return ms > 0 && ms <= MAX_INTERVAL_MS ? ms : undefined
}

export const formatInterval = (ms: number): string => (ms % DAY_MS === 0 ? `${ms / DAY_MS}d` : `${ms / HOUR_MS}h`)

export const formatRetention = ({ days, weeks, months }: BackupRetention): string => `${days}d ${weeks}w ${months}m`

export const keepsAtLeast = (kept: BackupRetention, least: BackupRetention): boolean =>
  kept.days >= least.days && kept.weeks >= least.weeks && kept.months >= least.months

/** `7d 4w 12m`, in any order; what is not named is 0. */
export function parseRetention(value: string): BackupRetention | undefined {
  const kept: BackupRetention = { days: 0, weeks: 0, months: 0 }
  const names = { d: 'days', w: 'weeks', m: 'months' } as const
  for (const part of value.split(/[\s,]+/)) {
    const [, count, unit] = /^(\d{1,3})([dwm])$/.exec(part) ?? []
    if (unit === undefined) return undefined
    kept[names[unit as keyof typeof names]] = Number(count)
  }
  return kept.days + kept.weeks + kept.months > 0 ? kept : undefined
}
