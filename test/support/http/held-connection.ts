// A TLS client that collects its records, to send many small ones at once.
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'

export interface HeldConnection {
  secured: TLSSocket
  /** Sends all records made since the handshake. */
  send(): void
  /** Returns them instead. */
  takeRecords(): Buffer
  /** Reads nothing from now on. */
  stopReading(): void
  /** Sends bytes as they are, past TLS. */
  sendRaw(bytes: Buffer): void
  /** The secret of TLS 1.3 from which the keys of the client's records are made. */
  secret: Buffer
}

/** Its records are kept until they are sent together. */
export async function openHeld(
  port: number,
  { localAddress, ...more }: ConnectionOptions & { localAddress?: string } = {},
): Promise<HeldConnection> {
  const plain: Socket = connectPlain({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
  const records: Buffer[] = []
  let isHeld = false
  const transport = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      if (isHeld) records.push(chunk)
      else plain.write(chunk)
      done()
    },
    destroy(error, done) {
      plain.destroy()
      done(error)
    },
  })
  plain.on('data', (chunk) => transport.push(chunk)).on('close', () => transport.push(null))
  const secured = connect({ socket: transport, rejectUnauthorized: false, ...more }).on('error', () => {})
  let secret = Buffer.alloc(0)
  secured.on('keylog', (line: Buffer) => {
    const [name, , hex] = line.toString().trim().split(' ')
    if (name === 'CLIENT_TRAFFIC_SECRET_0') secret = Buffer.from(hex!, 'hex')
  })
  await once(secured, 'secureConnect')
  isHeld = true
  const takeRecords = (): Buffer => Buffer.concat(records.splice(0))
  return {
    secured,
    send: () => void plain.write(takeRecords()),
    takeRecords,
    stopReading: () => void plain.pause(),
    sendRaw: (bytes) => void plain.write(bytes),
    secret,
  }
}

export async function writeSmall(secured: TLSSocket, pieces: Iterable<string | Buffer>): Promise<void> {
  for (const piece of pieces) await new Promise((resolve) => secured.write(piece, resolve))
}
