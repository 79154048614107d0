// Settings that administrators have changed, with their version; the mail password is encrypted.
import { sql } from 'kysely'
import type { StoredName, StoredSettings } from '../../config.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { decryptText, encryptText } from '../../secrets.ts'
import { forUpdate, rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'

export interface VersionedSettings {
  /** Raised by every change. */
  version: number
  settings: StoredSettings
}

/** One query, so that settings and version belong together. */
export async function readSettings(db: Db): Promise<VersionedSettings> {
  const rows = await rawQuery<{ version: number; secret: string; name: StoredName | null; value: string | null }>(
    db,
    `select settings_version as version, secret, name, value from instance left join settings on true`,
    [],
  )
  const { version, secret } = rows[0]!
  const texts = Object.fromEntries(rows.flatMap(({ name, value }) => (name === null ? [] : [[name, value]])))
  return { version, settings: withPassword(texts, secret) }
}

/** A password that was stored for another server than the current one cannot be decrypted, and is left out. */
function withPassword({ smtp_password: encrypted, ...others }: StoredSettings, secret: string): StoredSettings {
  const password = encrypted && decryptText(secret, passwordContext(others), encrypted)
  return password === undefined ? others : { ...others, smtp_password: password }
}

const passwordContext = ({ smtp_url = '' }: StoredSettings): string => `smtp_password ${smtp_url}`

/** Other changes of settings wait until the transaction ends. */
export async function lockSettings(db: Db): Promise<void> {
  await forUpdate(db, db.selectFrom('instance').select('id')).executeTakeFirstOrThrow()
}

/** Replaces what is stored, and raises the version. */
export async function replaceSettings(
  db: Db,
  before: StoredSettings,
  after: StoredSettings,
  at: Instant,
): Promise<number> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)] as StoredName[])
  // The password is encrypted for the server, so it is written again with it.
  const isServerNew = before.smtp_url !== after.smtp_url
  for (const name of names) {
    if (before[name] === after[name] && !(name === 'smtp_password' && isServerNew)) continue
    await db.deleteFrom('settings').where('name', '=', name).execute()
    if (after[name] !== undefined)
      await db
        .insertInto('settings')
        .values({ name, value: await storedText(db, after, name), changed_at: at })
        .execute()
  }
  const row = await db
    .updateTable('instance')
    .set({ settings_version: sql<number>`settings_version + 1` })
    .returning('settings_version')
    .executeTakeFirstOrThrow()
  return row.settings_version
}

async function storedText(db: Db, settings: StoredSettings, name: StoredName): Promise<string> {
  if (name !== 'smtp_password') return settings[name]!
  const { secret } = await db.selectFrom('instance').select('secret').executeTakeFirstOrThrow()
  return encryptText(secret, passwordContext(settings), settings[name]!)
}
