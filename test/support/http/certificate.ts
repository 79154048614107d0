// A throw-away self-signed certificate, written as DER by hand so that tests need no openssl.
import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Valid from yesterday, for so many days from now; a negative number makes one that has expired. */
export function makeCertificate(name: string, days = 1): { key: string; certificate: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const subject = sequence(set(sequence(oid(COMMON_NAME), tlv(0x0c, Buffer.from(name)))))
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    ALGORITHM,
    subject,
    sequence(utcTime(Date.now() - (1 + Math.max(0, -days)) * DAY_MS), utcTime(Date.now() + days * DAY_MS)),
    subject,
    publicKey,
    tlv(0xa3, sequence(alternativeName(name), isAuthority)),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, ALGORITHM, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

const DAY_MS = 86_400_000

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]): Buffer => tlv(0x30, Buffer.concat(parts))
const set = (part: Buffer): Buffer => tlv(0x31, part)
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'))
const utcTime = (at: number): Buffer =>
  tlv(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const COMMON_NAME = '550403'
/** ecdsa-with-SHA256 */
const ALGORITHM = sequence(oid('2a8648ce3d040302'))
const isAuthority = sequence(oid('551d13'), tlv(0x04, sequence(tlv(0x01, Buffer.from([0xff])))))
const alternativeName = (name: string): Buffer =>
  sequence(oid('551d11'), tlv(0x04, sequence(tlv(0x82, Buffer.from(name)))))
