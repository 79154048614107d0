// Requests another site made a browser send: told by where they come from, and by a token only our own pages can read.
import type { FastifyRequest } from 'fastify'
import { fail } from '../../errors.ts'
import { hashSecret, isSameSecret, newKey, sign } from '../../secrets.ts'
import type { Site } from '../site.ts'

/** A token bound to one session; it needs no place in the database and is good on every node. */
export const csrfTokenFor = (instanceSecret: string, sessionSecret: string, nonce = newKey().slice(0, 22)): string =>
  `${sign(instanceSecret, `csrf ${hashSecret(sessionSecret)} ${nonce}`)}.${nonce}`

/** For what changes something under a cookie, which browsers send along whoever asks. */
export function requireCsrfToken(request: FastifyRequest, instanceSecret: string, sessionSecret: string): void {
  const sent = request.headers['x-csrf-token']
  if (sent === undefined || sent === '') fail('csrf_token_missing')
  const nonce = typeof sent === 'string' && sent.length < 200 ? sent.split('.')[1] : undefined
  if (!nonce || !isSameSecret(String(sent), csrfTokenFor(instanceSecret, sessionSecret, nonce)))
    fail('csrf_token_invalid')
}

/**
 * Browsers say where a request comes from: by Sec-Fetch-Site, older ones by Origin. A request without either does not
 * come from a browser, so it carries no cookie that a page made it send. Reads are checked too: another page cannot read
 * the answer, but it can measure how long the answer takes, and a search takes longer where a private word matches.
 */
export function requireOwnOrigin(request: FastifyRequest, site: Site): void {
  const fetchSite = request.headers['sec-fetch-site']
  if (fetchSite !== undefined) {
    if (fetchSite !== 'same-origin' && fetchSite !== 'none') fail('origin_not_allowed')
    return
  }
  const { origin, host } = request.headers
  if (origin === undefined || origin === site.origin) return
  // On the machine itself the page may have been opened under a loopback name.
  if (request.peer.isLocal && (origin === `http://${host}` || origin === `https://${host}`)) return
  fail('origin_not_allowed')
}

/**
 * A link such as `https://ann:guess@calendar.example.org/caldav/` makes a browser answer a Basic challenge with a
 * password that the page chose: each counts as a wrong guess of the visitor's own network. So a foreign page gets no
 * challenge. A program inside a browser that sets `Authorization` itself sends the mode `cors`; calendar programs send
 * no Sec-Fetch headers, and browsers send none with WebSockets, which are not offered here.
 */
export function refuseLinkedCredentials({ headers }: FastifyRequest): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, authorization, upgrade } = headers
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  const isSetByProgram = authorization !== undefined && mode === 'cors'
  if ((isForeign && !isSetByProgram) || upgrade?.toLowerCase() === 'websocket') fail('origin_not_allowed')
}
