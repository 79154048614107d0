// Prepared statements of SQLite are compiled once, whatever values they are run with.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createStatementRunner } from '../../../src/storage/engine/sqlite-statements.ts'

test('a statement with a LIMIT parameter is not compiled anew on each run', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table t (a integer primary key, b integer); insert into t values (1, 2), (2, 3), (3, 4)')
  const run = createStatementRunner(database)
  // Long, so that compiling it takes many times as long as running it.
  const textOf = (limit: string): string =>
    Array.from(
      { length: 20 },
      (_, i) => `select * from (select b from t where a > ${i} order by a limit ${limit})`,
    ).join(' union all ')
  const cpuMs = (limit: string, parameters: readonly number[]): number => {
    const text = textOf(limit)
    const runs = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage()
      for (let i = 0; i < 400; i++) assert.equal(run(text, parameters).rows.length, 5)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    })
    return Math.min(...runs)
  }
  const fixed = cpuMs('2', [])
  for (const limit of ['?1', '?']) {
    const given = cpuMs(limit, limit === '?' ? Array(20).fill(2) : [2])
    assert.ok(given < 5 * fixed, `${given} ms with ${limit}, ${fixed} ms without`)
  }
  assert.deepEqual(run('select b from t order by a limit ?1', [2]).rows, [{ b: 2 }, { b: 3 }])
  assert.deepEqual(run('select b from t order by a limit ? offset ?', [1, 1]).rows, [{ b: 3 }])
  database.close()
})
