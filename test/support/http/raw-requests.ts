// Generates raw HTTP requests for fuzzing: odd targets, every method, broken bodies and bytes that are not HTTP.
import { METHODS } from 'node:http'

/** One connection: the bytes to write, and how the client ends it. */
export interface RawRequest {
  bytes: Buffer
  /** Methods of the requests in `bytes`, in order: a response to HEAD has no body. */
  methods: string[]
  /** The client waits for the server to close, closes its own half at once or after the first response, or resets. */
  ending: 'wait' | 'half-close' | 'half-close-late' | 'reset'
}

export type Random = (below: number) => number

/** xorshift32: the same seed gives the same requests on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)]!

const PREFIXES = ['', '/assets', '/%61ssets', '/api-root', '/%61pi-root', '/api-root/calendar/v1']
const DEEP = [
  '/events',
  '/public/events',
  '/feeds',
  '/auth/tokens',
  '/admin/users',
  '/users/verify',
  '/public/calendar.ics',
]
const DAV = [
  '/caldav',
  '/%63aldav',
  '/caldav/calendars/main',
  '/%63aldav/calendars/main',
  '/caldav/principals',
  '/.well-known/caldav',
]
const PARTS = [
  '',
  '/',
  '//',
  'a',
  'a'.repeat(255),
  'a'.repeat(256),
  'a'.repeat(8_000),
  '%61'.repeat(300),
  '%',
  '%zz',
  '%c0%ae',
  '%ff'.repeat(90),
  '%00',
  '%2f%2f',
  '%25'.repeat(200),
  '%e2%82',
  '..',
  '../'.repeat(50),
  ';x',
  '\u00ff\u00fe',
  '?',
  '?q=%',
  '?a=1&a=2&__proto__=1',
  `?${'x=1&'.repeat(1_500)}`,
  '#',
  'x.ics',
  `${'b'.repeat(300)}.ics`,
  '[::1]',
  '\\',
  '|^`{}',
]

export function makeTarget(random: Random, root: string): string {
  const kind = random(20)
  if (kind === 0)
    return pick(random, ['*', '', 'x', ':', 'a:b', '?', '#', '//', '///', '/./', 'http:', 'http://', 'localhost:80'])
  if (kind === 2) return `${root}${pick(random, KNOWN)}`
  const slug = pick(random, [root, root, '', '/%64aybook', '/nope'])
  const base = pick(random, [
    () => pick(random, PREFIXES),
    () => `/api-root/calendar/v1${pick(random, DEEP)}`,
    () => pick(random, DAV),
  ])()
  const path = `${slug}${base}/${pick(random, PARTS)}${random(3) === 0 ? `/${pick(random, PARTS)}` : ''}`
  if (kind === 1) return `${pick(random, ['http', 'HTTPS', 'ftp'])}://${pick(random, HOSTS)}${path}`
  return path
}

const KNOWN = ['/', '/healthz', '/assets/', '/robots.txt', '/api-root/calendar/v1/public/events', '/caldav/', '/frame']

const HOSTS = [
  'localhost',
  '127.0.0.1',
  'elsewhere',
  '',
  '[',
  '[::1]:99',
  'u:p@localhost',
  '%',
  'a'.repeat(3_000),
  'a b',
]

const TYPES = [
  'application/json',
  'application/merge-patch+json',
  'text/calendar',
  'text/xml',
  'x',
  ';',
  'a/b;c',
  'multipart/form-data',
]
const ODD_HEADERS = [
  'expect: 100-continue',
  'expect: something',
  'upgrade: h2c',
  'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13',
  'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__',
  'authorization: Basic ',
  'authorization: Basic Og==',
  'authorization: Bearer calpat_x',
  'authorization: Digest x',
  'cookie: cal_00000000=x; __Host-cal_00000000=%',
  'if-none-match: "',
  'if-match: W/"x", *',
  'range: bytes=0-,0-,0-',
  'depth: infinity',
  'destination: http://[',
  'x-forwarded-for: %, ::, 1.2.3.4:5:6',
  'forwarded: for="[::1", for=;;=',
  'accept-version: 1.x',
  'accept-encoding: br;q=0.9999, gzip;q=-1, *;q=',
  'content-encoding: gzip',
  'te: trailers, x',
  'x-http-method-override: QUERY',
  'host: elsewhere',
  `x-long: ${'y'.repeat(15_000)}`,
  Array.from({ length: 2_500 }, (_, i) => `h${i}:`).join('\r\n'),
]

/** Most often GET: HTML is rendered only for it. */
const METHODS_SENT = METHODS.filter((method) => method !== 'CONNECT')

