// Maintenance state for operators: index work, unreadable events, the clock, the last backup.
import type { Context } from '../../context.ts'
import type { ClockVerdict } from '../../domain/time/clock-jump.ts'
import { countUnreadable, listUnfinishedIndexWork } from '../../storage/events/index-work.ts'
import { readClockVerdict } from './clock-guard.ts'
import { type BackupHealth, readBackupHealth } from './scheduled-backup.ts'

export interface IndexProgress {
  work: 'rebuild' | 'extend'
  done: number
  total: number
}

/** Undefined while no node does index work. */
export async function readIndexProgress(ctx: Context): Promise<IndexProgress | undefined> {
  const [work] = await listUnfinishedIndexWork(ctx.storage.reads)
  // Events that were added meanwhile are walked too, but not counted in the total.
  return work && { work: work.name, done: Math.min(work.done, work.total), total: work.total }
}

export interface Maintenance {
  index: IndexProgress | undefined
  unreadableEvents: number
  clock: ClockVerdict
  backup: BackupHealth
}

export const readMaintenance = async (ctx: Context): Promise<Maintenance> => ({
  index: await readIndexProgress(ctx),
  unreadableEvents: await countUnreadable(ctx.storage.reads),
  clock: await readClockVerdict(ctx),
  backup: await readBackupHealth(ctx),
})
