// Runs the checks of the installation, for `daybook doctor` and administrators; changes nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DerivationContext } from '../actions/maintenance/compare-derived.ts'
import { type Config, withStoredSettings } from '../config.ts'
import type { Instant } from '../domain/time/instant.ts'
import { createLog } from '../ops/log.ts'
import type { Inspection } from '../storage/engine/inspect.ts'
import { readInstance } from '../storage/operations/instance.ts'
import { readSettings } from '../storage/operations/settings.ts'
import { checkLastBackup } from './checks/backup.ts'
import { checkCategories } from './checks/categories.ts'
import { checkCertificateFile } from './checks/certificate.ts'
import { checkConfig, checkConfigFile } from './checks/configuration.ts'
import { checkDatabase, openDatabase } from './checks/database.ts'
import { checkDisk } from './checks/disk.ts'
import { checkEventIndex } from './checks/event-index.ts'
import { checkFiles } from './checks/files.ts'
import { checkMail, checkSending } from './checks/mail.ts'
import { checkPublicUrl } from './checks/public-url.ts'
import { askLocalService, describeService } from './checks/service.ts'
import { type CheckedClocks, checkClock, checkZoneData } from './checks/time.ts'
import { describeUnexpected, type Finding, type FindingArea, sortFindings } from './finding.ts'

export interface DoctorOptions {
  /** Every page of the database and every event. */
  isFull: boolean
  /** Address for a test mail. */
  sendTo?: string | undefined
  clock?: () => Instant
}

/** On the machine itself, whether the service runs or not. */
export async function examineInstallation({ isFull, sendTo, clock = Date.now }: DoctorOptions): Promise<Finding[]> {
  const { config, findings } = checkConfigFile()
  if (!config) return findings
  const local = await askLocalService(config)
  const database = await examineDatabase(config, isFull, { local: clock })
  const now = clock()
  const isStopped = local?.state === 'stopped'
  return sortFindings([
    ...findings,
    ...checkConfig(database.config, findings.length === 0),
    ...database.findings,
    ...(await runCheck('files', () => checkFiles(config))),
    ...(await runCheck('disk', () => checkDisk(database.config))),
    ...checkZoneData(database.config, now),
    ...(await runCheck('mail', () => checkMail(database.config))),
    ...(sendTo ? await runCheck('mail', () => checkSending(database.config, sendTo)) : []),
    describeService(local),
    ...checkCertificateFile(config, now),
    ...(await runCheck('public_url', () => checkPublicUrl({ config, secret: database.secret, now, isStopped }))),
  ])
}

export interface ExaminedDatabase {
  findings: Finding[]
  /** With the settings that administrators have changed. */
  config: Config
  secret: string | undefined
}

async function examineDatabase(config: Config, isFull: boolean, clocks: CheckedClocks): Promise<ExaminedDatabase> {
  for (let isRepeated = false; ; isRepeated = true) {
    const hadJournal = hasJournal(config)
    const opened = await openDatabase(config)
    if ('code' in opened) return { findings: [opened], config, secret: undefined }
    const examined = await examineOpen(opened, config, isFull, clocks).finally(() => opened.close())
    // A service that started meanwhile wrote to a file that was read without locks.
    if (isRepeated || hadJournal || !hasJournal(config)) return examined
  }
}

const hasJournal = ({ databaseUrl, dataDir }: Config): boolean =>
  !databaseUrl && existsSync(join(dataDir, 'daybook.db-wal'))

/** What needs an open database, in the order in which each needs the one before. */
export async function examineOpen(
  inspection: Inspection,
  config: Config,
  isFull: boolean,
  clocks: CheckedClocks,
): Promise<ExaminedDatabase> {
  const { findings, isReadable } = await checkDatabase(inspection, config, { isFull })
  if (!isReadable) return { findings, config, secret: undefined }
  const { secret } = await readInstance(inspection.db)
  const settled = withStoredSettings(config, (await readSettings(inspection.db)).settings)
  const ctx: DerivationContext = { config: settled, secret, log: createLog('silent') }
  return {
    findings: [
      ...findings,
      ...(await runCheck('index', () => checkEventIndex(ctx, inspection, { isFull }))),
      ...(await runCheck('configuration', () => checkCategories(inspection))),
      ...(await runCheck('time', () => checkClock(inspection, clocks))),
      ...(await runCheck('backup', () => checkLastBackup(inspection, settled, (clocks.shared ?? clocks.local)()))),
    ],
    config: settled,
    secret,
  }
}

/** A check that fails unexpectedly does not end the others. */
export async function runCheck(area: FindingArea, check: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [describeUnexpected(error, area)]
  }
}
