// Parses Authorization: a Bearer API token, or Basic email and password. RFC 6750, RFC 7617.
import { decodeUtf8 } from '../../domain/utf8.ts'

export type SentCredentials = { scheme: 'bearer'; token: string } | { scheme: 'basic'; email: string; password: string }

/** Undefined when the header is malformed, so that it cannot belong to an account. */
export function parseAuthorization(header: string): SentCredentials | undefined {
  const token = /^bearer +(calpat_[\w-]{43}) *$/i.exec(header)?.[1]
  return token ? { scheme: 'bearer', token } : parseBasic(header)
}

function parseBasic(header: string): SentCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  const bytes = Buffer.from(encoded ?? '', 'base64')
  const colon = bytes.indexOf(':')
  // Decoded separately: slices of one string would keep the password in memory as long as the email.
  const email = decodeUtf8(bytes.subarray(0, Math.max(0, colon)))
  const password = decodeUtf8(bytes.subarray(colon + 1))
  bytes.fill(0)
  return email && password !== undefined ? { scheme: 'basic', email, password } : undefined
}
