// Response compression: negotiates br or gzip, and compresses each body once per encoding.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { rememberValues } from './remember-values.ts'

/** In order of preference. */
const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Below this size the headers outweigh the savings. */
const MIN_BYTES = 1_024

/** RFC 9110 §12.5.3: an encoding that is not named is not accepted, and a weight of 0 refuses it. The best first. */
export const acceptedEncodings = (header: string | undefined): readonly Encoding[] =>
  header ? encodingsIn(header) : NONE

const NONE: readonly Encoding[] = []

const encodingsIn = rememberValues((header: string): readonly Encoding[] => {
  const weights = weightsIn(header)
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  return ENCODINGS.filter((name) => weightOf(name) > 0 && weightOf(name) >= plain).sort(
    (a, b) => weightOf(b) - weightOf(a),
  )
})

/** Undefined: no encoding. */
export const chooseEncoding = (
  [best]: readonly Encoding[],
  bytes: number,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Encoding | undefined => (bytes < MIN_BYTES || bytes > maxBytes ? undefined : best)

const WEIGHT = /^q=([01](?:\.\d{0,3})?)$/i

/** Names that decide something. V8 would keep every other key of a map (see `connections/request-headers.ts`). */
const WEIGHED: readonly string[] = [...ENCODINGS, 'identity', '*']

/** Clients name about five. */
const MAX_PARTS = 50

function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.split(',', MAX_PARTS)) {
    const [sent = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const name = sent === 'x-gzip' ? 'gzip' : sent
    const weight = parameters.length === 0 ? 1 : Number(WEIGHT.exec(parameters[0]!)?.[1] ?? 0)
    if (WEIGHED.includes(name)) weights.set(name, Math.min(weight, 1))
  }
  return weights
}

type Made = Partial<Record<Encoding, Buffer | Promise<Buffer>>>

/** Freed together with the uncompressed bytes. */
const made = new WeakMap<Buffer, Made>()

/**
 * The bytes if they are ready; otherwise a promise shared by all callers meanwhile. `onMade` gets their size once, in
 * the call that compresses them.
 */
export function encodedBytes(
  body: Buffer,
  encoding: Encoding,
  onMade: (bytes: number) => void = () => {},
): Buffer | Promise<Buffer> {
  const forms = made.get(body) ?? {}
  made.set(body, forms)
  const known = forms[encoding]
  if (known) return known
  const pending = compress[encoding](body).then(
    (bytes) => {
      forms[encoding] = bytes
      onMade(bytes.length)
      return bytes
    },
    (error) => {
      delete forms[encoding]
      throw error
    },
  )
  forms[encoding] = pending
  return pending
}

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Runs in the thread pool, once for many readers: medium effort pays off, the last percent does not. */
const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    brotliAsync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => gzipAsync(body, { level: 6 }),
}

/** Other bytes need another tag: the encoding is named inside the quotes. */
export const etagOfForm = (etag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`
