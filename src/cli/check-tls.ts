// Validates the TLS certificate and key before anything is opened, so that an error names the file.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { ConfigError, type TlsFiles } from '../config.ts'

export function checkTls(tls: TlsFiles): void {
  const certificate = readCertificate(tls.certificate)
  const key = readKey(tls.key)
  if (!certificate.checkPrivateKey(key))
    throw new ConfigError('tls_certificate and tls_key: the key does not match the certificate')
}

function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new ConfigError('tls_certificate: the file contains no PEM certificate')
  }
}

function readKey(text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch {
    throw new ConfigError('tls_key: the file contains no PEM key, or one with a passphrase')
  }
}
