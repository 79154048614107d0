// Opens the context for actions (storage, clock, secret, log), for the service and for commands.
import { indexSpanAt } from './actions/maintenance/reindex.ts'
import { type Config, withStoredSettings } from './config.ts'
import type { Context } from './context.ts'
import { VERSION } from './installation.ts'
import { createLog } from './ops/log.ts'
import { throttleErrors } from './ops/log-throttle.ts'
import { createMetrics } from './ops/metrics.ts'
import { currentClient } from './scheduling/current-client.ts'
import { newId } from './secrets.ts'
import { type OpenOptions, openStorage } from './storage/engine/open.ts'
import type { Storage } from './storage/engine/storage.ts'
import { inTransaction } from './storage/engine/transaction.ts'
import { moveIndexSpan, readIndexSpan } from './storage/events/calendar.ts'
import { FAILURE_SENTENCES } from './storage/health/failure.ts'
import { createSharedClock } from './storage/operations/clock.ts'
import { readInstance } from './storage/operations/instance.ts'
import { readSettings } from './storage/operations/settings.ts'

/** Tests pass their own clock, or the wrong clock of a machine. */
export interface BootOptions extends OpenOptions {
  clock?: () => number
  localClock?: () => number
}

export async function openContext(config: Config, options: BootOptions = {}): Promise<Context> {
  const log = throttleErrors(createLog(config.logLevel))
  // Until it is open, the caller reports what fails.
  let isOpen = false
  const opened = await openStorage(
    config,
    {
      onLost: () => log.warn('a database connection was lost'),
      onWait: () => log.warn('waiting for the migration that another node runs'),
      beforeMigration: async (storage, path) => {
        const { backUpBeforeMigration } = await import('./storage/backup/before-migration.ts')
        const file = await backUpBeforeMigration(storage, path, { madeAt: Date.now(), program: VERSION })
        log.warn('the schema is changed by this version; a backup was made first', { file })
      },
      onFailure({ reason, fields }) {
        const requestId = currentClient()?.requestId
        if (isOpen) log.error(FAILURE_SENTENCES[reason], { request_id: requestId, reason, ...fields })
      },
      onRecovery: () => log.info('writing works again'),
    },
    options,
  )
  const { storage, clock } = await withClock(opened, options).catch(async (error) => {
    await opened.close()
    throw error
  })
  try {
    const { secret } = await readInstance(storage.reads)
    // An empty calendar gets its index span before its first event; a job moves it later.
    if ((await readIndexSpan(storage.reads)).to === 0) {
      await inTransaction(storage, (db) => moveIndexSpan(db, indexSpanAt(clock())))
    }
    isOpen = true
    const settled = withStoredSettings(config, (await readSettings(storage.reads)).settings)
    return { config: settled, storage, clock, newId, nodeId: newId(), secret, log, metrics: createMetrics() }
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function withClock(
  opened: Storage,
  { clock, localClock = Date.now }: BootOptions,
): Promise<{ storage: Storage; clock: () => number }> {
  if (clock) return { storage: opened, clock }
  const shared = await createSharedClock(opened, localClock)
  const close = async (): Promise<void> => {
    await shared.stop()
    await opened.close()
  }
  return { storage: { ...opened, close }, clock: shared.now }
}
