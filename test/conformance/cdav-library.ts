// @nextcloud/cdav-library in Chromium: finds the calendar, creates, edits, meets a conflict, deletes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { requireBrowserBinary } from '../support/browser/browser-binary.ts'

/** The parts of the library that are used here; its objects stay in the page. */
interface VObject {
  data: string
  update(): Promise<void>
  delete(): Promise<void>
}
interface Calendar {
  createVObject(data: string): Promise<VObject>
  findByType(name: string): Promise<VObject[]>
}
interface DavClient {
  connect(options: { enableCalDAV: boolean }): Promise<DavClient>
  calendarHomes: { findAllCalendars(): Promise<Calendar[]> }[]
}
interface BrowserRequest {
  open(...parts: unknown[]): void
  setRequestHeader(name: string, value: string): void
}
declare const XMLHttpRequest: new () => BrowserRequest
declare const cdav: { default: new (options: { rootUrl: string }, createRequest: () => BrowserRequest) => DavClient }

const [library, base, email, password] = process.argv.slice(2) as [string, string, string, string]
const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
const UID = 'cdav-library@example.org'

interface ListedOverJson {
  id: string
  uid: string
  title: string
  version: number
}

async function ask(method: string, path: string, body?: unknown): Promise<{ data: ListedOverJson[] }> {
  const headers = { authorization, ...(body ? { 'content-type': 'application/json' } : {}) }
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  const response = await fetch(`${base}/api-root/calendar/v1${path}`, init)
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return (await response.json()) as { data: ListedOverJson[] }
}

const findStored = async (): Promise<ListedOverJson | undefined> =>
  (await ask('GET', '/events')).data.find(({ uid }) => uid === UID)

const changeElsewhere = async (title: string): Promise<void> => {
  const { id, version } = (await findStored())!
  await ask('PATCH', `/events/${id}`, { title, version })
}

const text = (title: string): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//Library//EN', 'BEGIN:VEVENT', `UID:${UID}`],
    ...['DTSTAMP:20260701T000000Z', 'DTSTART:20260803T180000Z', 'DTEND:20260803T190000Z', `SUMMARY:${title}`],
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

const { path } = await requireBrowserBinary()
assert.ok(path, 'there is no browser')
const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
try {
  const page = await browser.newPage()
  await page.goto(`${base}/`)
  await page.evaluate(readFileSync(library, 'utf8'))
  const calendar = await page.evaluateHandle(
    async ([rootUrl, header]) => {
      const createRequest = () => {
        const request = new XMLHttpRequest()
        const open = request.open.bind(request)
        request.open = (...parts) => {
          open(...parts)
          request.setRequestHeader('authorization', header!)
        }
        return request
      }
      const client = await new cdav.default({ rootUrl: rootUrl! }, createRequest).connect({ enableCalDAV: true })
      return (await client.calendarHomes[0]!.findAllCalendars())[0]!
    },
    [`${base}/caldav/`, authorization],
  )
  const made = await calendar.evaluateHandle((found, data) => found.createVObject(data), text('Made in the library'))
  assert.equal((await findStored())?.title, 'Made in the library')
  const edit = (title: string, handle = made): Promise<string> =>
    handle.evaluate(async (object, data) => {
      object.data = data
      return object.update().then(
        () => 'stored',
        (error: { status?: number }) => `refused ${error.status}`,
      )
    }, text(title))
  assert.equal(await edit('Edited in the library'), 'stored')
  assert.equal((await findStored())?.title, 'Edited in the library')
  await changeElsewhere('Edited elsewhere')
  assert.equal(await edit('Edited unseen'), 'refused 412')
  assert.equal((await findStored())?.title, 'Edited elsewhere')
  const again = await calendar.evaluateHandle(
    async (found, uid) => (await found.findByType('VEVENT')).find(({ data }) => data.includes(uid))!,
    UID,
  )
  assert.match(await again.evaluate(({ data }) => data), /SUMMARY:Edited elsewhere/)
  assert.equal(await edit('Edited after reading again', again), 'stored')
  await again.evaluate((object) => object.delete())
  assert.equal(await findStored(), undefined)
  console.log('found the calendar, made, edited, met a conflict, edited after reading again, deleted')
} finally {
  await browser.close()
}
