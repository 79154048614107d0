// Checks public_url against TLS and proxy settings; used by the start, by diagnostics and by the loopback exemption.
import type { Config } from '../../config.ts'

export interface TransportProblem {
  code: 'https_unreachable' | 'loopback_http_allowed'
  /** For the operator, in one line. */
  message: string
}

export function findTransportProblem(config: Config): TransportProblem | undefined {
  if (!isHttpsElsewhere(config)) return undefined
  if (config.allowLoopbackHttp)
    return {
      code: 'loopback_http_allowed',
      message:
        'allow_loopback_http is on: behind a proxy on this machine that sets no X-Forwarded headers, every visitor counts as local and needs no HTTPS',
    }
  if (config.tls || config.trustProxy.length > 0) return undefined
  return {
    code: 'https_unreachable',
    message:
      'every request will be refused with https_required: public_url is https, but trust_proxy names no proxy and tls_certificate is not set. Set trust_proxy to the address of your proxy, and let it set X-Forwarded-Proto and X-Forwarded-For',
  }
}

/**
 * Whether plain http is answered on the machine itself. A proxy there that sets no forwarding headers looks the same, so
 * with an https address on another name it is not, unless the operator says so.
 */
export const hasLoopbackExemption = (config: Config): boolean => config.allowLoopbackHttp || !isHttpsElsewhere(config)

const isHttpsElsewhere = ({ publicUrl }: Config): boolean =>
  publicUrl.protocol === 'https:' && !LOOPBACK_NAME.test(publicUrl.hostname)

/** As a URL spells them. */
const LOOPBACK_NAME = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
