// Removes passwords, credentials and keys from a copy of the calendar: a backup without secrets.
import type { DatabaseSync } from 'node:sqlite'
import { hasTable } from './backup-file.ts'

const CREDENTIAL_TABLES = ['app_passwords', 'api_tokens', 'feed_links']

/** Accounts stay, without a password. What was derived with the secret is derived again after a restore. */
export function removeSecrets(db: DatabaseSync): void {
  for (const table of CREDENTIAL_TABLES) if (hasTable(db, table)) db.exec(`delete from ${table}`)
  if (hasTable(db, 'settings')) db.exec(`delete from settings where name = 'smtp_password'`)
  db.exec(`update users set password_hash = ''`)
  db.exec(`update instance set secret = '', setup_code_hash = null, tz_version = ''`)
  // Also writes a new file, so that nothing is left in pages that are no longer used.
  db.exec('vacuum')
}
