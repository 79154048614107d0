// Content negotiation of a cached response: which encoding is sent, and whether the client has it already (304).
import { findKnownTag } from './conditional.ts'
import { acceptedEncodings, chooseEncoding, type Encoding, etagOfForm } from './encoding.ts'

/** What a 304 needs to know of a response. */
export interface Validator {
  etag: string
  /** Of the body as it is, before any encoding. */
  bytes: number
}

export interface Negotiated {
  /** Undefined: as it is. */
  encoding: Encoding | undefined
  /** The tag of what the client has and may keep; undefined where it must be sent. */
  knownTag: string | undefined
  /** The tag of what would be sent. */
  ownTag: string
  /** All that an identical response depends on besides its address and method; bounded, whatever the headers were. */
  variant: string
}

export function negotiate(
  headers: { 'accept-encoding'?: string | string[] | undefined; 'if-none-match'?: string | undefined },
  { etag, bytes }: Validator,
): Negotiated {
  const accepted = acceptedEncodings(headers['accept-encoding'] as string | undefined)
  const encoding = chooseEncoding(accepted, bytes)
  const ownTag = etagOfForm(etag, encoding)
  // Of other forms only those the reader takes: a cache that mixes readers up must not be told that its copy will do.
  const otherTags = accepted.map((form) => etagOfForm(etag, form))
  const knownTag = findKnownTag(headers['if-none-match'], [ownTag, etag, ...otherTags])
  return { encoding, knownTag, ownTag, variant: knownTag ?? encoding ?? '' }
}
