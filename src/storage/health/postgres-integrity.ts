// Full checks of PostgreSQL: reads every row, looks references up, compares indexes with tables.
import { AppError } from '../../errors.ts'
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { SELECT_OWN_TABLES } from './integrity.ts'

interface Named {
  name: string
}

/** Fails with SQLSTATE XX001 at a page or a long value that cannot be read. */
export async function readEveryRow(db: Db): Promise<void> {
  const text = `select oid::regclass::text as name from pg_class where relkind = 'r' and oid in (${SELECT_OWN_TABLES}) order by 1`
  for (const { name } of await rawQuery<Named>(db, text, []))
    await rawQuery(db, `select count(length(t::text)) from ${name} t`, [])
}

/** Tables with rows that refer to missing ones, as after a repair that switched the triggers of constraints off. */
export async function listOrphanedTables(db: Db): Promise<string[]> {
  const references = await rawQuery<{ child: string; parent: string; matches: string; given: string }>(
    db,
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent,
        string_agg(format('p.%I = c.%I', parent.attname, child.attname), ' and ') as matches,
        string_agg(format('c.%I is not null', child.attname), ' and ') as given
      from pg_constraint cross join unnest(conkey, confkey) as keys (child_key, parent_key)
      join pg_attribute child on child.attrelid = conrelid and child.attnum = child_key
      join pg_attribute parent on parent.attrelid = confrelid and parent.attnum = parent_key
      where contype = 'f' and conrelid in (${SELECT_OWN_TABLES})
      group by pg_constraint.oid, conrelid, confrelid order by 1`,
    [],
  )
  const orphaned = new Set<string>()
  for (const { child, parent, matches, given } of references) {
    const text = `select 1 from ${child} c where ${given} and not exists (select 1 from ${parent} p where ${matches}) limit 1`
    if ((await rawQuery(db, text, [])).length > 0) orphaned.add(child)
  }
  return [...orphaned]
}

/** By the extension amcheck; undefined where it is not created or this user may not use it. */
export async function listWrongIndexes(db: Db): Promise<string[] | undefined> {
  const [check] = await rawQuery<Named>(
    db,
    `select p.oid::regprocedure::text as name from pg_proc p join pg_extension e on e.extname = 'amcheck'
      where proname = 'bt_index_check' and pronargs = 2 and pronamespace = extnamespace
        and has_function_privilege(p.oid, 'execute')`,
    [],
  )
  if (!check) return undefined
  const call = check.name.replace(/\(.*/, '')
  const indexes = await rawQuery<Named>(
    db,
    `select pg_class.oid::regclass::text as name from pg_class join pg_am on pg_am.oid = relam
      join pg_index on indexrelid = pg_class.oid
      where relkind = 'i' and amname = 'btree' and indisvalid and indrelid in (${SELECT_OWN_TABLES}) order by 1`,
    [],
  )
  const wrong: string[] = []
  for (const { name } of indexes) {
    const isRight = await rawQuery(db, `select ${call}(?1::regclass, true)`, [name]).then(() => true, isCorrupted)
    if (!isRight) wrong.push(name)
  }
  return wrong
}

/** False for what amcheck reports; any other error is not about the index. */
function isCorrupted(error: unknown): boolean {
  const { code } = (error instanceof AppError ? error.cause : error) as { code?: string }
  if (code === 'XX001' || code === 'XX002') return false
  throw error
}
