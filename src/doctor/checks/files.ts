// Checks permissions and owners of data folder, database file, daybook.json and TLS key.
import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, configPath } from '../../config.ts'
import { currentEnvironment } from '../../environment.ts'
import { AS_SERVICE, type Finding, finding } from '../finding.ts'

/** Read, write or enter by users who are neither the owner nor in the group. */
const OTHERS = 0o007
const OTHERS_READ = 0o004

export function checkFiles(config: Config): Finding[] {
  if (process.platform === 'win32')
    return [finding('files_not_checked', 'permissions of files are not checked on Windows', { values: {} })]
  const found = [...checkDataFolder(config), ...checkConfigFileMode(config), ...checkKeyMode(config)]
  return found.length > 0
    ? found
    : [finding('files_ok', 'only the owner can read the data, and the service can write it', { values: {} })]
}

function checkDataFolder({ dataDir, databaseUrl }: Config): Finding[] {
  const folder = findStats(dataDir)
  if (!folder) return []
  const found: Finding[] = []
  if (folder.mode & OTHERS)
    found.push(
      finding('folder_open', `other users of this machine can enter the data folder (mode ${modeOf(folder)})`, {
        values: { mode: modeOf(folder) },
        advice: 'Run chmod 700 on the folder.',
        path: dataDir,
      }),
    )
  found.push(...checkAccess(dataDir, 'the data folder'))
  if (databaseUrl) return found
  for (const name of ['daybook.db', 'daybook.db-wal', 'daybook.db-shm']) {
    const path = join(dataDir, name)
    const stats = findStats(path)
    if (stats) found.push(...checkDatabaseFile(path, name, stats, folder))
  }
  return found
}

function checkDatabaseFile(path: string, name: string, stats: Stats, folder: Stats): Finding[] {
  const found: Finding[] = []
  if (stats.mode & OTHERS)
    found.push(
      finding('file_open', `other users of this machine can read ${name} (mode ${modeOf(stats)})`, {
        values: { file: name, mode: modeOf(stats) },
        advice: 'Run chmod 600 on the file: it holds private events and password hashes.',
        path,
      }),
    )
  // The service runs as the owner of its folder, as far as that can be known here.
  if (stats.uid !== folder.uid)
    found.push(
      finding('file_owner', `${name} belongs to another user (${stats.uid}) than the data folder (${folder.uid})`, {
        values: { name, user: stats.uid, owner: folder.uid },
        advice: 'Run chown on the file, so that both belong to the user that runs the service.',
        path,
      }),
    )
  return [...found, ...checkAccess(path, name)]
}

/** For this user: root may do everything, so run the command as the user of the service. */
function checkAccess(path: string, name: string): Finding[] {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return []
  } catch {
    return [
      finding('file_not_accessible', `${name} cannot be read and written by this user`, {
        advice: AS_SERVICE,
        values: { name: name === 'the data folder' ? 'data_dir' : name },
        path,
      }),
    ]
  }
}

/** Its settings may hold passwords. */
function checkConfigFileMode(config: Config): Finding[] {
  const path = configPath(currentEnvironment())
  const stats = findStats(path)
  const hasSecret =
    (config.smtp?.password && config.origins.smtp_url === 'file') ||
    (config.databaseUrl && config.origins.database_url === 'file') ||
    (config.metricsToken && config.origins.metrics_token === 'file')
  if (!stats || !hasSecret || !(stats.mode & OTHERS_READ)) return []
  return [
    finding(
      'file_open',
      `other users of this machine can read the settings with their passwords and tokens (mode ${modeOf(stats)})`,
      {
        values: { file: 'daybook.json', mode: modeOf(stats) },
        advice: 'Run chmod 600 on the file, or 640 with the group of the service.',
        path,
      },
    ),
  ]
}

function checkKeyMode({ tls }: Config): Finding[] {
  const stats = tls && findStats(tls.keyPath)
  if (!stats || !(stats.mode & OTHERS_READ)) return []
  return [
    finding('file_open', `other users of this machine can read the key of the certificate (mode ${modeOf(stats)})`, {
      values: { file: 'tls_key', mode: modeOf(stats) },
      advice: 'Run chmod 600 on the file, or 640 with the group of the service.',
      path: tls.keyPath,
    }),
  ]
}

const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8).padStart(3, '0')

function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A folder above it cannot be entered; opening the database says so.
    return undefined
  }
}
