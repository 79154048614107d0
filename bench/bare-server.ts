// The ceiling, in a process of its own: a bare node:http server that has its answers ready as bytes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PreparedAnswer {
  path: string
  isAnonymous: boolean
  type: string
  /** In base64, for the journey between processes. */
  body: string
}

const answers = new Map<string, { type: string; body: Buffer }>()

const server = createServer((request, response) => {
  const answer = answers.get(nameOf(request.url!, request.headers.authorization === undefined))
  if (!answer) {
    response.writeHead(404, { 'content-length': 0 }).end()
    return
  }
  response.writeHead(200, { 'content-type': answer.type, 'content-length': answer.body.length }).end(answer.body)
})

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))

const nameOf = (path: string, isAnonymous: boolean): string => (isAnonymous ? `anonymous ${path}` : path)

process.on('message', ({ path, isAnonymous, type, body }: PreparedAnswer) => {
  answers.set(nameOf(path, isAnonymous), { type, body: Buffer.from(body, 'base64') })
  process.send!({ ready: path })
})
process.on('disconnect', () => process.exit(0))
