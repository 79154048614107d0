// Queries for WebDAV properties of the calendar that each account stores for itself.
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'

export interface DavProperty {
  value: string
  /** The value of xml:lang, if given. */
  lang: string | null
}

export async function listDavProperties(db: Db, userId: string): Promise<Map<string, DavProperty>> {
  const text = 'select name, value, lang from dav_properties where user_id = ?1 order by name'
  const rows = await rawQuery<DavProperty & { name: string }>(db, text, [userId])
  return new Map(rows.map(({ name, value, lang }) => [name, { value, lang }]))
}

export async function setDavProperty(db: Db, userId: string, name: string, property: DavProperty): Promise<void> {
  const { value, lang } = property
  await db
    .insertInto('dav_properties')
    .values({ user_id: userId, name, value, lang })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ value, lang }))
    .execute()
}

export async function removeDavProperty(db: Db, userId: string, name: string): Promise<void> {
  await db.deleteFrom('dav_properties').where('user_id', '=', userId).where('name', '=', name).execute()
}
