// The type of a migration. Released migration files, which never change, import it from this path.
import type { Db } from './tables.ts'

export interface Migration {
  name: string
  up: (db: Db) => Promise<void>
}
