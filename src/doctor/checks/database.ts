// Checks the database: reachable, suitable, undamaged, with the schema of this version.

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { COMMAND } from '../../installation.ts'
import { type Inspection, openInspection, requireSuitable } from '../../storage/engine/inspect.ts'
import { classifyFailure, FAILURE_SENTENCES, type StorageFailure } from '../../storage/health/failure.ts'
import {
  listBrokenReferences,
  listDamage,
  listInvalidIndexes,
  readSchemaState,
  type SchemaState,
} from '../../storage/health/integrity.ts'
import { markerOf } from '../../storage/health/own-journal.ts'
import { listOrphanedTables, listWrongIndexes, readEveryRow } from '../../storage/health/postgres-integrity.ts'
import type { Db } from '../../storage/tables.ts'
import { AS_SERVICE, describeUnexpected, type Finding, finding, isRefused } from '../finding.ts'

export interface CheckedDatabase {
  findings: Finding[]
  /** Whether the tables can be read as this version expects them. */
  isReadable: boolean
}

const RESTORE: Record<Inspection['engine'], string> = {
  sqlite: `Stop the service, move daybook.db* to another folder, and restore a backup: ${COMMAND} restore FILE.`,
  postgres: `Stop the service, name an empty database in database_url, and restore a backup: ${COMMAND} restore FILE.`,
}

/** A finding in place of the connection where there is no database or it cannot be opened. */
export async function openDatabase(config: Config): Promise<Inspection | Finding> {
  const path = join(config.dataDir, 'daybook.db')
  try {
    if (!config.databaseUrl) {
      if (!(statSync(path, { throwIfNoEntry: false })?.size ?? 0)) return describeMissing(path)
      // SQLite says no more of it than that it cannot be opened.
      for (const file of [path, `${path}-wal`]) if (existsSync(file)) accessSync(file, constants.R_OK)
    }
    return await openInspection(config)
  } catch (error) {
    return describeFailure(error)
  }
}

function describeMissing(path: string): Finding {
  const wasThere = existsSync(markerOf(path)) || existsSync(`${path}-wal`)
  return wasThere
    ? finding('database_missing', 'the database file is missing or empty, but a calendar was stored there', {
        advice: RESTORE.sqlite,
        path,
      })
    : finding('database_not_created', 'there is no calendar yet', {
        advice: 'Start the service: it creates one.',
        path,
      })
}

/** Damage that is met while reading ends the check. */
export async function checkDatabase(
  inspection: Inspection,
  config: Config,
  { isFull }: { isFull: boolean },
): Promise<CheckedDatabase> {
  try {
    return await runChecks(inspection, config, isFull)
  } catch (error) {
    return { findings: [describeFailure(error)], isReadable: false }
  }
}

async function runChecks(inspection: Inspection, config: Config, isFull: boolean): Promise<CheckedDatabase> {
  const { db, engine } = inspection
  const unsuitable = await requireSuitable(inspection, config).then(
    () => [],
    (error: Error) => {
      if (error instanceof AppError) throw error
      return [
        finding('database_unsuitable', error.message, {
          advice: 'The service does not start until this is done.',
          values: { detail: error.message },
        }),
      ]
    },
  )
  const damage = await listDamage(db, isFull)
  if (damage.length > 0)
    return {
      findings: [
        finding('database_damaged', `the database file is damaged: ${damage[0]}`, {
          advice: RESTORE[engine],
          values: { detail: String(damage[0]), engine },
        }),
      ],
      isReadable: false,
    }
  const schema = await readSchemaState(db)
  const server = engine === 'postgres' && isFull ? await checkServerFully(db) : undefined
  const checked = [...unsuitable, ...(await checkReferences(inspection)), ...(server?.findings ?? [])]
  const findings = [...checked, ...schemaFindings(schema)]
  const how = engine === 'postgres' ? server?.how : describeSqlite(isFull)
  if (findings.length === 0)
    findings.push(finding('database_ok', how ? `${how}, ${WHOLE}` : ANSWERS, { values: { engine } }))
  return { findings, isReadable: schema.missing.length === 0 && schema.unknown.length === 0 }
}

const WHOLE = 'references are whole, and the schema is that of this version'
const ANSWERS =
  'PostgreSQL answers, and the schema is that of this version (without --full, rows and references are not read)'

