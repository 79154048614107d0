// Baseline for an uncached month, in its own process: the bare SQL and JSON.stringify of the same response.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { BUCKETS, earliestStart } from '../../src/storage/events/duration-buckets.ts'

const [database, from, to] = process.argv.slice(2)
const [FROM, TO] = [Number(from), Number(to)]

/** Lists do not read them. */
const TEXTS = ['ical', 'public_ical', 'sent_ical', 'search_text']

/** Occurrences with their events, by the index that the service uses too. */
function monthText(columns: readonly string[]): string {
  const shown = columns.filter((name) => !TEXTS.includes(name)).map((name) => `e.${name}`)
  const parts = BUCKETS.map(
    (lane) => `select o.start_at as at, o.end_at as until, ${shown.join(', ')}
      from occurrences o join events e on e.key = o.event_key
      where o.lane = ${lane} and o.start_at > ${earliestStart(lane, FROM)} and o.start_at < ${TO} and o.end_at > ${FROM}`,
  )
  return `${parts.join(' union all ')} order by 1`
}

const readMonth = database!.startsWith('postgres:') ? await openPostgres(database!) : openSqlite(database!)
let answer: unknown

const server = createServer(async (_, response) => {
  const rows = await readMonth()
  const body = Buffer.from(JSON.stringify(answer))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, 'x-rows': rows.length })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('message', (text: string) => {
  answer = JSON.parse(text)
  process.send!({ ready: true })
})
process.on('disconnect', () => process.exit(0))

async function openPostgres(url: string): Promise<() => Promise<object[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { fields } = await client.query('select * from events limit 0')
  const text = monthText(fields.map(({ name }) => name))
  return async () => (await client.query({ name: 'month', text })).rows
}

function openSqlite(path: string): () => Promise<object[]> {
  const file = new DatabaseSync(path, { readOnly: true })
  const columns = file.prepare('select * from events').columns()
  const statement = file.prepare(monthText(columns.map(({ name }) => name)))
  return async () => statement.all()
}
