// Makes TLS 1.3 records with KeyUpdate messages, which Node's client cannot send. RFC 8446 §4.6.3, §7.2.
import { createCipheriv, createHmac } from 'node:crypto'

/** The only cipher that these records are made for. */
export const FLOOD_CIPHER = 'TLS_AES_128_GCM_SHA256'

const HANDSHAKE = 22
const APPLICATION_DATA = 23
/** The type, the length and "update_not_requested" or "update_requested". */
const keyUpdate = (isRequested: boolean): Buffer => Buffer.from([24, 0, 0, 1, isRequested ? 1 : 0])

/** KeyUpdates, each with the key that the one before it announces, and then a text. */
export function makeKeyUpdates(secret: Buffer, count: number, isRequested: boolean, text: string): Buffer {
  const records: Buffer[] = []
  let current = secret
  for (let i = 0; i < count; i++) {
    records.push(encrypt(current, keyUpdate(isRequested), HANDSHAKE))
    current = expand(current, 'traffic upd', 32)
  }
  records.push(encrypt(current, Buffer.from(text), APPLICATION_DATA))
  return Buffer.concat(records)
}

/** The first record with the keys of this secret, so that the nonce is the IV itself. */
function encrypt(secret: Buffer, content: Buffer, type: number): Buffer {
  const cipher = createCipheriv('aes-128-gcm', expand(secret, 'key', 16), expand(secret, 'iv', 12))
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
