// Sends one GET request for a check, with a time limit; certificates are reported, not enforced.
import type { X509Certificate } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface ProbeResponse {
  status: number
  body: string
  certificate?: ServedCertificate | undefined
}

export interface ServedCertificate {
  certificate: X509Certificate
  /** Why this machine does not trust it, as a code of OpenSSL; empty if it does. */
  distrust: string
}

const TIMEOUT_MS = 5_000
const MAX_BODY_BYTES = 65_536

/** Rejects with a `code` where no response comes. */
export function probe(url: URL, timeoutMs = TIMEOUT_MS): Promise<ProbeResponse> {
  const isTls = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', 'user-agent': 'daybook-doctor' },
    }
    const request = isTls ? requestHttps(url, { ...options, rejectUnauthorized: false }) : requestHttp(url, options)
    request.on('error', (error) => reject(error))
    request.on('response', (response) => {
      const certificate = isTls ? certificateOf(response.socket as TLSSocket) : undefined
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
        else response.destroy(Object.assign(new Error('the response is too long'), { code: 'ETOOLONG' }))
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), certificate }),
      )
    })
    request.end()
  })
}

function certificateOf(socket: TLSSocket): ServedCertificate | undefined {
  const certificate = socket.getPeerX509Certificate()
  const distrust = socket.authorized ? '' : String(socket.authorizationError)
  return certificate && { certificate, distrust }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host name cannot be looked up right now',
  ABORT_ERR: 'it did not answer in time',
  ETIMEDOUT: 'it did not answer in time',
  ECONNRESET: 'the connection was closed without a response',
  EPROTO: 'it does not speak TLS',
}

/** The code of the error, `ABORT_ERR` after the time limit. */
export function probeReasonOf(error: unknown): string {
  const { code = 'unknown', name } = error as { code?: string; name?: string }
  return name === 'AbortError' || name === 'TimeoutError' ? 'ABORT_ERR' : code
}

export function describeProbeError(error: unknown): string {
  const reason = probeReasonOf(error)
  return REASONS[reason] ?? `no connection (${reason})`
}