const describeSqlite = (isFull: boolean): string => `SQLite finds no damage${isFull ? '' : ' (quick check)'}`

/** A row that cannot be read ends the check with the error of the server. */
async function checkServerFully(db: Db): Promise<{ findings: Finding[]; how: string }> {
  await readEveryRow(db)
  const [orphaned, wrong] = [await listOrphanedTables(db), await listWrongIndexes(db)]
  return {
    findings: [
      ...(orphaned.length > 0 ? [describeBrokenReferences(orphaned)] : []),
      ...(wrong?.length ? [describeIndexes('are not those of their tables', wrong)] : []),
    ],
    how: `PostgreSQL reads every row, ${wrong ? 'indexes match' : 'indexes were not compared (create extension amcheck)'}`,
  }
}

async function checkReferences({ db }: Inspection): Promise<Finding[]> {
  const found: Finding[] = []
  const tables = await listBrokenReferences(db)
  if (tables.length > 0) found.push(describeBrokenReferences(tables))
  const indexes = await listInvalidIndexes(db)
  if (indexes.length > 0) found.push(describeIndexes('are not used by PostgreSQL', indexes))
  return found
}

const describeBrokenReferences = (tables: string[]): Finding =>
  finding('references_broken', `rows refer to others that do not exist, in: ${tables.join(', ')}`, {
    values: { tables: tables.join(', ') },
    advice: 'Restore a backup, or report it: no version of Daybook writes such rows.',
  })

const describeIndexes = (problem: string, indexes: string[]): Finding =>
  finding('database_index_invalid', `these indexes ${problem}: ${indexes.join(', ')}`, {
    values: { indexes: indexes.join(', ') },
    advice: 'Run REINDEX INDEX for each of them.',
  })

function schemaFindings({ isEmpty, missing, unknown }: SchemaState): Finding[] {
  if (isEmpty)
    return [
      finding('database_not_created', 'there is no calendar yet', { advice: 'Start the service: it creates one.' }),
    ]
  if (unknown.length > 0)
    return [
      finding('schema_newer', `the database is of a newer version of Daybook (migration ${unknown[0]})`, {
        values: { migration: String(unknown[0]) },
        advice: 'Run that version, or restore a backup of this one.',
      }),
    ]
  if (missing.length === 0) return []
  return [
    finding(
      'schema_outdated',
      `the database is of an older version of Daybook (${missing.length} migrations are missing)`,
      {
        values: { count: missing.length },
        advice: 'Make a backup, then start the service: it brings the database up to date.',
      },
    ),
  ]
}

/** In plain words, with the engine's own code: never a statement or an address. */
export function describeFailure(error: unknown): Finding {
  const cause = error instanceof AppError ? error.cause : error
  if (isRefused(cause))
    return finding('database_unreachable', 'this user may not read the database', {
      advice: AS_SERVICE,
      values: { reason: 'permission_denied', code: '' },
    })
  const failure = classifyFailure(cause)
  if (!failure) return describeUnexpected(error, 'database')
  const { reason } = failure
  const message = `${FAILURE_SENTENCES[reason].replace('; restore a backup', '')}${codeOf(failure)}`
  const engine = failure.fields.sqlstate ? 'postgres' : 'sqlite'
  if (reason === 'corrupt')
    return finding('database_damaged', message, {
      advice: RESTORE[engine],
      values: { detail: codeOf(failure), engine },
    })
  return finding('database_unreachable', message, {
    advice: ADVICE[reason] ?? ADVICE.database_unreachable,
    values: { reason, code: codeOf(failure) },
  })
}

const ADVICE: Partial<Record<StorageFailure['reason'], string>> = {
  permission_denied: 'Check user name and password in database_url, and the rights of that user.',
  io_error: 'Check owner and permissions of the data folder, and the disk.',
  busy: 'Run the command again when the database has less to do.',
  database_unreachable: 'Check that the server runs, and host, port and database name in database_url.',
}

function codeOf({ fields }: StorageFailure): string {
  const code = fields.sqlite_code ? `SQLite ${fields.sqlite_code}` : (fields.sqlstate ?? fields.connection)
  return code ? ` (${code})` : ''
}
