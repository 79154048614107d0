// Starts an empty PostgreSQL for walk.sh, prints its URL, and stops it on SIGTERM.
import { startPostgres } from '../support/storage/postgres-server.ts'

const server = await startPostgres()
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
process.stdout.write(`${server.url}\n`)
setInterval(() => {}, 60_000)
