// Random ids and codes, password hashing (argon2id), keyed hashes, signatures, encryption.
import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { normalizeText } from './domain/unicode.ts'
import { AppError } from './errors.ts'
import { currentClient, currentPath } from './scheduling/current-client.ts'
import { createFairQueue } from './scheduling/fair-queue.ts'

const argon2Async = promisify(argon2)

/** Lower-case base32hex (RFC 4648 §7), whose characters sort like their values, so that ids sort like their bits. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuv'

/** 128 random bits in 26 characters: reveals neither time nor count. */
export const newId = (): string => base32(pooledBytes(16))

const POOL_BYTES = 4_096
let pool = Buffer.alloc(0)

/** Each byte is used once; asking the system for sixteen at a time costs more than the rest of an id. */
function pooledBytes(count: number): Uint8Array {
  if (pool.length < count) pool = randomBytes(POOL_BYTES)
  const bytes = pool.subarray(0, count)
  pool = pool.subarray(count)
  return bytes
}

/** 120 random bits in groups of four characters, easy to read aloud or type. */
export const newCode = (): string => base32(randomBytes(15)).match(/.{4}/g)!.join('-')

/** 256 random bits. */
export const newKey = (): string => randomBytes(32).toString('base64url')

/** A random secret is strong enough to be stored as a plain hash. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/**
 * For names that stay in this process, or of which only a part is shown: no client sees a whole hash, so length
 * extension is not possible, and it costs a fifth of an HMAC.
 */
export const keyedHash = (key: string, text: string): string => hash('sha256', `${key}\u0000${text}`, 'hex')

/** For values that clients hold and send back: only the owner of the key can make or check one. */
export const sign = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/** A stable name that reveals nothing of what it names: 128 bits of a signature in 26 characters. */
export const signedName = (key: string, text: string): string =>
  base32(createHmac('sha256', key).update(text).digest().subarray(0, 16))

/**
 * An id for a text, as unpredictable without the key as a random one: 128 bits of a hash. It shows half of the hash, so
 * length extension is not possible, and it costs a third of `signedName`.
 */
export const keyedId = (key: string, text: string): string =>
  base32(Buffer.from(keyedHash(key, text).slice(0, 32), 'hex'))

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const AUTH_TAG_BYTES = 16

const encryptionKey = (key: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', 'daybook stored secrets', 32))

/** For secrets that are used later and shown to no one. Only the same context decrypts the text. */
export function encryptText(key: string, context: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, encryptionKey(key), nonce).setAAD(Buffer.from(context))
  const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString('base64url')
}

/** Undefined if the text was encrypted with another key or for another context, or was changed. */
export function decryptText(key: string, context: string, encrypted: string): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url')
  const begin = NONCE_BYTES + AUTH_TAG_BYTES
  if (bytes.length < begin) return undefined
  try {
    const decipher = createDecipheriv(CIPHER, encryptionKey(key), bytes.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE_BYTES, begin))
    return Buffer.concat([decipher.update(bytes.subarray(begin)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Constant-time comparison. */
export const isSameSecret = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function base32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(buffer >>> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET[(buffer << (5 - bits)) & 31] : text
}

export interface PasswordCost {
  memoryKib: number
  passes: number
  parallelism: number
}

/** OWASP's minimum for argon2id; it is part of each hash, so that it can be raised later. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32

let cost = PASSWORD_COST
let prefix = phcPrefix(cost)

/** For tests, most of which are not about the cost of a hash. No setting changes it. */
export function setPasswordCost(chosen: PasswordCost): void {
  cost = chosen
  prefix = phcPrefix(cost)
}

function phcPrefix({ memoryKib, passes, parallelism }: PasswordCost): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$`
}

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const made = prefix
  const tag = await deriveTag(password, nonce, cost)
  return `${made}${phc(nonce)}$${phc(tag)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Without a stored hash the same work is done against a dummy hash, so that the time does not reveal accounts. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  // An account without a password has an empty hash; a guess costs the same work.
  const match = PHC.exec(stored || prefix + UNKNOWN_HASH)
  if (!match) return false
  const [memoryKib, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number]
  const expected = Buffer.from(match[5]!, 'base64')
  const tag = await deriveTag(password, Buffer.from(match[4]!, 'base64'), { memoryKib, passes, parallelism })
  return timingSafeEqual(tag, expected) && Boolean(stored)
}

/** Whether a hash was made with other costs than today's, and should be replaced while its password is known. */
export const isOutdatedHash = (stored: string): boolean => !stored.startsWith(prefix)

const phc = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')

const UNKNOWN_HASH = `${phc(Buffer.alloc(16))}$${phc(Buffer.alloc(TAG_BYTES))}`

/** Each hash takes 19 MiB and a core: a semaphore of four, a bounded fair queue; beyond it a request is refused. */
const MAX_RUNNING = 4
const MAX_WAITING = 128
/** Of the widest network of a client, so that one cannot take the places of all others. */
const MAX_WAITING_OF_CUSTOMER = 64
const QUEUE_FULL = {
  'retry-after': '2',
  'ratelimit-policy': `"passwords";q=${MAX_RUNNING + MAX_WAITING};w=2`,
  ratelimit: '"passwords";r=0;t=2',
}
let running = 0
const waiting = createFairQueue<() => void>()

function isQueueFull(): boolean {
  const client = currentClient()
  return (
    waiting.size() >= MAX_WAITING ||
    (client !== undefined && waiting.sizeOf(client.path[0]!) >= MAX_WAITING_OF_CUSTOMER)
  )
}

async function deriveTag(
  password: string,
  nonce: Uint8Array,
  { memoryKib: memory, passes, parallelism }: PasswordCost,
): Promise<Buffer> {
  if (running < MAX_RUNNING) running += 1
  else if (!isQueueFull()) await new Promise<void>((resolve) => waiting.push(currentPath(), resolve))
  else throw new AppError('rate_limited', { headers: QUEUE_FULL })
  try {
    const message = Buffer.from(normalizeText(password, 'NFC'))
    return await argon2Async('argon2id', { message, nonce, memory, passes, parallelism, tagLength: TAG_BYTES })
  } finally {
    // The permit is handed on, not released and acquired again.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
