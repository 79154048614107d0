// Measures the costliest allowed reads: CPU time of the process and of its main thread for each, in milliseconds.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dayFromDate } from '../src/domain/time/instant.ts'
import { type PostgresServer, startPostgres } from '../test/support/storage/postgres-server.ts'
import { openWorld } from '../test/support/world.ts'
import { loadEvents } from './load-data.ts'
import { makeSeries } from './make-events.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    occurrences: { type: 'string', default: '40' },
    engine: { type: 'string', default: 'sqlite' },
    /** A folder that is filled once and reused. */
    folder: { type: 'string' },
  },
})

const WINDOW = 'from=2026-01-02&to=2028-10-03'
const LISTS = [
  `${WINDOW}&page=1&q=a+o+t+p+e+g+k+n`,
  `${WINDOW}&page=1&q=e`,
  `${WINDOW}&page=1&q=choir`,
  `${WINDOW}&page=1&q=choir+evening&category=Music`,
  `${WINDOW}&page=1&category=Music`,
  `${WINDOW}&page=1`,
  `${WINDOW}&page=900&per_page=200`,
  `${WINDOW}&page=900&per_page=200&q=e`,
  `${WINDOW}&page=1&expand=false`,
  `${WINDOW}&page=1&expand=false&q=a+o+t+p+e+g+k+n`,
  'from=1900-01-01&to=1905-01-01&page=1&q=a+o+t+p+e+g+k+n',
  'from=2027-01-01&view=year&timezone=Pacific/Apia',
  'q=a+o+t+p+e+g+k+n',
  'from=2026-09-01&to=2026-09-01',
  'from=2026-09-01&to=2026-09-02&page=1',
  'from=2026-09-01&view=week',
  'from=2026-09-01&view=month',
]

const query = (filter: string): string =>
  `<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop><C:filter>
    <C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`

const REPORTS = {
  'free-busy of a week': `<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav">
    <C:time-range start="20260901T000000Z" end="20260908T000000Z"/></C:free-busy-query>`,
  'calendar-query of five years': query('<C:time-range start="20260101T000000Z" end="20301201T000000Z"/>'),
  'calendar-query by text': query('<C:prop-filter name="SUMMARY"><C:text-match>zzz</C:text-match></C:prop-filter>'),
  'first sync-collection': `<D:sync-collection xmlns:D="DAV:"><D:sync-token/><D:sync-level>1</D:sync-level>
    <D:prop><D:getetag/></D:prop></D:sync-collection>`,
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'daybook-worst-'))
const isFilled = existsSync(join(folder, 'daybook.db'))
const postgres: PostgresServer | undefined = values.engine === 'postgres' ? await startPostgres() : undefined
const settings = { DAYBOOK_DATA_DIR: folder, ...(postgres ? { DAYBOOK_DATABASE_URL: postgres.url } : {}) }
try {
  if (!isFilled)
    await loadEvents(settings, makeSeries(Number(values.events), Number(values.occurrences), dayFromDate(2026, 1, 2)))
  await measureAll()
} finally {
  await postgres?.stop()
  if (!values.folder) rmSync(folder, { recursive: true, force: true })
}

async function measureAll(): Promise<void> {
  const place = { settings, folder, remove: async () => {} }
  const world = await openWorld(values.engine as 'sqlite', place, { place, now: '2026-07-10T12:00:00Z' })
  try {
    const name = `reader${Date.now()}@example.org`
    await world.addPerson(name, 'reader')
    const reader = world.as(name)
    const { anonymous } = world
    await anonymous.get('/public/events?from=2026-01-02&to=2026-01-03')
    await reader.get('/events?from=2026-01-02&to=2026-01-03')
    for (const list of LISTS) await measure(list, () => anonymous.get(`/public/events?${list}`))
    for (const list of LISTS) await measure(`with an account: ${list}`, () => reader.get(`/events?${list}`))
    await measure('sidebar', () => anonymous.get('/public/sidebar-events?limit=20'))
    await measure('categories', () => anonymous.get('/public/categories'))
    await measure('feed', () => anonymous.get('/public/calendar.ics'))
    await measure('feed of a category', () => anonymous.get('/public/calendar.ics?category=Music&from=2027-01-01'))
    for (const [title, payload] of Object.entries(REPORTS))
      await measure(title, () =>
        reader.send({
          method: 'REPORT' as 'GET',
          url: '/caldav/calendars/main/',
          headers: { 'content-type': 'application/xml', depth: '1' },
          payload,
        }),
      )
  } finally {
    await world.app.close()
  }
}

async function measure(title: string, read: () => Promise<{ status: number; bytes: Buffer }>): Promise<void> {
  const [all, main] = [process.cpuUsage(), process.threadCpuUsage()]
  const begun = performance.now()
  const { status, bytes } = await read()
  const wall = performance.now() - begun
  const [allAfter, mainAfter] = [process.cpuUsage(all), process.threadCpuUsage(main)]
  const ms = ({ user, system }: { user: number; system: number }): string =>
    ((user + system) / 1_000).toFixed(0).padStart(6)
  process.stdout.write(
    `${ms(allAfter)} ${ms(mainAfter)} ${wall.toFixed(0).padStart(6)}  ${status} ${bytes.length} ${title}\n`,
  )
}
