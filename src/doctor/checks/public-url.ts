// Asks public_url for a proof of this instance; the answer shows how requests arrive there.
import { answerChallenge, createChallenge } from '../../actions/access/instance-proof.ts'
import type { Config } from '../../config.ts'
import type { SelfCheck } from '../../contract/health.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { siteOf } from '../../http/site.ts'
import { isSameSecret, newKey } from '../../secrets.ts'
import { type Finding, finding } from '../finding.ts'
import { describeProbeError, type ProbeResponse, probe, probeReasonOf } from '../probe.ts'
import { checkServedCertificate } from './certificate.ts'
import { checkArrival } from './proxy.ts'

export interface PublicUrlContext {
  config: Config
  /** Undefined where the database could not be read. */
  secret: string | undefined
  now: Instant
  /** Whether the service is known not to run on this machine. */
  isStopped: boolean
}

export async function checkPublicUrl(ctx: PublicUrlContext): Promise<Finding[]> {
  const { config, secret, now } = ctx
  if (config.publicUrl.port === '0' || config.publicUrl.origin === 'null')
    return [finding('public_url_not_checked', 'public_url has no port yet; set it to check it', { values: {} })]
  const challenge = createChallenge(secret ?? newKey(), now, newKey())
  const url = new URL(`${siteOf(config).base}/self-check?challenge=${challenge}`, config.publicUrl)
  let response: ProbeResponse
  try {
    response = await probe(url)
  } catch (error) {
    return [describeUnreachable(ctx, error)]
  }
  const { certificate } = response
  const certificates = certificate ? checkServedCertificate(certificate, config.publicUrl.hostname, now) : []
  if (secret === undefined)
    return [
      finding('public_url_not_checked', 'public_url answers; without the database its instance cannot be checked'),
      ...certificates,
    ]
  const found = readAnswer(response, answerChallenge(secret, challenge))
  if (!found) return [describeOther(ctx, response), ...certificates]
  return [
    finding('public_url_ok', `${config.publicUrl.origin} is served by this calendar`, {
      values: { origin: config.publicUrl.origin },
    }),
    ...certificates,
    ...checkArrival(found, config),
  ]
}

function describeUnreachable({ config, isStopped }: PublicUrlContext, error: unknown): Finding {
  const { origin } = config.publicUrl
  const message = `${origin} cannot be reached: ${describeProbeError(error)}`
  if (isStopped) return finding('public_url_not_checked', `${message}, and the service does not run`)
  return finding('public_url_unreachable', message, {
    values: { origin, reason: probeReasonOf(error) },
    advice:
      'Check public_url, DNS, firewall and proxy. If only this machine cannot reach its own public address, try it from another.',
  })
}

function describeOther({ config, isStopped }: PublicUrlContext, { status }: ProbeResponse): Finding {
  const message = `${config.publicUrl.origin} answers with ${status}, but not as this calendar`
  if (isStopped) return finding('public_url_not_checked', `${message}; the service does not run`)
  return finding('public_url_elsewhere', message, {
    values: { origin: config.publicUrl.origin, status },
    advice:
      'Check public_url and url_slug, and where the proxy sends requests: another service, another calendar or an older version answers.',
  })
}

function readAnswer({ status, body }: ProbeResponse, expected: string): SelfCheck | undefined {
  if (status !== 200) return undefined
  try {
    const { data } = JSON.parse(body) as { data: SelfCheck }
    return isSameSecret(String(data.answer), expected) ? data : undefined
  } catch {
    return undefined
  }
}
