// CalDAV benchmark reads: one object, a hundred, a month, the initial sync, and changes since a token.
import { DAY_MS } from '../src/domain/time/instant.ts'
import { changeOne, createMany } from './fresh-events.ts'
import type { Month } from './make-events.ts'
import type { BenchRequest } from './requests.ts'
import { AUTHORISATION, type Running } from './service.ts'

export const CALENDAR_PATH = '/caldav/calendars/main/'

const DAV = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
const HUNDRED = 100

/** Reads by row name. The initial sync grows with the calendar; the other responses have one length at every size. */
export async function prepareCalDav(service: Running, month: Month): Promise<Record<string, BenchRequest>> {
  const hrefs = await listHrefs(service, month)
  const before = await readToken(service)
  const [id] = await createMany(service, 1, {})
  await changeOne(service, id!, 1)
  const reports = {
    'REPORT multiget of 100': report(multiget(hrefs.slice(0, HUNDRED)), 1),
    'REPORT calendar-query, month': report(monthQuery(month), 1),
    'REPORT sync, one change': report(sync(before), 0),
    'REPORT sync, initial': report(sync(''), 0),
  }
  const cached = Object.entries(reports).map(([name, asked]) => [`${name}, cached`, { ...asked, isRepeated: true }])
  return {
    'GET object': { kind: 'same', path: hrefs[0]! },
    ...reports,
    'REPORT calendar-query, expanded month': { ...report(expandedMonth(month), 1), maxConnections: 1 },
    ...Object.fromEntries(cached),
  }
}

const report = (body: string, depth: number): BenchRequest => ({ kind: 'report', path: CALENDAR_PATH, body, depth })

const monthQuery = ({
  from,
  to,
}: Month): string => `<C:calendar-query ${DAV}><D:prop><D:getetag/><C:calendar-data/></D:prop>
  <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">
  <C:time-range start="${formatUtcBasic(from)}" end="${formatUtcBasic(to)}"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`

const expandedMonth = (month: Month): string =>
  monthQuery(month).replace(
    '<C:calendar-data/>',
    `<C:calendar-data><C:expand start="${formatUtcBasic(month.from)}" end="${formatUtcBasic(month.to)}"/></C:calendar-data>`,
  )

const formatUtcBasic = (day: number): string =>
  `${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}T000000Z`

const multiget = (hrefs: readonly string[]): string =>
  `<C:calendar-multiget ${DAV}><D:prop><D:getetag/><C:calendar-data/></D:prop>${hrefs
    .map((href) => `<D:href>${href}</D:href>`)
    .join('')}</C:calendar-multiget>`

const sync = (token: string): string =>
  `<D:sync-collection ${DAV}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`

async function listHrefs(service: Running, month: Month): Promise<string[]> {
  const text = await send(service, 'REPORT', monthQuery(month), '1')
  return [...text.matchAll(/<D:href>([^<]+)<\/D:href>/g)].map(([, href]) => href!)
}

async function readToken(service: Running): Promise<string> {
  const text = await send(service, 'PROPFIND', `<D:propfind ${DAV}><D:prop><D:sync-token/></D:prop></D:propfind>`, '0')
  return /<D:sync-token>([^<]+)/.exec(text)![1]!
}

async function send(service: Running, method: string, body: string, depth: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${service.port}${CALENDAR_PATH}`, {
    method,
    headers: { authorization: AUTHORISATION, 'content-type': 'application/xml', depth },
    body,
  })
  if (response.status !== 207) throw new Error(`${method} answered ${response.status}`)
  return response.text()
}
