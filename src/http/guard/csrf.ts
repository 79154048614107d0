// CSRF protection: checks the origin, and a token that only the service's own pages can read.
import type { FastifyRequest } from 'fastify'
import { parseAuthorization } from '../../actions/access/authorization.ts'
import { fail } from '../../errors.ts'
import { hashSecret, isSameSecret, newKey, sign } from '../../secrets.ts'
import type { Site } from '../site.ts'

/** A token bound to one session: stateless, so it is not stored and every node accepts it. */
export const csrfTokenFor = (instanceSecret: string, sessionSecret: string, nonce = newKey().slice(0, 22)): string =>
  `${sign(instanceSecret, `csrf ${hashSecret(sessionSecret)} ${nonce}`)}.${nonce}`

/** For writes authenticated by a cookie, which browsers also send with requests of other sites. */
export function requireCsrfToken(request: FastifyRequest, instanceSecret: string, sessionSecret: string): void {
  const sent = request.headers['x-csrf-token']
  if (sent === undefined || sent === '') fail('csrf_token_missing')
  const nonce = typeof sent === 'string' && sent.length < 200 ? sent.split('.')[1] : undefined
  if (!nonce || !isSameSecret(String(sent), csrfTokenFor(instanceSecret, sessionSecret, nonce)))
    fail('csrf_token_invalid')
}

/**
 * Browsers state the origin of a request: in Sec-Fetch-Site, older ones in Origin. A request without either does not
 * come from a browser, so no page made it send a cookie. Reads are checked too: another page cannot read the response,
 * but it can measure how long it takes, and a search takes longer where a private word matches.
 */
export function requireOwnOrigin(request: FastifyRequest, site: Site): void {
  const fetchSite = request.headers['sec-fetch-site']
  if (fetchSite !== undefined) {
    if (fetchSite !== 'same-origin' && fetchSite !== 'none') fail('origin_not_allowed')
    return
  }
  const { origin, host } = request.headers
  if (origin === undefined || origin === site.origin) return
  // On the same machine the page may have been opened under a loopback name.
  if (request.peer.isLocal && (origin === `http://${host}` || origin === `https://${host}`)) return
  fail('origin_not_allowed')
}

/**
 * A link such as `https://ann:guess@calendar.example.org/caldav/` makes a browser answer a Basic challenge with a
 * password chosen by the page, and each one counts as a failed login of the visitor's network. So a foreign page gets
 * no challenge. A script that sets `Authorization` itself sends the mode `cors`; calendar clients send no Sec-Fetch
 * headers, and browsers send none with WebSockets, which are not offered here.
 */
export function refuseLinkedCredentials({ headers }: FastifyRequest): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, authorization, upgrade } = headers
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  const isSetByProgram = authorization !== undefined && mode === 'cors'
  if ((isForeign && !isSetByProgram) || upgrade?.toLowerCase() === 'websocket') fail('origin_not_allowed')
}

/** A page of a listed origin may use tokens: a password typed there would give it everything that its owner may do. */
export function refusePassword({ headers: { authorization } }: FastifyRequest): void {
  if (authorization !== undefined && parseAuthorization(authorization)?.scheme === 'basic') fail('origin_not_allowed')
}
