// Baseline for an uncached feed, in its own process: reads the same texts from the database, joins and sends them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

interface BareFeedRow {
  public_ical: string
}

const TEXTS = `select public_ical from events where public_ical <> '' order by key`

const database = process.argv[2]!
const readTexts = database.startsWith('postgres:') ? await openPostgres(database) : openSqlite(database)

const server = createServer(async (_, response) => {
  const rows = await readTexts()
  const body = Buffer.from(rows.map(({ public_ical }) => public_ical).join(''))
  response.writeHead(200, { 'content-type': 'text/calendar', 'content-length': body.length }).end(body)
})

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))

async function openPostgres(url: string): Promise<() => Promise<BareFeedRow[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return async () => (await client.query<BareFeedRow>(TEXTS)).rows
}

function openSqlite(path: string): () => Promise<BareFeedRow[]> {
  const statement = new DatabaseSync(path, { readOnly: true }).prepare(TEXTS)
  return async () => statement.all() as unknown as BareFeedRow[]
}
