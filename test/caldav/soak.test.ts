// Random sync soak: two devices and a web page change one calendar, and all three end with the same events.
import assert from 'node:assert/strict'
import { byRunLength } from '../support/measure/run-length.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../support/world.ts'

const CHANGES = byRunLength(200, 2_000)
const CALENDAR = '/caldav/calendars/main/'

/** A small seeded generator, so that a failed run can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const textOf = (uid: string, title: string, day: number, isSeries: boolean): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//Device//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260701T000000Z',
    `DTSTART;TZID=Europe/London:202607${String(day).padStart(2, '0')}T190000`,
    `DTEND;TZID=Europe/London:202607${String(day).padStart(2, '0')}T200000`,
    ...(isSeries ? ['RRULE:FREQ=DAILY;COUNT=5'] : []),
    `SUMMARY:${title}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

interface Copy {
  etag: string
  text: string
}

/** A device: the objects it has, and its sync token. */
interface Device {
  name: string
  objects: Map<string, Copy>
  token: string
}

async function send(client: Client, method: string, url: string, headers: Record<string, string>, payload?: string) {
  return client.send({ method: method as 'GET', url, headers, ...(payload === undefined ? {} : { payload }) })
}

const XML = { 'content-type': 'application/xml; charset=utf-8' }

async function sync(client: Client, device: Device): Promise<void> {
  for (let isComplete = false; !isComplete; ) {
    const { status, text } = await send(
      client,
      'REPORT',
      CALENDAR,
      { ...XML, depth: '0' },
      `<sync-collection xmlns="DAV:"><sync-token>${device.token}</sync-token><sync-level>1</sync-level>
        <limit><nresults>40</nresults></limit><prop><getetag/></prop></sync-collection>`,
    )
    assert.equal(status, 207, text)
    const wanted: string[] = []
    isComplete = true
    for (const [, response] of text.matchAll(/<D:response>(.*?)<\/D:response>/gs)) {
      const href = /<D:href>(.*?)<\/D:href>/.exec(response!)![1]!
      if (href === CALENDAR) isComplete = false
      else if (/HTTP\/1\.1 404/.test(response!)) device.objects.delete(href)
      else if (device.objects.get(href)?.etag !== etagIn(response!)) wanted.push(href)
    }
    device.token = /<D:sync-token>(.*?)<\/D:sync-token>/.exec(text)![1]!
    if (wanted.length > 0) await fetchAll(client, device, wanted)
  }
}

async function fetchAll(client: Client, device: Device, hrefs: readonly string[]): Promise<void> {
  const body = `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/>
    <C:calendar-data/></D:prop>${hrefs.map((href) => `<D:href>${href}</D:href>`).join('')}</C:calendar-multiget>`
  const { status, text } = await send(client, 'REPORT', CALENDAR, { ...XML, depth: '1' }, body)
  assert.equal(status, 207, text)
  for (const [, response] of text.matchAll(/<D:response>(.*?)<\/D:response>/gs)) {
    const href = /<D:href>(.*?)<\/D:href>/.exec(response!)![1]!
    const data = /<C:calendar-data[^>]*>(.*?)<\/C:calendar-data>/s.exec(response!)?.[1]
    if (data === undefined) device.objects.delete(href)
    else device.objects.set(href, { etag: etagIn(response!), text: plain(data) })
  }
}

const etagIn = (response: string): string => plain(/<D:getetag>(.*?)<\/D:getetag>/.exec(response)![1]!)

const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp|#13|#xD);/g, (_, name: string) => ENTITIES[name]!)

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#13': '\r', '#xD': '\r' }

/** A change refused because of a concurrent one is tried again after the next sync, or not at all. */
const ACCEPTABLE = [201, 204, 404, 412]

async function actOnDevice(client: Client, device: Device, chance: (below: number) => number, i: number) {
  const hrefs = [...device.objects.keys()]
  const href = hrefs[chance(Math.max(1, hrefs.length))]
  const copy = href === undefined ? undefined : device.objects.get(href)
  const kind = chance(10)
  if (!copy || kind < 4) {
    const uid = `${device.name}-${i}@example.org`
    const text = textOf(uid, `New ${i}`, 1 + chance(28), chance(3) === 0)
    const path = `${CALENDAR}${device.name}-${i}.ics`
    return put(client, device, path, text, { 'if-none-match': '*' })
  }
  if (kind < 8) {
    const text = copy.text.replace(/SUMMARY:.*/, `SUMMARY:Changed ${i} by ${device.name}`)
    return put(client, device, href!, text, { 'if-match': copy.etag })
  }
  const { status } = await send(client, 'DELETE', href!, { 'if-match': copy.etag })
  assert.ok(ACCEPTABLE.includes(status), `${status}`)
  if (status === 204) device.objects.delete(href!)
}

