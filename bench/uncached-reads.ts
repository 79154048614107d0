// Measures uncached reads, a feed after a write and a month, each against a bare process that does the same.
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { DAY_MS } from '../src/domain/time/instant.ts'
import { changeOne, createMany } from './fresh-events.ts'
import type { Month } from './make-events.ts'
import { median } from './measure.ts'
import { FEED_PATH } from './reads.ts'
import { requestsFor } from './requests.ts'
import { EVENTS_PATH, type Running, startBareFeed, startBareMonth } from './service.ts'

/** Medians over the rounds. */
export interface ComparedRead {
  bytes: number
  ourMs: number
  bareMs: number
  /** Ours beside the baseline of the same round. */
  times: number
}

const WARM_UP = 5
const FEED_ROUNDS = 15
const MONTH_ROUNDS = 200
/** No other slice has windows like it. */
const MONTH_SLICE = 5_000

/** The whole feed, made anew after each write. */
export async function measureColdFeed(service: Running, env: Record<string, string>): Promise<ComparedRead> {
  const bare = await startBareFeed(databaseOf(env))
  const [id] = await createMany(service, 1, { visibility: 'public' })
  let etag: string | undefined
  return compareRounds(bare, WARM_UP + FEED_ROUNDS, async (agent, round) => {
    await changeOne(service, id!, round + 1)
    const ours = await fetchTimed(agent, service.port, FEED_PATH)
    if (ours.etag === etag) throw new Error('the feed did not change with its event')
    etag = ours.etag
    return ours
  })
}

/** A month without credentials, in a window of its own each time, so that no cached response fits. */
export async function measureMonth(service: Running, env: Record<string, string>, month: Month): Promise<ComparedRead> {
  const bare = await startBareMonth(databaseOf(env), month.from * DAY_MS, month.to * DAY_MS)
  const paths = requestsFor({ kind: 'month-uncached', path: EVENTS_PATH, isAnonymous: true, month, slice: MONTH_SLICE })
  const pathOf = (round: number): string => String(paths(0, round).bytes).split(' ')[1]!
  await bare.prepare(await (await fetch(`http://127.0.0.1:${service.port}${pathOf(0)}`)).text())
  return compareRounds(bare, WARM_UP + MONTH_ROUNDS, (agent, round) =>
    fetchTimed(agent, service.port, pathOf(round + 1)),
  )
}

async function compareRounds(
  bare: Running,
  count: number,
  fetchOurs: (agent: Agent, round: number) => Promise<TimedRead>,
): Promise<ComparedRead> {
  const agent = new Agent({ keepAlive: true })
  const rounds: { ours: TimedRead; theirs: TimedRead }[] = []
  try {
    for (let round = 0; round < count; round++)
      rounds.push({ ours: await fetchOurs(agent, round), theirs: await fetchTimed(agent, bare.port, '/') })
  } finally {
    agent.destroy()
    await bare.stop()
  }
  const counted = rounds.slice(WARM_UP)
  return {
    bytes: counted[0]!.ours.bytes,
    ourMs: median(counted.map(({ ours }) => ours.ms)),
    bareMs: median(counted.map(({ theirs }) => theirs.ms)),
    times: median(counted.map(({ ours, theirs }) => ours.ms / theirs.ms)),
  }
}

const databaseOf = (env: Record<string, string>): string =>
  env.DAYBOOK_DATABASE_URL ?? join(env.DAYBOOK_DATA_DIR!, 'daybook.db')

interface TimedRead {
  ms: number
  bytes: number
  etag: string | undefined
}

/** From the request to the last byte. */
const fetchTimed = (agent: Agent, port: number, path: string): Promise<TimedRead> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    const request = get({ agent, port, path, host: '127.0.0.1' }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.once('error', reject)
      response.once('end', () => {
        if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`))
        else resolve({ ms: performance.now() - begun, bytes, etag: response.headers.etag })
      })
    })
    request.once('error', reject)
  })
