// Judges the forwarding headers that a request through public_url arrived with.
import type { Config } from '../../config.ts'
import type { SelfCheck } from '../../contract/health.ts'
import { type Finding, finding } from '../finding.ts'

const NGINX =
  'For nginx: proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'

export function checkArrival(arrival: SelfCheck, config: Config): Finding[] {
  const { forwarding_headers: headers, is_trusted_proxy: isTrusted } = arrival
  if (headers.length === 0)
    return isProxied(arrival, config)
      ? [
          finding(
            'proxy_bare',
            'the proxy passes requests on without forwarding headers: scheme and address of visitors are unknown',
            {
              advice: `${NGINX} Name the proxy in trust_proxy: ${arrival.sender}.`,
              values: { sender: arrival.sender, nginx: NGINX.replace(/^.*?: /, '') },
            },
          ),
        ]
      : [finding('proxy_ok', 'requests arrive without a proxy', { values: { is_proxied: false } })]
  if (!isTrusted)
    return [
      finding(
        'proxy_untrusted',
        `a proxy at ${arrival.sender} sets forwarding headers, but trust_proxy does not name it`,
        {
          values: { sender: arrival.sender },
          advice: `Add ${arrival.sender} to trust_proxy.`,
        },
      ),
    ]
  return checkTrusted(arrival, config)
}

/** The connection is not the one that public_url describes, so something is between. */
function isProxied({ is_tls: isTls }: SelfCheck, { publicUrl, port }: Config): boolean {
  const isHttps = publicUrl.protocol === 'https:'
  const publicPort = Number(publicUrl.port || (isHttps ? 443 : 80))
  return isTls !== isHttps || (port !== 0 && publicPort !== port)
}

function checkTrusted({ forwarding_headers: headers, is_secure: isSecure }: SelfCheck, config: Config): Finding[] {
  const isRfc = config.proxyHeader === 'forwarded'
  const found: Finding[] = []
  if (config.publicUrl.protocol === 'https:' && !isSecure)
    found.push(
      finding('proxy_without_scheme', 'the proxy does not say that visitors use https, so their requests are refused', {
        values: { header: isRfc ? 'Forwarded' : 'X-Forwarded-Proto' },
        advice: isRfc
          ? 'Let it set Forwarded with proto=https.'
          : 'Let it set X-Forwarded-Proto to the scheme of the visitor.',
      }),
    )
  if (!headers.includes(isRfc ? 'forwarded' : 'x-forwarded-for'))
    found.push(
      finding('proxy_without_address', 'the proxy does not pass on addresses: all visitors share one rate limit', {
        values: { header: isRfc ? 'Forwarded' : 'X-Forwarded-For' },
        advice: isRfc ? 'Let it set Forwarded with for=.' : 'Let it append to X-Forwarded-For.',
      }),
    )
  return found.length > 0
    ? found
    : [finding('proxy_ok', 'the proxy passes on scheme and address of visitors', { values: { is_proxied: true } })]
}
