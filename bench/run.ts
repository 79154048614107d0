// `npm run bench`: every size on every engine beside a bare server; a table to stdout, a JSON file to bench/results.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/storage/postgres-server.ts'
import { judge } from './aims.ts'
import type { Block } from './block.ts'
import { compareRuns, readCalendars } from './compare.ts'
import { measureImport } from './import-file.ts'
import { loadData } from './load-data.ts'
import { describeMachine, memoryOf } from './machine.ts'
import { type Month, measuredMonth } from './make-events.ts'
import { type Kit, measure, median, type Pace, startClient } from './measure.ts'
import { jsonOf, markdownOf } from './report.ts'
import { monthQuery } from './requests.ts'
import { makeAdmin, type StartedFrom, startBareServer, startService } from './service.ts'
import { measureColdFeed, measureMonth } from './uncached-reads.ts'

const usage = `Usage: npm run bench -- [--quick] [--sizes 1000,10000] [--engines sqlite,postgres] [--compare FILE]

With --compare, prints the cost of each row against that result file of an earlier run.
Writes bench/results/latest.json; a run that is not whole writes latest-part.json instead.\n`

const STARTS = 3
/** Larger calendars are not exported or imported whole, so that a run stays short. */
const MOST_IN_ONE_FILE = 10_000

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    sizes: { type: 'string' },
    engines: { type: 'string' },
    compare: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) process.stdout.write(usage)
else await main()

async function main(): Promise<void> {
  // Read first: the run may write the same file, and a wrong name is noticed at once.
  const earlier = values.compare ? readCalendars(values.compare) : undefined
  const isWhole = !values.quick && !values.sizes && !values.engines
  const sizes = (values.sizes ?? (values.quick ? '1000' : '1000,10000,100000'))
    .split(',')
    .map(Number)
    .sort((a, b) => a - b)
  const engines = (values.engines ?? (values.quick ? 'sqlite' : 'sqlite,postgres')).split(',')
  const pace: Pace = { rounds: values.quick ? 2 : 3, warmUpMs: 300, measureMs: 900, connections: [1, 16] }
  const now = Date.now()
  const month = measuredMonth(now)
  const client = startClient()
  const bare = await startBareServer()
  const blocks: Block[] = []
  const machine = describeMachine(now)
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  const path = join(results, isWhole ? 'latest.json' : 'latest-part.json')
  try {
    for (const engine of engines) {
      for (const size of sizes) {
        try {
          blocks.push(await measureOne(engine, size, { client, bare, month, pace }))
        } catch (error) {
          // The others take half an hour: they are measured and kept in any case.
          process.stderr.write(`bench: ${engine}, ${size} events: failed: ${(error as Error).message}\n`)
          process.exitCode = 1
        }
        if (blocks.length > 0) writeFileSync(path, jsonOf(machine, blocks, judge(blocks)))
      }
    }
  } finally {
    client.stop()
    await bare.stop()
  }
  if (blocks.length === 0) return
  process.stdout.write(markdownOf(machine, blocks, judge(blocks)))
  if (earlier) process.stdout.write(`\n${compareRuns(earlier, readCalendars(path))}`)
}

async function measureOne(engine: string, size: number, kit: Kit): Promise<Block> {
  const { month } = kit
  const hasFiles = size <= MOST_IN_ONE_FILE
  const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'))
  chmodSync(folder, 0o755)
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const env = { DAYBOOK_DATA_DIR: folder, ...(postgres ? { DAYBOOK_DATABASE_URL: postgres.url } : {}) }
  try {
    progress(`${engine}, ${size} events: loading`)
    const begun = performance.now()
    const version = await loadData(env, size, month)
    const loadMs = performance.now() - begun
    const importPerSecond = hasFiles ? await measureImport(env, size) : null
    globalThis.gc?.()
    makeAdmin(env)
    const startMs = await timeStarts(env, month, 'checkout')
    const bundleStartMs = await timeStarts(env, month, 'bundle')
    progress(`${engine}, ${size} events: measuring`)
    const service = await startService(env, monthQuery(month))
    try {
      const memoryAtRest = memoryOf(service.pid)
      const coldFeed = hasFiles ? await measureColdFeed(service, env) : null
      const uncachedMonth = await measureMonth(service, env, month)
      const measured = await measure(kit, service, hasFiles)
      const memory = memoryOf(service.pid)
      const starts = { startMs, bundleStartMs }
      const uncached = { coldFeed, uncachedMonth }
      return {
        engine: version,
        size,
        loadMs,
        ...starts,
        importPerSecond,
        ...uncached,
        memoryAtRest,
        memory,
        ...measured,
      }
    } finally {
      await service.stop()
    }
  } finally {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first start updates the schema's bookkeeping and is not counted. */
async function timeStarts(env: Record<string, string>, month: Month, from: StartedFrom): Promise<number> {
  const times: number[] = []
  for (let i = 0; i <= STARTS; i++) {
    const service = await startService(env, monthQuery(month), from)
    times.push(service.startMs)
    await service.stop()
  }
  return median(times.slice(1))
}

function progress(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}
