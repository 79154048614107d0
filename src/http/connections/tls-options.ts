// TLS options of the listener, for the start and for a renewed certificate.
import { constants } from 'node:crypto'

interface TlsContents {
  certificate: string
  key: string
}

/** Every client has one of the first two. The client chooses; with P-521 a handshake takes ten times as long. */
const GROUPS = 'X25519:prime256v1:X25519MLKEM768'

/** Each renegotiation is another handshake, which no limit counts. */
const NO_RENEGOTIATION = constants.SSL_OP_NO_RENEGOTIATION

export const tlsOptionsOf = ({ certificate, key }: TlsContents) =>
  ({
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    ecdhCurve: GROUPS,
    secureOptions: NO_RENEGOTIATION,
  }) as const
