// Statements of frequent writes: none is made by the query builder, and each is one round trip to PostgreSQL.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { StatementSync } from 'node:sqlite'
import { type CompiledQuery, SqliteQueryCompiler } from 'kysely'
import { holdsConnection } from '../../../src/scheduling/current-client.ts'
import type { Db } from '../../../src/storage/tables.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

/** The texts of all statements that the query builder made in this process. */
const built = new Set<string>()
const compiler = Object.getPrototypeOf(SqliteQueryCompiler.prototype)
const { compileQuery } = compiler
compiler.compileQuery = function (...parameters: unknown[]): CompiledQuery {
  const query = compileQuery.apply(this, parameters)
  built.add(query.sql)
  return query
}

/** Set in the asynchronous work of a measured request: the service writes at intervals too. */
const measured = new AsyncLocalStorage<true>()

/** The texts of the statements of write transactions; on PostgreSQL with BEGIN and COMMIT. */
function logStatements(db: Db): string[] {
  const log: string[] = []
  for (const method of ['all', 'run'] as const) {
    const execute = StatementSync.prototype[method] as (...values: unknown[]) => never
    StatementSync.prototype[method] = function (this: StatementSync, ...values) {
      if (measured.getStore() && holdsConnection() && !OWN_STATEMENT.test(this.sourceSQL)) log.push(this.sourceSQL)
      return execute.apply(this, values)
    }
  }
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  executor.provideConnection = (use) =>
    provide(async (connection) => {
      const { executeQuery } = connection
      connection.executeQuery = (query, ...rest) => {
        if (measured.getStore()) log.push(query.sql)
        return executeQuery.call(connection, query, ...rest) as never
      }
      try {
        return await use(connection)
      } finally {
        connection.executeQuery = executeQuery
      }
    })
  return log
}

/** The driver's own on SQLite. */
const OWN_STATEMENT = /^(?:begin|commit|savepoint|release|rollback)/

const SQLITE_STATEMENTS = { POST: 5, PATCH: 9, 'PUT new': 7, PUT: 9 }
const POSTGRES_STATEMENTS = { POST: 4, PATCH: 8, 'PUT new': 6, PUT: 8 }

const event = { title: 'One', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

const objectText = (title: string): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:o\r\nDTSTAMP:20260101T000000Z\r\n` +
  `DTSTART:20260714T090000Z\r\nDTEND:20260714T100000Z\r\nSUMMARY:${title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`

forEachEngine('frequent writes take few statements, and none of the query builder', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    const dav = davOf(writer)
    const { id } = await writer.creates(event)
    const log = logStatements(app.ctx.storage.writes)
    const counts: Record<string, number> = {}
    const count = async (name: string, status: number, write: () => Promise<ApiResponse>): Promise<ApiResponse> => {
      log.length = 0
      const answer = await measured.run(true, write)
      assert.equal(answer.status, status, name)
      assert.deepEqual(
        log.filter((text) => built.has(text)),
        [],
        `${name} uses the query builder`,
      )
      counts[name] = log.length
      return answer
    }
    const put = (title: string, headers: Record<string, string>) =>
      dav.put('/caldav/calendars/main/o.ics', objectText(title), headers)
    await count('POST', 201, () => writer.post('/events', event))
    await count('PATCH', 200, () => writer.patch(`/events/${id}`, { title: 'Two', version: 1 }))
    const { headers } = await count('PUT new', 201, () => put('One', { 'if-none-match': '*' }))
    await count('PUT', 204, () => put('Two', { 'if-match': headers.etag as string }))
    const most = engine === 'sqlite' ? SQLITE_STATEMENTS : POSTGRES_STATEMENTS
    for (const [name, number] of Object.entries(most)) assert.ok(counts[name]! <= number, JSON.stringify(counts))
  }),
)
