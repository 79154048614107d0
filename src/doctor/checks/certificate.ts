// Checks TLS certificates, as files and as public_url serves them: end, name, trust.
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import { type Finding, finding } from '../finding.ts'
import type { ServedCertificate } from '../probe.ts'

const WARN_DAYS = 21

const RENEW = 'Renew it. Daybook reads renewed files by itself; a proxy may need a reload.'

/** The file of tls_certificate; what public_url serves may be another, of a proxy. */
export function checkCertificateFile({ tls, publicUrl }: Config, now: Instant): Finding[] {
  if (!tls) return []
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(tls.certificate)
  } catch {
    return [
      finding('config_invalid', 'tls_certificate: the file contains no PEM certificate', {
        values: {},
        advice: 'Name a PEM file with the certificate chain.',
        path: tls.certificatePath,
      }),
    ]
  }
  return judgeCertificate(certificate, publicUrl.hostname, now, 'tls_certificate')
}

export function checkServedCertificate(
  { certificate, distrust }: ServedCertificate,
  hostname: string,
  now: Instant,
): Finding[] {
  const found = judgeCertificate(certificate, hostname, now, 'the certificate of public_url')
  const isOtherwiseGood = found.every(({ level }) => level !== 'problem')
  if (distrust && isOtherwiseGood)
    found.push(
      finding('certificate_untrusted', `this machine does not trust the certificate of public_url (${distrust})`, {
        values: { reason: distrust },
        advice: 'Serve the whole chain, with intermediate certificates, from an authority that browsers know.',
      }),
    )
  return found
}

function judgeCertificate(certificate: X509Certificate, hostname: string, now: Instant, name: string): Finding[] {
  const endsAt = certificate.validToDate.getTime()
  const end = new Date(endsAt).toISOString().slice(0, 10)
  const values = { is_served: name !== 'tls_certificate', end, hostname }
  const days = Math.floor((endsAt - now) / DAY_MS)
  if (endsAt <= now) return [finding('certificate_expired', `${name} ended on ${end}`, { advice: RENEW, values })]
  if (certificate.validFromDate.getTime() > now)
    return [
      finding('certificate_not_valid_yet', `${name} is not valid yet`, {
        advice: 'Check the clock of this machine.',
        values,
      }),
    ]
  if (!isFor(certificate, hostname))
    return [
      finding('certificate_wrong_name', `${name} is not for ${hostname}`, {
        values,
        advice: 'Get a certificate for the host name of public_url.',
      }),
    ]
  if (days < WARN_DAYS)
    return [
      finding('certificate_expiring', `${name} ends on ${end}, in ${days} days`, {
        advice: RENEW,
        values: { ...values, days },
      }),
    ]
  return [finding('certificate_ok', `${name} is valid until ${end}`, { values })]
}

function isFor(certificate: X509Certificate, hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return (isIP(bare) ? certificate.checkIP(bare) : certificate.checkHost(bare)) !== undefined
}
