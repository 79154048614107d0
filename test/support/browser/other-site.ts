// A page of another site, for tests of embedding.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `policy` is the CSP of the site; none of its markup or styles may reach into the embedded content. */
export async function withOtherSite(
  markup: string,
  story: (origin: string) => Promise<void>,
  policy = '',
): Promise<void> {
  const server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (policy) response.setHeader('content-security-policy', policy)
    response.end(
      `<!doctype html><html lang="en"><title>Parish</title><link rel="icon" href="data:,"><main><h1>Parish</h1>${markup}</main>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await story(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
