// Validates and normalises an email address before it is looked up.
import { cleanText } from './plain-text.ts'

export interface EmailAddress {
  /** The address that mail is sent to. */
  address: string
  /** Two addresses with the same key belong to the same account. */
  key: string
}

const MAX_EMAIL = 254

/** Characters with a meaning in a mail header, plain or percent-encoded, in case a program decodes once too often. */
const HEADER_CHARACTERS = /[\s"<>(),:;\\[\]]|%0[ad]/i

/** Invisible or bidirectional control characters, which make an address look like another. */
const INVISIBLE_CHARACTERS = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

export function readEmail(text: string): EmailAddress | undefined {
  const cleaned = cleanText(text)
  const at = cleaned?.lastIndexOf('@') ?? -1
  if (!cleaned || at < 1 || cleaned.length > MAX_EMAIL || HEADER_CHARACTERS.test(cleaned)) return undefined
  const local = cleaned.slice(0, at)
  const domain = asciiDomain(cleaned.slice(at + 1))
  if (domain === undefined || local.includes('@') || INVISIBLE_CHARACTERS.test(local) || !isMailDomain(domain))
    return undefined
  const address = `${local}@${domain}`
  return address.length > MAX_EMAIL ? undefined : { address, key: `${local.toLowerCase()}@${domain}` }
}

/** Lower case and punycode, by the rules browsers use. */
const asciiDomain = (domain: string): string | undefined =>
  /[%/?#@]/.test(domain) || !URL.canParse(`http://${domain}/`) ? undefined : new URL(`http://${domain}/`).hostname

/** Valid labels of a mail domain; a name that ends in a number is an IP address in another notation. */
const isMailDomain = (domain: string): boolean =>
  domain.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) && !/(^|\.)\d+$/.test(domain)
