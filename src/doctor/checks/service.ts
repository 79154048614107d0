// Asks the service on this machine for its readiness, by the configured host, port and TLS.

import type { Config } from '../../config.ts'
import { START_COMMAND } from '../../installation.ts'
import { type Finding, finding } from '../finding.ts'
import { describeProbeError, probe } from '../probe.ts'

export interface LocalReadiness {
  state: 'ready' | 'not_ready' | 'stopped'
  /** Why it is not ready. */
  reason?: string | undefined
  /** One line for the operator. */
  message: string
}

/** Undefined with port 0: only the running service knows which port it got. */
export async function askLocalService(config: Config, timeoutMs?: number): Promise<LocalReadiness | undefined> {
  if (config.port === 0) return undefined
  const address = localAddressOf(config)
  try {
    const { status, body } = await probe(new URL('/readyz', address), timeoutMs)
    if (status === 200) return { state: 'ready', message: `the service at ${address.origin} is ready` }
    const reason = reasonIn(body)
    const answer = reason ? `is not ready: ${reason}` : `answers /readyz with ${status}; is it Daybook?`
    return { state: 'not_ready', message: `the service at ${address.origin} ${answer}` }
  } catch (error) {
    return { state: 'stopped', message: `no service at ${address.origin}: ${describeProbeError(error)}` }
  }
}

/** A wildcard address cannot be asked; this machine is one of those it stands for. */
export function localAddressOf({ host, port, tls }: Config): URL {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new URL(`${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`)
}

function reasonIn(body: string): string | undefined {
  try {
    const reason = JSON.parse(body)?.error?.details?.reason
    return typeof reason === 'string' && /^[a-z_]+$/.test(reason) ? reason : undefined
  } catch {
    return undefined
  }
}

export function describeService(local: LocalReadiness | undefined): Finding {
  if (!local) return finding('service_not_checked', 'port is 0: the service chooses its port when it starts')
  if (local.state === 'ready') return finding('service_ok', local.message, { values: {} })
  if (local.state === 'stopped')
    return finding('service_stopped', local.message, {
      advice: `Start it with ${START_COMMAND}, or with your supervisor.`,
    })
  return finding('service_not_ready', local.message, {
    advice: 'docs/monitoring.md explains each reason; the log has the details.',
    values: { reason: local.reason ?? '' },
  })
}
