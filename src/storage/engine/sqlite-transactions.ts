// SQLite write transactions: raw SQL runs synchronously, without the promises of the query builder.
import {
  type ConnectionProvider,
  type DatabaseConnection,
  type KyselyProps,
  Transaction,
  TransactionBuilder,
} from 'kysely'
import { directChanges, directReaders } from '../dialect.ts'
import type { Tables } from '../tables.ts'
import { NodeSqliteConnection, type StatementExecutor } from './sqlite-connection.ts'
import type { SqliteWriteDriver } from './sqlite-writer.ts'

/** Replaces the query builder's own transactions, which await a dozen promises for each statement. */
export class SqliteTransactionBuilder extends TransactionBuilder<Tables> {
  readonly #props: KyselyProps
  readonly #driver: SqliteWriteDriver

  constructor(props: KyselyProps, driver: SqliteWriteDriver) {
    super(props)
    this.#props = props
    this.#driver = driver
  }

  override execute<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
    const driver = this.#driver
    return this.#props.executor.provideConnection(async (connection) => {
      await driver.beginTransaction(connection)
      const { db, end } = openTransaction(this.#props, driver.execute)
      try {
        const result = await work(db).finally(end)
        await driver.commitTransaction(connection)
        return result
      } catch (error) {
        await driver.rollbackTransaction(connection)
        throw error
      }
    })
  }
}

/** After `end`, statements of this transaction fail: the connection belongs to the next one. */
function openTransaction(props: KyselyProps, execute: StatementExecutor): { db: Transaction<Tables>; end(): void } {
  let isOpen = true
  const executeOpen: StatementExecutor = (text, parameters) => {
    if (!isOpen) throw new Error('the transaction has ended')
    return execute(text, parameters)
  }
  const provider = new OneConnection(new NodeSqliteConnection(executeOpen))
  const db = new Transaction<Tables>({ ...props, executor: props.executor.withConnectionProvider(provider) })
  directReaders.set(db, (text, parameters) => executeOpen(text, parameters).rows)
  directChanges.set(db, (text, parameters) => Number(executeOpen(text, parameters).numAffectedRows ?? 0))
  return {
    db,
    end() {
      isOpen = false
    },
  }
}

/** Statements are synchronous, so none waits for another. */
class OneConnection implements ConnectionProvider {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  provideConnection<T>(use: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return use(this.#connection)
  }
}
