// Baseline server in its own process: bare node:http that sends prepared responses as bytes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PreparedAnswer {
  path: string
  isAnonymous: boolean
  type: string
  etag: string
  /** Base64, to pass bytes between processes. */
  body: string
}

const answers = new Map<string, { type: string; etag: string; body: Buffer }>()

const server = createServer((request, response) => {
  const answer = answers.get(nameOf(request.url!, request.headers.authorization === undefined))
  if (!answer) {
    response.writeHead(404, { 'content-length': 0 }).end()
    return
  }
  const { type, etag, body } = answer
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end()
    return
  }
  response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
})

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))

const nameOf = (path: string, isAnonymous: boolean): string => (isAnonymous ? `anonymous ${path}` : path)

process.on('message', ({ path, isAnonymous, type, etag, body }: PreparedAnswer) => {
  answers.set(nameOf(path, isAnonymous), { type, etag, body: Buffer.from(body, 'base64') })
  process.send!({ ready: path })
})
process.on('disconnect', () => process.exit(0))
