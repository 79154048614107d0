// Requests as bytes over a real socket, for what an HTTP library would normalise or refuse to send.
import { connect } from 'node:net'
import type { App } from '../../../src/app.ts'

export async function listen(app: App, host = '127.0.0.1'): Promise<number> {
  await app.server.listen({ host, port: 0 })
  const address = app.server.addresses()[0]
  return typeof address === 'object' ? address.port : 0
}

/** Open connections as the server counts them. */
export const countConnections = ({ server }: App): Promise<number> =>
  new Promise((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

export interface SocketResponse {
  status: number
  head: string
  body: string
}

/** Sends the text and reads until the other side closes. */
export function sendRaw(port: number, text: string | Buffer): Promise<SocketResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer within 20 seconds')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A server that refuses may close while we are still sending; what it sent before counts.
    socket.on('error', (error: Error & { code?: string }) =>
      chunks.length > 0 || error.code === 'EPIPE' ? undefined : reject(error),
    )
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString('utf8'))))
    socket.write(text)
  })
}

export const getRaw = (port: number, path: string, headers: Record<string, string> = {}): Promise<SocketResponse> =>
  sendRaw(
    port,
    `GET ${path} HTTP/1.1\r\n${Object.entries({ host: 'localhost', connection: 'close', ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )

function parseAnswer(text: string): SocketResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') }
}
