// Conditional requests: parses If-Match and If-None-Match, computes ETags, and detects 304.
import { createHash, type Hash } from 'node:crypto'
import type { Precondition } from '../../domain/precondition.ts'
import { fail } from '../../errors.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'

/**
 * The tags of a list; undefined when it is malformed. A tag may contain a comma, and list elements may be empty (RFC
 * 9110 §5.6.1.2, §8.8.3). Weak marks are ignored: proxies add them when they compress, and every update through one
 * would fail.
 */
export function parseTags(header: string): string[] | undefined {
  const tags: string[] = []
  let isNextAllowed = true
  for (let at = 0; at < header.length; ) {
    const sign = header[at]!
    if (' \t,'.includes(sign)) {
      isNextAllowed ||= sign === ','
      at += 1
      continue
    }
    const open = header.startsWith('W/', at) ? at + 2 : at
    const tag = header.slice(open, header.indexOf('"', open + 1) + 1)
    if (!isNextAllowed || !/^"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag)) return undefined
    tags.push(tag)
    isNextAllowed = false
    at = open + tag.length
  }
  return tags.length > 0 ? tags : undefined
}

/** Precondition from If-Match and the body's `version`. `*` names no version, so it counts as absent. */
export function readPrecondition(ifMatch: string | undefined, body: unknown): Precondition {
  const version = (body as { version?: number } | undefined)?.version
  if (ifMatch === undefined || ifMatch.trim() === '*') return { version }
  return { etags: parseTags(ifMatch) ?? fail('invalid_header', { header: 'If-Match' }), version }
}

/** A hook before the body is validated, so it only checks that a precondition is present. */
export async function requirePrecondition(request: {
  headers: { 'if-match'?: string }
  body?: unknown
}): Promise<void> {
  const { headers, body } = request
  const saysVersion = typeof body === 'object' && body !== null && (body as { version?: unknown }).version !== undefined
  if (!saysVersion && (headers['if-match'] === undefined || headers['if-match'].trim() === '*'))
    fail('precondition_required')
}

/** Of several tags for the same response, the first that the client already has. */
export function findKnownTag(ifNoneMatch: string | undefined, etags: readonly string[]): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch.trim() === '*') return etags[0]
  const known = parseTags(ifNoneMatch) ?? []
  return etags.find((etag) => known.includes(etag))
}

export const isNotModified = (ifNoneMatch: string | undefined, etag: string): boolean =>
  findKnownTag(ifNoneMatch, [etag]) !== undefined

/** The ETag of a response is a hash of its bytes: it changes when they do, and discloses nothing else. */
export const etagOfBytes = (bytes: Uint8Array | string): string => tagOf(createHash('sha256').update(bytes))

const HASHED_AT_ONCE = 1_024 * 1_024

/** The same tag for long bytes, hashed in parts that yield to the event loop. */
export async function etagOfLongBytes(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  const timer = createSliceTimer()
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE))
    await timer.pause()
  }
  return tagOf(hash)
}

const tagOf = (hash: Hash): string => `"${hash.digest('base64url').slice(0, 27)}"`
