// Checks public_url against TLS and proxy settings; used at startup, by diagnostics, for loopback.
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
 * Whether plain HTTP is served to clients on the same machine. A local proxy that sets no forwarding headers looks the
 * same, so this is off for an https address on another host name unless the operator allows it.
 */
export const hasLoopbackExemption = (config: Config): boolean => config.allowLoopbackHttp || !isHttpsElsewhere(config)

const isHttpsElsewhere = ({ publicUrl }: Config): boolean =>
  publicUrl.protocol === 'https:' && !LOOPBACK_NAME.test(publicUrl.hostname)

/** In the spelling that URL uses. */
const LOOPBACK_NAME = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