function makeHead(random: Random, root: string, method: string): string {
  const version = random(12) === 0 ? pick(random, ['1.0', '1.0', '1.1', '0.9', '2.0']) : '1.1'
  const lines = [`${method} ${makeTarget(random, root)} HTTP/${version}`]
  if (random(40) !== 0) lines.push(`host: ${random(10) === 0 ? pick(random, HOSTS) : 'localhost'}`)
  const accept = pick(random, [undefined, 'text/html', 'application/json', 'text/html,*/*;q=0.8', ';;q=,,'])
  if (accept) lines.push(`accept: ${accept}`)
  if (random(4) === 0) lines.push(pick(random, ODD_HEADERS))
  return lines.join('\r\n')
}

const BODIES = [
  '',
  '{}',
  '{"title":',
  'null',
  '<x/>',
  '<!DOCTYPE x>',
  'BEGIN:VCALENDAR',
  '\u0000\u00ff',
  '['.repeat(2_000),
]
const CHUNKS = [
  '0\r\n\r\n',
  '2\r\n{}\r\n0\r\n\r\n',
  '2;ext=1\r\n{}\r\n0\r\nx: y\r\n\r\n',
  'zz\r\n{}\r\n',
  'ffffffffffffffffff\r\n',
  '2\r\n{}xx0\r\n\r\n',
  '-1\r\n\r\n',
  `1;${'e'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`,
  '2\r\n{}\r\n',
]

/** A request with one of the ways a body can be sent, cut short or broken. */
export function makeRawRequest(random: Random, root: string): RawRequest {
  const method = pick(random, [['GET'], ['GET', 'HEAD'], METHODS_SENT, METHODS_SENT, METHODS][random(5)]!)
  const head = makeHead(random, root, method)
  const typed = `${head}${random(2) === 0 ? `\r\ncontent-type: ${pick(random, TYPES)}` : ''}`
  const body = pick(random, BODIES)
  const chunked = `${typed}\r\ntransfer-encoding: chunked${CLOSE}`
  const early = pick(random, ['half-close', 'reset'] as const)
  const make = (text: string, ending: RawRequest['ending'], methods = [method]): RawRequest => ({
    bytes: Buffer.from(text, 'latin1'),
    methods,
    ending,
  })
  switch (random(16)) {
    case 0:
      return make(makeNoise(random), 'half-close', [])
    case 1:
      return make(`${head}\r\nx-cut: `, early)
    case 2:
      return make(`${typed}\r\ncontent-length: ${body.length + 9}${CLOSE}${body}`, early)
    case 3:
      return make(`${chunked}${pick(random, CHUNKS)}`, 'half-close')
    case 4:
      return make(`${chunked}2\r\n{}\r\n`, early)
    case 5:
      return make(`${head}\r\n\r\n${head}${CLOSE}`, 'wait', [method, method])
    case 6:
      return make(`${head}\r\n\r\n${makeNoise(random)}`, 'half-close-late')
    case 7:
      return make(`${head}\r\ncontent-length: ${pick(random, ODD_LENGTHS)}${CLOSE}{}`, 'half-close')
    default:
      return make(`${typed}\r\ncontent-length: ${body.length}${CLOSE}${body}`, 'wait')
  }
}

const CLOSE = '\r\nconnection: close\r\n\r\n'
const ODD_LENGTHS = ['-1', 'x', '99999999999999999999', '2, 2']

const NOISE = [
  '\u0016\u0003\u0001\u0002\u0000',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\r\n\r\n\r\n',
  'GET',
  'GET / HTTP/1.1\n\n',
  '\u0000',
  'HTTP/1.1 200 OK\r\n\r\n',
]

function makeNoise(random: Random): string {
  const start = pick(random, NOISE)
  return start + String.fromCharCode(...Array.from({ length: random(80) }, () => random(256)))
}
