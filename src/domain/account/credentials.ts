// What an address and a password must be like before anyone looks them up.

import type { Problems } from '../calendar/fields.ts'
import { cleanText } from '../calendar/words.ts'

export interface EmailAddress {
  /** As mail is sent to it. */
  address: string
  /** What makes two addresses the same person's. */
  key: string
}

const MAX_EMAIL = 254
const MIN_PASSWORD = 12
const MAX_PASSWORD = 128

export function readEmail(text: string): EmailAddress | undefined {
  const cleaned = cleanText(text)
  const at = cleaned?.lastIndexOf('@') ?? -1
  if (!cleaned || at < 1 || cleaned.length > MAX_EMAIL || /[\s"<>(),:;\\[\]]/.test(cleaned)) return undefined
  const local = cleaned.slice(0, at)
  const domain = asciiDomain(cleaned.slice(at + 1))
  if (domain === undefined || local.includes('@') || !isMailDomain(domain)) return undefined
  const address = `${local}@${domain}`
  return address.length > MAX_EMAIL ? undefined : { address, key: `${local.toLowerCase()}@${domain}` }
}

/** Lower case and punycode, by the rules browsers use. */
const asciiDomain = (domain: string): string | undefined =>
  /[%/?#@]/.test(domain) || !URL.canParse(`http://${domain}/`) ? undefined : new URL(`http://${domain}/`).hostname

/** Labels as mail servers know them; one that ends in a number is an IP address in some disguise. */
const isMailDomain = (domain: string): boolean =>
  domain.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) && !/(^|\.)\d+$/.test(domain)

/** Any characters, nothing cut off; the length is counted as people count it. */
export function checkPassword(password: string, problems: Problems): void {
  const length = [...password.normalize('NFC')].length
  if (length < MIN_PASSWORD) problems.add('/password', 'too_short')
  else if (length > MAX_PASSWORD) problems.add('/password', 'too_long')
}
