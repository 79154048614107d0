// Solves the server’s proof-of-work challenge (PBKDF2) if one is required.
import { call } from '../../app/session.ts'
import { problemOf } from '../../ui/explain.ts'

interface Challenge {
  parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string }
}

/** Sends with a proof if one is required. Retries once, in case a proof, or a harder one, has become required since. */
export async function sendWithProof(
  send: (proof: { proof?: string }) => Promise<unknown>,
  onBegin: () => void,
): Promise<void> {
  const first = await prove(onBegin)
  try {
    await send(first)
  } catch (error) {
    if (problemOf(error, 'proof') === undefined) throw error
    await send(await prove(onBegin))
  }
}

/** The proof to send; empty if none is required. Calls `onBegin` before the slow part. */
async function prove(onBegin: () => void): Promise<{ proof?: string }> {
  const { data } = await call('getChallenge')
  if (!data.required) return {}
  onBegin()
  const challenge = data.challenge as Challenge
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const tried = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0])
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations: cost }
  for (let counter = 0; ; counter++) {
    new DataView(tried.buffer).setUint32(tried.length - 4, counter)
    const key = await crypto.subtle.importKey('raw', tried, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = hexOf(new Uint8Array(await crypto.subtle.deriveBits(how, key, 8 * keyLength)))
    if (derivedKey.startsWith(keyPrefix))
      return { proof: btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } })) }
  }
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
