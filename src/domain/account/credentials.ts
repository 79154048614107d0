// What an address must be like before anyone looks it up.

import { cleanText } from '../calendar/words.ts'

export interface EmailAddress {
  /** As mail is sent to it. */
  address: string
  /** What makes two addresses the same person's. */
  key: string
}

const MAX_EMAIL = 254

/** What would mean something else in a header, plainly or to whoever decodes once too often. */
const ODD_SIGNS = /[\s"<>(),:;\\[\]]|%0[ad]/i

/** Signs that are not drawn, or turn the order of those around them: an address with one looks like another. */
const HIDDEN_SIGNS = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

export function readEmail(text: string): EmailAddress | undefined {
  const cleaned = cleanText(text)
  const at = cleaned?.lastIndexOf('@') ?? -1
  if (!cleaned || at < 1 || cleaned.length > MAX_EMAIL || ODD_SIGNS.test(cleaned)) return undefined
  const local = cleaned.slice(0, at)
  const domain = asciiDomain(cleaned.slice(at + 1))
  if (domain === undefined || local.includes('@') || HIDDEN_SIGNS.test(local) || !isMailDomain(domain)) return undefined
  const address = `${local}@${domain}`
  return address.length > MAX_EMAIL ? undefined : { address, key: `${local.toLowerCase()}@${domain}` }
}

/** Lower case and punycode, by the rules browsers use. */
const asciiDomain = (domain: string): string | undefined =>
  /[%/?#@]/.test(domain) || !URL.canParse(`http://${domain}/`) ? undefined : new URL(`http://${domain}/`).hostname

/** Labels as mail servers know them; one that ends in a number is an IP address in some disguise. */
const isMailDomain = (domain: string): boolean =>
  domain.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) && !/(^|\.)\d+$/.test(domain)
