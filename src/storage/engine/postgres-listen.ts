// LISTEN and NOTIFY between nodes, on a connection that is opened again when it is lost.
import pg from 'pg'
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'

const CHANNEL = 'daybook_changes'
const CONNECT_TIMEOUT_MS = 2_000
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000

export interface Listening {
  stop(): Promise<void>
}

/** Outside the transaction: NOTIFY in it would make commits of all writers wait for one another. */
export async function notifyNodes(reads: Db): Promise<void> {
  await rawQuery(reads, `select pg_notify('${CHANNEL}', '')`, [])
}

/** Calls `onNotice` for each notification, and after each connection: others may have come before it. */
export function listenForNotices(url: string, onNotice: () => void): Listening {
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let waitMs = FIRST_RETRY_MS
  let isStopped = false
  const reconnect = (): void => {
    if (isStopped || timer) return
    timer = setTimeout(
      () => {
        timer = undefined
        void connect()
      },
      waitMs * (0.5 + Math.random() / 2),
    )
    timer.unref()
    waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)
  }
  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
    })
    current = client
    const lose = (): void => {
      if (current !== client) return
      current = undefined
      void client.end().catch(() => {})
      reconnect()
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', onNotice)
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      waitMs = FIRST_RETRY_MS
      if (isStopped) await client.end().catch(() => {})
      else onNotice()
    } catch {
      lose()
    }
  }
  void connect()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const client = current
      current = undefined
      await client?.end().catch(() => {})
    },
  }
}
