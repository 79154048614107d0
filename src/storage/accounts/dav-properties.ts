// Queries for WebDAV properties of the calendar that each account stores for itself.
import type { Db } from '../tables.ts'

export interface DavProperty {
  value: string
  /** The value of xml:lang, if given. */
  lang: string | null
}

export async function listDavProperties(db: Db, userId: string): Promise<Map<string, DavProperty>> {
  const rows = await db.selectFrom('dav_properties').selectAll().where('user_id', '=', userId).orderBy('name').execute()
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
