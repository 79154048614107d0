// The checks of `daybook doctor` inside the running service, for administrators.
import { checkReadiness } from '../actions/maintenance/readiness.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { requireAccess, type Viewer } from '../domain/privacy/viewer.ts'
import type { Instant } from '../domain/time/instant.ts'
import { checkCertificateFile } from './checks/certificate.ts'
import { checkConfig } from './checks/configuration.ts'
import { checkDisk } from './checks/disk.ts'
import { checkFiles } from './checks/files.ts'
import { checkMail } from './checks/mail.ts'
import { checkPublicUrl } from './checks/public-url.ts'
import { describeService } from './checks/service.ts'
import { checkZoneData } from './checks/time.ts'
import { type Finding, sortFindings } from './finding.ts'
import { examineOpen, runCheck } from './run-checks.ts'

/** Without paths of the machine. */
export type ShownFinding = Omit<Finding, 'path'>

export interface ServiceHealth {
  checkedAt: Instant
  findings: ShownFinding[]
}

/** However often the page is opened, the mail server is asked once in this time. */
const REUSE_MS = 15_000

/** What was found with other settings is not used again. */
const known = new WeakMap<Config, { begunAt: number; health: Promise<ServiceHealth> }>()

/** Concurrent callers share one examination. */
export function readServiceHealth(ctx: Context, viewer: Viewer): Promise<ServiceHealth> {
  requireAccess(viewer, 'administer')
  const { config } = ctx
  const last = known.get(config)
  if (last && performance.now() - last.begunAt < REUSE_MS) return last.health
  const health = examineService(ctx)
  known.set(config, { begunAt: performance.now(), health })
  health.catch(() => known.delete(config))
  return health
}

async function examineService(ctx: Context): Promise<ServiceHealth> {
  const { config, secret } = ctx
  const checkedAt = ctx.clock()
  const parts = await Promise.all([
    runCheck('configuration', () => checkConfig(config)),
    runCheck('files', () => checkFiles(config)),
    runCheck('disk', () => checkDisk(config)),
    runCheck('database', () => examineStorage(ctx)),
    runCheck('time', () => checkZoneData(config, checkedAt)),
    runCheck('mail', () => checkMail(config)),
    runCheck('service', () => checkService(ctx)),
    runCheck('certificate', () => checkCertificateFile(config, checkedAt)),
    runCheck('public_url', () => checkPublicUrl({ config, secret, now: checkedAt, isStopped: false })),
  ])
  return { checkedAt, findings: sortFindings(parts.flat()).map(withoutPath) }
}

/** On a connection of its own: on SQLite in a worker thread, so that no request waits for the check of pages. */
async function examineStorage({ storage, config, clock }: Context): Promise<Finding[]> {
  const reader = storage.openReader()
  try {
    const inspection = { engine: storage.engine, ...reader }
    return (await examineOpen(inspection, config, false, { local: Date.now, shared: clock })).findings
  } finally {
    await reader.close()
  }
}

async function checkService(ctx: Context): Promise<Finding[]> {
  const { status, reason } = await checkReadiness(ctx, false)
  const message = status === 'ready' ? 'the service is ready' : `the service is not ready: ${reason}`
  return [describeService({ state: status, message, reason })]
}

const withoutPath = ({ code, area, level, message, advice, values }: Finding): ShownFinding => ({
  code,
  area,
  level,
  message,
  ...(advice !== undefined && { advice }),
  ...(values !== undefined && { values }),
})
