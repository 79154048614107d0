// Makes TLS 1.3 records with KeyUpdate messages, which Node's client cannot send. RFC 8446 §4.6.3, §7.2.
import { createCipheriv, createHmac } from 'node:crypto'

/** The only cipher that these records are made for. */
export const FLOOD_CIPHER = 'TLS_AES_128_GCM_SHA256'

const HANDSHAKE = 22
const APPLICATION_DATA = 23
/** The type, the length and "update_not_requested" or "update_requested". */
const keyUpdate = (isRequested: boolean): Buffer => Buffer.from([24, 0, 0, 1, isRequested ? 1 : 0])

/** KeyUpdates, each with the key that the one before it announces, and then a text; all this `rounds` times. */
export function makeKeyUpdates(secret: Buffer, count: number, isRequested: boolean, text: string, rounds = 1): Buffer {
  const records: Buffer[] = []
  let current = secret
  const push = (content: Buffer, type: number, sequence = 0): void => {
    records.push(encrypt(current, content, type, sequence))
    if (type === HANDSHAKE) current = expand(current, 'traffic upd', 32)
  }
  for (let round = 0; round < rounds; round++) {
    // The second record with the keys of the text before it.
    if (round > 0) push(keyUpdate(isRequested), HANDSHAKE, 1)
    for (let i = 0; i < count; i++) push(keyUpdate(isRequested), HANDSHAKE)
    push(Buffer.from(text), APPLICATION_DATA)
  }
  return Buffer.concat(records)
}

/** A record with the keys of this secret; `sequence` is how many came before it with them. RFC 8446 §5.3. */
function encrypt(secret: Buffer, content: Buffer, type: number, sequence: number): Buffer {
  const nonce = Buffer.from(expand(secret, 'iv', 12))
  nonce[11]! ^= sequence
  const cipher = createCipheriv('aes-128-gcm', expand(secret, 'key', 16), nonce)
  const header = Buffer.from([APPLICATION_DATA, 3, 3, 0, 0])
  header.writeUInt16BE(content.length + 1 + 16, 3)
  cipher.setAAD(header)
  const body = [cipher.update(content), cipher.update(Buffer.from([type])), cipher.final()]
  return Buffer.concat([header, ...body, cipher.getAuthTag()])
}

/** HKDF-Expand-Label with an empty context and at most one block. */
function expand(secret: Buffer, label: string, length: number): Buffer {
  const name = `tls13 ${label}`
  const info = Buffer.concat([Buffer.from([0, length, name.length]), Buffer.from(name), Buffer.from([0, 1])])
  return createHmac('sha256', secret).update(info).digest().subarray(0, length)
}
