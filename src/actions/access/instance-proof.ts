// Proof that an address is served by this instance: only holders of its secret can ask and answer.
import type { Instant } from '../../domain/time/instant.ts'
import { isSameSecret, sign } from '../../secrets.ts'

/** Clocks of nodes may differ by some minutes. */
const LIFETIME_MS = 5 * 60_000

/** Signed, so that strangers get no answer at all and learn neither the instance nor which addresses share one. */
export const createChallenge = (secret: string, now: Instant, nonce: string): string =>
  `${now}.${nonce}.${signatureOf(secret, `${now}.${nonce}`)}`

export function isOwnChallenge(secret: string, challenge: string, now: Instant): boolean {
  const [at = '', nonce = '', signature = ''] = challenge.split('.')
  return (
    /^\d{1,15}$/.test(at) &&
    Math.abs(now - Number(at)) <= LIFETIME_MS &&
    isSameSecret(signature, signatureOf(secret, `${at}.${nonce}`))
  )
}

export const answerChallenge = (secret: string, challenge: string): string =>
  sign(secret, `instance answer ${challenge}`)

const signatureOf = (secret: string, text: string): string => sign(secret, `instance challenge ${text}`)
