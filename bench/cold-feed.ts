// Measures an uncached feed after a write against a baseline that reads the same texts, joins and sends them.
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { changeOne, createMany } from './fresh-events.ts'
import { median } from './measure.ts'
import { FEED_PATH } from './reads.ts'
import { type Running, startBareFeed } from './service.ts'

/** Medians over the rounds. */
export interface ColdFeed {
  bytes: number
  ourMs: number
  bareMs: number
  /** Ours beside the baseline of the same round. */
  times: number
}

const WARM_UP = 5
const ROUNDS = 15

export async function measureColdFeed(service: Running, env: Record<string, string>): Promise<ColdFeed> {
  const bare = await startBareFeed(env.DAYBOOK_DATABASE_URL ?? join(env.DAYBOOK_DATA_DIR!, 'daybook.db'))
  const agent = new Agent({ keepAlive: true })
  const rounds: { ours: FetchedFeed; theirs: FetchedFeed }[] = []
  try {
    const [id] = await createMany(service, 1, { visibility: 'public' })
    for (let round = 1; round <= WARM_UP + ROUNDS; round++) {
      await changeOne(service, id!, round)
      const ours = await fetchTimed(agent, service.port, FEED_PATH)
      if (ours.etag === rounds.at(-1)?.ours.etag) throw new Error('the feed did not change with its event')
      const theirs = await fetchTimed(agent, bare.port, '/')
      rounds.push({ ours, theirs })
    }
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

interface FetchedFeed {
  ms: number
  bytes: number
  etag: string | undefined
}

/** From the request to the last byte. */
const fetchTimed = (agent: Agent, port: number, path: string): Promise<FetchedFeed> =>
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
