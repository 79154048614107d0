// Measures export to a file and import into an empty calendar in this process, in events per second.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { exportCalendar } from '../src/actions/transfer/export.ts'
import { importCalendar } from '../src/actions/transfer/import.ts'
import { openContext } from '../src/boot.ts'
import { loadConfig } from '../src/config.ts'
import { OPERATOR } from '../src/domain/privacy/viewer.ts'
import { median } from './measure.ts'

type Env = Record<string, string>

const ROUNDS = 3

/** Median over the rounds; each round has its own calendar. */
export async function measureImport(env: Env, size: number): Promise<number> {
  const text = await exportText(env)
  const speeds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.()
    speeds.push(await inEmptyCalendar(env, (empty) => importTimed(empty, text, size)))
  }
  return median(speeds)
}

async function exportText(env: Env): Promise<string> {
  const ctx = await openContext(loadConfig(env))
  try {
    return (await Array.fromAsync(await exportCalendar(ctx, OPERATOR))).join('')
  } finally {
    await ctx.storage.close()
  }
}

async function importTimed(env: Env, text: string, size: number): Promise<number> {
  const ctx = await openContext(loadConfig(env))
  try {
    const begun = performance.now()
    const { created } = await importCalendar(ctx, OPERATOR, text, { maxLines: Number.POSITIVE_INFINITY })
    if (created !== size) throw new Error(`of ${size} events ${created} were taken in`)
    return size / ((performance.now() - begun) / 1_000)
  } finally {
    await ctx.storage.close()
  }
}

/** Beside the measured one: a folder in its folder, and a database on its server. */
async function inEmptyCalendar<Result>(env: Env, use: (empty: Env) => Promise<Result>): Promise<Result> {
  const folder = join(env.DAYBOOK_DATA_DIR!, 'empty')
  const url = env.DAYBOOK_DATABASE_URL
  mkdirSync(folder)
  if (url) await runOn(url, 'create database empty')
  try {
    const address = url && new URL('/empty', url).href
    return await use({ DAYBOOK_DATA_DIR: folder, ...(address ? { DAYBOOK_DATABASE_URL: address } : {}) })
  } finally {
    if (url) await runOn(url, 'drop database empty with (force)')
    rmSync(folder, { recursive: true })
  }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
