// Kills the service during writes, repeatedly, and checks that nothing acknowledged is lost.
import { loadConfig } from '../../../src/config.ts'
import { openStorage } from '../../../src/storage/engine/open.ts'
import { waitFor } from '../measure/wait-for.ts'
import type { EmptyDatabase } from '../storage/engines.ts'
import { basicOf, openWorld } from '../world.ts'
import { type Service, startService } from './process.ts'

export interface CrashReport {
  rounds: number
  acknowledged: number
  lost: string[]
  /** Events without their occurrence row, or the other way round. */
  torn: string[]
  slowestReadyMs: number
}

const WRITERS = 8
const AUTHORIZATION = basicOf('writer@example.org')

/** Each round kills after a random number of acknowledged writes, at least one and at most `mostWrites`. */
export async function crashUnderWrites(place: EmptyDatabase, rounds: number, mostWrites: number): Promise<CrashReport> {
  const settings = { ...place.settings, DAYBOOK_RATE_LIMITS: 'off', DAYBOOK_LOG_LEVEL: 'silent' }
  const { app } = await openWorld(place.settings.DAYBOOK_DATABASE_URL ? 'postgres' : 'sqlite', place, {
    now: new Date().toISOString(),
  })
  await app.close()
  const titles = new Map<string, string>()
  const acknowledged = { count: 0 }
  let slowestReadyMs = 0
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const service = await startService(place.folder, settings)
    slowestReadyMs = Math.max(slowestReadyMs, performance.now() - started)
    const writing = Array.from({ length: WRITERS }, (_, i) =>
      writeUntilKilled(service, `${round}-${i}`, titles, acknowledged),
    )
    const enough = acknowledged.count + 1 + Math.floor(Math.random() * mostWrites)
    await waitFor('writes are acknowledged', () => acknowledged.count >= enough, { everyMs: 1 })
    await service.kill('SIGKILL')
    await Promise.all(writing)
  }
  return { rounds, acknowledged: titles.size, slowestReadyMs, ...(await inspect(place, settings, titles)) }
}

/** Creates and renames; remembers only what was answered with 2xx. */
async function writeUntilKilled(
  { base }: Service,
  name: string,
  titles: Map<string, string>,
  acknowledged: { count: number },
): Promise<void> {
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  try {
    for (let i = 0; ; i++) {
      const title = `${name}-${i}`
      const body = JSON.stringify({ title, start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
      const created = await fetch(`${base}/events`, { method: 'POST', headers, body })
      if (created.status !== 201) continue
      const { data } = (await created.json()) as { data: { id: string } }
      titles.set(data.id, title)
      acknowledged.count += 1
      const renamed = await fetch(`${base}/events/${data.id}`, {
        method: 'PATCH',
        headers,
        body: JSON.stringify({ title: `${title} renamed`, version: 1 }),
      })
      if (renamed.status === 200) titles.set(data.id, `${title} renamed`)
    }
  } catch {
    // The service was killed; unanswered writes are not acknowledged.
  }
}

async function inspect(
  place: EmptyDatabase,
  settings: Record<string, string>,
  titles: Map<string, string>,
): Promise<{ lost: string[]; torn: string[] }> {
  const storage = await openStorage(loadConfig(settings, place.folder))
  try {
    const rows = await storage.reads
      .selectFrom('events')
      .select(['id', 'key', 'title', 'ical', 'version', 'revision'])
      .execute()
    const indexed = new Map(
      (await storage.reads.selectFrom('occurrences').select(['event_key', 'start_at']).execute()).map((row) => [
        row.event_key,
        row,
      ]),
    )
    const stored = new Map(rows.map((row) => [row.id, row]))
    const { revision } = await storage.reads.selectFrom('calendar').select('revision').executeTakeFirstOrThrow()
    // A rename that was done but not answered may be stored; a title older than the one answered may not.
    const lost = [...titles].filter(([id, title]) => !stored.get(id)?.title.startsWith(title)).map(([id]) => id)
    const torn = rows
      .filter(
        (row) => !row.ical.includes(`SUMMARY:${row.title}\r\n`) || !indexed.has(row.key) || row.revision > revision,
      )
      .map(({ id }) => id)
    const orphans = [...indexed.keys()].filter((key) => !rows.some((row) => row.key === key)).map(String)
    return { lost, torn: [...torn, ...orphans] }
  } finally {
    await storage.close()
  }
}