async function put(client: Client, device: Device, href: string, text: string, condition: Record<string, string>) {
  const headers = { 'content-type': 'text/calendar; charset=utf-8', ...condition }
  const answer = await send(client, 'PUT', href, headers, text)
  assert.ok(ACCEPTABLE.includes(answer.status), `${answer.status} ${answer.text}`)
  if (answer.status < 300) device.objects.set(href, { etag: String(answer.headers.etag), text })
}

async function actOnPage(client: Client, chance: (below: number) => number, i: number): Promise<void> {
  const { data } = (await client.get(`/events?per_page=50&page=${1 + chance(3)}`)).body
  const event = data[chance(Math.max(1, data.length))]
  const kind = chance(10)
  const day = String(1 + chance(28)).padStart(2, '0')
  if (!event || kind < 3) {
    const repeat = chance(3) === 0 ? { rrule: 'FREQ=DAILY;COUNT=5' } : {}
    await client.creates({ title: `Page ${i}`, start: `2026-07-${day}T09:00`, end: `2026-07-${day}T10:00`, ...repeat })
  } else if (kind < 6) {
    const { version } = event
    const { status } = await client.patch(`/events/${event.id}`, { title: `Page changed ${i}`, version })
    assert.ok([200, 404, 412].includes(status), `${status}`)
  } else if (kind < 8 && event.rrule) {
    const series = (await client.get(`/events/${event.id}/occurrences?from=2026-07-01&to=2026-09-01`)).body.data
    const key = series?.[chance(Math.max(1, series.length))]?.occurrence_key
    if (key) await client.delete(`/events/${event.id}/occurrences/${key}`)
  } else await client.delete(`/events/${event.id}`)
}

/** Title, start and deleted occurrences under each UID: what all three must agree on. */
function wordsOf(object: string): string {
  // Long lists of dates are folded.
  const text = object.slice(object.indexOf('BEGIN:VEVENT')).replace(/\r\n[ \t]/g, '')
  return [
    /SUMMARY:(.*)\r/.exec(text)![1],
    /DTSTART[^:]*:(.*)\r/.exec(text)![1],
    ...[...text.matchAll(/EXDATE[^:]*:(.*)\r/g)].flatMap(([, dates]) => dates!.split(',')).sort(),
  ].join(' ')
}

async function onThePage(world: World): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let page = 1; ; page++) {
    const { data } = (await world.writer.get(`/events?per_page=200&page=${page}`)).body
    for (const event of data) {
      const start = event.start.slice(0, 19).replace(/[-:]/g, '')
      found.set(event.uid, [event.title, start, ...[...(event.exdates ?? [])].sort()].join(' '))
    }
    if (data.length < 200) return found
  }
}

const onDevice = ({ objects }: Device): Map<string, string> =>
  new Map([...objects.values()].map(({ text }) => [/UID:(.*)\r/.exec(text)![1]!, wordsOf(text)]))

const SEED = Number(process.env.DAYBOOK_SEED ?? 5)

forEachEngine(
  `two devices and a page make ${CHANGES} changes and end with the same calendar (DAYBOOK_SEED=${SEED})`,
  (engine) =>
    withWorld(engine, async (world) => {
      const chance = createRandom(SEED)
      const devices: Device[] = ['one', 'two'].map((name) => ({ name, objects: new Map(), token: '' }))
      for (let i = 0; i < CHANGES; i++) {
        const who = chance(3)
        if (who === 2) await actOnPage(world.writer, chance, i)
        else await actOnDevice(world.writer, devices[who]!, chance, i)
        if (chance(8) === 0) await sync(world.writer, devices[chance(2)]!)
      }
      for (const device of devices) await sync(world.writer, device)
      const page = [...(await onThePage(world))].sort()
      assert.ok(page.length > 50, `${page.length} events are left`)
      for (const device of devices) assert.deepEqual([...onDevice(device)].sort(), page, device.name)
      const fresh: Device = { name: 'three', objects: new Map(), token: '' }
      await sync(world.writer, fresh)
      assert.deepEqual([...onDevice(fresh)].sort(), page, 'as has one that begins now')
    }),
)
