// The measured reads, each beside its ceiling: the bare server has the same bytes ready.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { formatDate } from '../src/domain/time/text.ts'
import type { Month } from './make-events.ts'
import { type BenchRequest, BROWSER_HEADERS, monthQuery, type RequestKind } from './requests.ts'
import { AUTHORISATION, EVENTS_PATH, PUBLIC_PATH, type Running, type RunningBareServer } from './service.ts'

export interface BenchRead {
  name: string
  /** The request to the bare server. */
  asked: BenchRequest
  /** The requests to the service, by row name. */
  variants: Readonly<Record<string, RequestKind>>
}

export interface PreparedReads {
  reads: BenchRead[]
  occurrences: number
  answerBytes: number
}

export const FEED_PATH = `${PUBLIC_PATH}/calendar.ics`

export async function prepareReads(
  service: Running,
  bare: RunningBareServer,
  month: Month,
  hasFeed: boolean,
): Promise<PreparedReads> {
  const asAdmin = (path: string) => takeAnswer(service, bare, path, false)
  const asAnyone = (path: string) => takeAnswer(service, bare, path, true)
  const monthPath = `${EVENTS_PATH}?${monthQuery(month)}`
  const { body, ...whole } = await asAdmin(monthPath)
  const { data } = JSON.parse(body.toString()) as { data: { id: string; all_day: boolean }[] }
  const open = await asAnyone(monthPath)
  const event = await asAdmin(`${EVENTS_PATH}/${data.find(({ all_day }) => !all_day)!.id}`)
  const published = await asAnyone(`${PUBLIC_PATH}/events?${monthQuery(month)}`)
  const pagePath = `/?view=month&date=${formatDate(month.from)}`
  const page = await asAnyone(pagePath)
  const shown = await takeAnswer(service, bare, `${pagePath}&by=browser`, true, true)
  const sidebar = await asAnyone(`${PUBLIC_PATH}/sidebar-events`)
  const reads = [
    readOf('month', 'same', whole, { 'GET month, warm': 'same', 'GET month, uncached': 'month-uncached' }),
    readOf('month, anonymous', 'same', open, {
      'GET month, warm, anonymous': 'same',
      'GET month, uncached, anonymous': 'month-uncached',
    }),
    readOf('event', 'same', event, { 'GET event': 'same' }),
    readOf('public month', 'same', published, {
      'GET public month, warm': 'same',
      'GET public month, uncached': 'month-uncached',
    }),
    readOf('public month, 304', 'unchanged', published, { 'GET public month, 304': 'unchanged' }),
    readOf('calendar page', 'same', page, { 'GET calendar page, warm': 'same' }),
    readOf('calendar page, compressed', 'same', shown, { 'GET calendar page, warm, compressed': 'same' }),
    readOf('sidebar', 'same', sidebar, { 'GET sidebar, warm': 'same' }),
  ]
  if (hasFeed) {
    const feed = await asAnyone(FEED_PATH)
    reads.push(readOf('feed', 'same', feed, { 'GET feed, warm': 'same' }))
    reads.push(readOf('feed, 304', 'unchanged', feed, { 'GET feed, 304': 'unchanged' }))
  }
  return { reads, occurrences: data.length, answerBytes: body.length }
}

interface Taken {
  path: string
  isAnonymous: boolean
  isByBrowser?: boolean
  etag: string
}

const readOf = (
  name: string,
  kind: RequestKind,
  { path, isAnonymous, isByBrowser = false, etag }: Taken,
  variants: BenchRead['variants'],
): BenchRead => ({
  name,
  asked: { kind, path, isAnonymous, isByBrowser, etag },
  variants,
})

/** Fetches a response from the service once and gives its bytes, compressed as sent, to the bare server to send. */
async function takeAnswer(
  service: Running,
  bare: RunningBareServer,
  path: string,
  isAnonymous: boolean,
  isByBrowser = false,
) {
  // Otherwise the load client accepts no compression, and a compressed response has another ETag.
  const accepted = isByBrowser ? BROWSER_HEADERS : { 'accept-encoding': 'identity' }
  const headers = { ...accepted, ...(isAnonymous ? {} : { authorization: AUTHORISATION }) }
  const [response] = (await once(get({ host: '127.0.0.1', port: service.port, path, headers }), 'response')) as [
    IncomingMessage,
  ]
  const body = Buffer.concat(await response.toArray())
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`)
  if ((response.headers['content-encoding'] !== undefined) !== isByBrowser) throw new Error(`${path}: wrong encoding`)
  const type = response.headers['content-type']!
  const etag = response.headers.etag!
  await bare.prepare({ path, isAnonymous, type, etag, body: body.toString('base64') })
  return { path, isAnonymous, isByBrowser, etag, body }
}
