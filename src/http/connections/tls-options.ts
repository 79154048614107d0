// TLS options of the listener, for the start and for a renewed certificate.

interface TlsContents {
  certificate: string
  key: string
}

/** Every client has one of the first two. The client chooses; with P-521 a handshake takes ten times as long. */
const GROUPS = 'X25519:prime256v1:X25519MLKEM768'

export const tlsOptionsOf = ({ certificate, key }: TlsContents) =>
  ({ cert: certificate, key, minVersion: 'TLSv1.2', ecdhCurve: GROUPS }) as const
