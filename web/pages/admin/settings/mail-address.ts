// The mail server as the fields of a form, and as `smtp_url` and `smtp_tls`.

export type MailEncryption = 'starttls' | 'tls' | 'none'

export interface MailAddress {
  host: string
  /** Empty: the usual one. */
  port: string
  encryption: MailEncryption
  user: string
}

const USUAL_PORTS: Record<MailEncryption, string> = { starttls: '587', tls: '465', none: '25' }

export const usualPort = (encryption: MailEncryption): string => USUAL_PORTS[encryption]

/** `url` as the server stores it: with a port and without a password; empty where there is no server. */
export function readMailAddress(url: string, isEncrypted: boolean): MailAddress {
  const [, scheme, user = '', host = '', port = ''] =
    /^(smtps?):\/\/(?:([^@]*)@)?(\[[^\]]*\]|[^:]*):(\d+)$/.exec(url) ?? []
  const encryption = scheme === 'smtps' ? 'tls' : isEncrypted ? 'starttls' : 'none'
  return { host, port, encryption, user: decodeURIComponent(user) }
}

export function writeMailAddress({ host, port, encryption, user }: MailAddress): string {
  if (host.trim() === '') return ''
  const login = user.trim() ? `${encodeURIComponent(user.trim())}@` : ''
  return `${encryption === 'tls' ? 'smtps' : 'smtp'}://${login}${host.trim()}:${port.trim() || usualPort(encryption)}`
}
