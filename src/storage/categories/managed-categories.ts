// Queries on managed categories: listed in order, inserted, changed and deleted by version.

import type { StoredCategory } from '../../domain/categories/category.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { lockByNumber, rawChange, rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'

const COLUMNS = `id, name, color, description, visibility, position, version, former_folded as "formerFolded",
  renamed_by as "renamedBy"`

/** In the order that administrators chose. */
export const listManagedCategories = (db: Db): Promise<StoredCategory[]> =>
  rawQuery(db, `select ${COLUMNS} from categories order by position, id`, [])

export async function findManagedCategory(db: Db, id: string): Promise<StoredCategory | undefined> {
  const [row] = await rawQuery<StoredCategory>(db, `select ${COLUMNS} from categories where id = ?1`, [id])
  return row
}

/** Renames that have not reached all events. */
export const listUnfinishedRenames = (db: Db): Promise<StoredCategory[]> =>
  rawQuery(db, `select ${COLUMNS} from categories where former_folded is not null order by position, id`, [])

/** Any fixed number that no other lock has. */
const LOCK = 7_430_024

/** Changes of categories run one after the other, so that names and positions agree. */
export const lockCategories = (db: Db): Promise<void> => lockByNumber(db, LOCK)

export type CategoryValues = Pick<
  StoredCategory,
  'name' | 'color' | 'description' | 'visibility' | 'position' | 'formerFolded' | 'renamedBy'
> & { folded: string }

const columnsOf = ({ formerFolded, renamedBy, ...columns }: CategoryValues) => ({
  ...columns,
  former_folded: formerFolded,
  renamed_by: renamedBy,
})

export async function insertManagedCategory(db: Db, id: string, values: CategoryValues, at: Instant): Promise<void> {
  await db
    .insertInto('categories')
    .values({ id, ...columnsOf(values), version: 1, created_at: at, updated_at: at })
    .execute()
}

/** False where it has another version by now. */
export async function updateManagedCategory(
  db: Db,
  { id, version }: Pick<StoredCategory, 'id' | 'version'>,
  values: CategoryValues,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('categories')
    .set({ ...columnsOf(values), version: version + 1, updated_at: at })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The order of another category: its version stays, as nothing else of it changed. */
export const setCategoryPosition = (db: Db, id: string, position: number): Promise<number> =>
  rawChange(db, 'update categories set position = ?1 where id = ?2', [position, id])

/** Once no event has the former name any more. */
export const endCategoryRename = (db: Db, id: string, formerFolded: string): Promise<number> =>
  rawChange(db, 'update categories set former_folded = null, renamed_by = null where id = ?1 and former_folded = ?2', [
    id,
    formerFolded,
  ])

export const deleteManagedCategory = (
  db: Db,
  { id, version }: Pick<StoredCategory, 'id' | 'version'>,
): Promise<number> => rawChange(db, 'delete from categories where id = ?1 and version = ?2', [id, version])
