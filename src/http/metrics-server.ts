// Serves GET /metrics without a token on a loopback port, for a collector on the same machine.
import { createServer, type Server } from 'node:http'
import type { Scraper } from '../actions/maintenance/scrape.ts'
import { EXPOSITION_TYPE } from '../ops/exposition.ts'

export interface MetricsServer {
  /** The port, also where the setting is 0. */
  listen(port: number): Promise<number>
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** A web page whose host name leads to this address has that name in Host: browsers let it read the response. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i

export function createMetricsServer(scraper: Scraper): MetricsServer {
  const server: Server = createServer({ requestTimeout: 10_000, maxHeaderSize: 8_192 }, (request, response) => {
    const isKnown = request.url === '/metrics' && OWN_HOST.test(request.headers.host ?? '')
    if (!isKnown || request.method !== 'GET') return void response.writeHead(404, { connection: 'close' }).end()
    scraper.scrape().then(
      (text) => response.writeHead(200, { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500, { connection: 'close' }).end(),
    )
  })
  server.maxConnections = 20
  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, LOOPBACK, () => {
          server.removeListener('error', reject)
          server.on('error', () => {})
          resolve((server.address() as { port: number }).port)
        })
      }),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}
