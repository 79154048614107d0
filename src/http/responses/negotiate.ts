// Content negotiation of a cached response: the encoding to send, or 304 if the client has it.
import { findKnownTag } from './conditional.ts'
import { acceptedEncodings, chooseEncoding, type Encoding, etagOfForm } from './encoding.ts'

/** What a 304 requires of a response. */
export interface Validator {
  etag: string
  /** Length of the body before encoding. */
  bytes: number
  /** A longer body is sent without encoding; absent: no body is too long. */
  maxEncodedBytes?: number | undefined
}

export interface Negotiated {
  /** Undefined: no encoding. */
  encoding: Encoding | undefined
  /** The tag that the client already has and may reuse; undefined if the response must be sent. */
  knownTag: string | undefined
  /** The tag of what would be sent. */
  ownTag: string
  /** All that an identical response depends on besides URL and method; bounded, whatever the headers were. */
  variant: string
}

export function negotiate(
  headers: { 'accept-encoding'?: string | string[] | undefined; 'if-none-match'?: string | undefined },
  { etag, bytes, maxEncodedBytes }: Validator,
): Negotiated {
  const accepted = acceptedEncodings(headers['accept-encoding'] as string | undefined)
  const encoding = chooseEncoding(accepted, bytes, maxEncodedBytes)
  const ownTag = etagOfForm(etag, encoding)
  const sentTags = headers['if-none-match']
  if (sentTags === undefined) return { encoding, knownTag: undefined, ownTag, variant: encoding ?? '' }
  // Of the other encodings only those the client accepts: a shared cache that mixes clients up must not get a 304 for a
  // copy that this client cannot read.
  const otherTags = accepted.map((form) => etagOfForm(etag, form))
  const knownTag = findKnownTag(sentTags, [ownTag, etag, ...otherTags])
  return { encoding, knownTag, ownTag, variant: knownTag ?? encoding ?? '' }
}
